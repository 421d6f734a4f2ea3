// Asynchronous copies in flight, and the mbarriers and groups that they complete: the state of one block.
//
// A copy accesses memory as early as it may and delivers its bytes as late as it may: its accesses count from its
// start, its bytes arrive when a thread waits for them. Until then the destination holds poison. A thread that reads
// too early reads nonsense, and the checkers report a race.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "executor/engine/current_thread.hpp"
#include "executor/process/observer.hpp"
#include "rafter_simt/async/async.hpp"

namespace rafter::simt {

class Block;

/// A contiguous range of bytes that a copy moves. For a copy in flight, shared memory is given by its home address
/// (home_address()), because another block may be running when the copy completes.
struct CopyRange {
  std::byte* to;
  const std::byte* from;  // null: the copy writes zeros
  std::uint32_t bytes;
};

/// An asynchronous copy in flight, or a group of them.
struct AsyncCopy {
  std::uint32_t agent = 0;  // the checkers' number for it
  unsigned thread = 0;      // the thread that started it
  const void* place = nullptr;
  std::int64_t bytes = 0;
  int arrivals = 0;       // arrivals it makes at its mbarrier when it completes
  bool is_moved = false;  // whether its bytes have been copied
  Agent::Proxy proxy = Agent::Proxy::async;
  std::vector<std::byte> value;  // the source of a store of a register value
  std::vector<CopyRange> ranges;
  std::vector<CopyRange> unused;  // destinations that stay poisoned

  /// Copies the bytes, once.
  void move() {
    if (std::exchange(is_moved, true)) return;
    for (const CopyRange& range : ranges) {
      std::byte* to = in_place_address(range.to);
      const std::byte* from = in_place_address(const_cast<std::byte*>(range.from));
      range.from ? static_cast<void>(std::memcpy(to, from, range.bytes))
                 : static_cast<void>(std::memset(to, 0, range.bytes));
    }
  }
};

struct Mbarrier {
  std::byte* at = nullptr;  // its home address
  Block* owner = nullptr;
  int count = 0;    // arrivals per phase
  int pending = 0;  // arrivals that the current phase still lacks
  std::int64_t bytes_missing = 0;
  std::uint64_t phase = 0;                    // the current phase
  std::vector<AsyncCopy> in_flight;           // copies that will complete on it
  std::array<std::uint32_t, 2> n_releases{};  // by parity of a complete phase: how many releases its waiters acquire
  std::array<unsigned, 32> waiting{};         // lanes per warp

  bool is_complete(int parity) const { return static_cast<int>(phase % 2) != parity; }
  int n_waiting() const {
    int n = 0;
    for (const unsigned lanes : waiting) n += std::popcount(lanes);
    return n;
  }
  /// Returns the number of arrivals that copies in flight will make.
  int n_arriving() const {
    int n = 0;
    for (const AsyncCopy& copy : in_flight) n += copy.arrivals;
    return n;
  }
  /// The key under which the checkers record the releases of its phases. The object in shared memory is ordinary memory
  /// to them.
  const void* order() const { return this; }
};

/// One thread's groups of one kind: the open group, and the committed ones that it has not waited for.
struct CopyGroups {
  AsyncCopy open;
  std::deque<AsyncCopy> closed;
};

/// The copies and mbarriers of one block. Async (async.hpp) operates on them.
struct AsyncState {
  std::unordered_map<void*, Mbarrier> mbarriers;                   // by home address
  std::array<std::unordered_map<unsigned, CopyGroups>, 2> groups;  // by kind and thread
  bool is_used = false;

  void clear() {
    if (!std::exchange(is_used, false)) return;
    mbarriers.clear();
    for (auto& kind : groups) kind.clear();
  }
};

}  // namespace rafter::simt

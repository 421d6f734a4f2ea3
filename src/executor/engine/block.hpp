// A block: its threads, warps and barriers, and which of its threads runs next.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "executor/engine/async/async_state.hpp"
#include "executor/engine/async/wgmma_state.hpp"
#include "executor/engine/fiber.hpp"
#include "executor/engine/shared_memory.hpp"
#include "executor/engine/warp.hpp"
#include "executor/process/finding.hpp"
#include "rafter_simt/abi.hpp"

namespace rafter::simt {

class Cluster;

using rafter_simt::BarrierKind;
using rafter_simt::Thread;
using rafter_simt::Waiting;

constexpr std::size_t shared_redzone_bytes = 4096;      // after dynamic shared memory
constexpr std::size_t dynamic_shared_alignment = 1024;  // required by swizzled tiles

constexpr unsigned n_named_barriers = 16;
/// The barriers of tiles of 64, 128, ... and 1024 threads: 16 + 8 + 4 + 2 + 1.
constexpr unsigned n_tile_barriers = 31;

/// One of a block's barriers. Its members describe the current phase, `result` the last one.
struct Barrier {
  int arrived = 0;
  int expected = 0;  // 0: every live thread
  BarrierKind kind = BarrierKind::plain;
  int n_true = 0;      // true predicates
  int line = 0;        // of the call of the first thread
  unsigned first = 0;  // the first thread to arrive
  const void* place = nullptr;
  int result = 0;
  std::array<unsigned, 32> waiting{};  // lanes per warp
};

/// waiting: no thread can run until another block of the cluster makes progress.
enum class BlockState : std::uint8_t { running, spinning, at_grid_barrier, waiting, finished };

class Block {
 public:
  uint3 index{};
  std::int64_t linear = 0;
  dim3 shape;
  unsigned n_threads = 0;
  unsigned n_live = 0;
  BlockState state = BlockState::running;
  std::uint32_t epoch = 0;  // completed barriers of the whole block
  std::uint32_t epoch_at_grid_barrier = 0;
  std::uint32_t n_barriers = 0;  // completed, including those of part of the block
  unsigned at_grid_barrier = 0;  // threads that wait for the grid
  std::uint64_t progress = 0;    // exits, arrivals and completions; not spinning
  std::uint64_t progress_at_yield = 0;
  std::uint64_t n_changes = 0;  // atomics that changed a value; in checked runs only
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::array<Barrier, n_named_barriers + n_tile_barriers> barriers;
  AsyncState async;
  WgmmaState wgmmas;
  std::vector<std::byte> dynamic_shared;
  SharedImage shared_image;
  std::shared_ptr<Cluster> cluster;  // without clusters: null until a thread asks for it
  bool is_prepared = false;          // whether warps and barriers are set up; not needed if all threads run in place
  unsigned run_begin = 0;            // threads from here to the running one ran in place without waiting

  void restart(uint3 at, std::int64_t linear_index, const rafter_simt::Launch& launch);
  void prepare();
  uint3 thread_index(unsigned thread) const {
    const unsigned row = thread / shape.x;
    return {thread % shape.x, row % shape.y, row / shape.y};
  }

  std::byte* dynamic_base() {
    const auto address = reinterpret_cast<std::uintptr_t>(dynamic_shared.data());
    return dynamic_shared.data() + (-address & (dynamic_shared_alignment - 1));
  }

  /// Returns a thread as a side of a finding.
  Side side(const char* action, unsigned thread, const void* place) const {
    return {action, place, 0, index, thread_index(thread)};
  }

  bool has_ready() const { return ready_warps_ != 0; }
  bool has_exited(unsigned thread) const { return !(warps[thread / 32].live >> thread % 32 & 1); }
  /// Discards all suspended threads and open barriers of an abandoned launch.
  void forget();

  /// Records the exits of the threads before `thread` that ran in place.
  void catch_up(unsigned thread) {
    if (!is_prepared) prepare();
    if (run_begin < thread) end_run(thread);
    warps[thread / 32].ready &= ~(1u << (thread % 32));
  }
  void exited(unsigned thread);
  /// Notes where a thread left the kernel, before exited().
  void departed(unsigned thread, const rafter_simt::Departure& from) {
    Warp& warp = warps[thread / 32];
    if (from.at == 0) return;
    warp.departures[thread % 32] = from;
    warp.known_departures |= 1u << thread % 32;
  }
  /// Returns where the thread left the kernel; null if that is unknown.
  const rafter_simt::Departure* departure_of(unsigned thread) const {
    const Warp& warp = warps[thread / 32];
    return has_exited(thread) && (warp.known_departures >> thread % 32 & 1) ? &warp.departures[thread % 32] : nullptr;
  }
  void make_ready(unsigned warp, unsigned lanes) {
    warps[warp].ready |= lanes;
    ready_warps_ |= 1u << warp;
  }
  void yielded(unsigned thread);

  /// Removes a thread from the ready ones and returns it. Threads of the current warp come first, then those of other
  /// warps.
  std::optional<unsigned> pick(unsigned current, std::minstd_rand* shuffle);
  /// Makes the threads that yielded ready again; returns false if there are none.
  bool wake_yielded();

  struct Arrival {
    int id;
    int expected;
    BarrierKind kind;
    int predicate;
    int line;
    const void* place;
  };
  /// Arrives at a barrier. Returns true when that completed it, so that the thread continues.
  bool arrive(unsigned thread, const Arrival& arrival, bool waits);

 private:
  void end_run(unsigned thread);
  bool barrier_is_complete(const Barrier& barrier) const;
  void release(Barrier& barrier);
  void resolve_active_masks(unsigned warp);
  void number_threads();

  dim3 numbered_shape_{0, 0, 0};  // the shape that the threads' indices are for
  std::uint32_t ready_warps_ = 0;
  std::uint64_t open_barriers_ = 0;  // barriers with arrivals
};

}  // namespace rafter::simt

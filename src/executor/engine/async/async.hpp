// What goes on while its thread does something else: copies in flight, and the mbarriers and groups that they complete.
//
// A copy's accesses count from its start, its bytes arrive as late as they may: when somebody waits for them. Until
// then the destination holds poison. So what reads too early reads nonsense, and the checkers see a race.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "executor/process/observer.hpp"
#include "rafter_simt/async/async.hpp"

namespace rafter::simt {

class Block;

/// A run of bytes that a copy moves; without a source they are zeros. Of one on its way, shared memory is named by its
/// home (Worker::home): another block may be the running one when it lands.
struct Piece {
  std::byte* to;
  const std::byte* from;
  std::uint32_t bytes;
};

/// A copy under way, or a group of them.
struct Flight {
  std::uint32_t agent = 0;  // for the checkers
  unsigned thread = 0;      // that started it
  const void* place = nullptr;
  std::int64_t bytes = 0;
  int arrivals = 0;       // that it makes at its mbarrier when it lands
  bool is_moved = false;  // it has read its sources
  Agent::Proxy proxy = Agent::Proxy::async;
  std::vector<std::byte> value;  // what it stores, where that is no memory
  std::vector<Piece> pieces;
  std::vector<Piece> unused;  // destinations that stay poison

  void move();
};

struct Mbarrier {
  std::byte* at = nullptr;  // in a cluster, its home
  Block* owner = nullptr;
  int count = 0;    // arrivals that make a phase
  int pending = 0;  // that this one still lacks
  std::int64_t bytes_missing = 0;
  std::uint64_t phase = 0;                    // under way
  std::vector<Flight> coming;                 // copies that will complete it
  std::array<std::uint32_t, 2> n_releases{};  // by parity of a complete phase: how much its waiters acquire
  std::array<unsigned, 32> waiting{};         // lanes per warp

  bool is_complete(int parity) const { return static_cast<int>(phase % 2) != parity; }
  int n_waiting() const;
  int n_arriving() const;  // arrivals that copies on their way will make
  /// What the checkers know the order of its phases by; the object in shared memory is memory like other.
  const void* order() const { return this; }
};

/// The groups of one thread and one kind: one that is open, and those before it that have not been waited for.
struct Groups {
  Flight open;
  std::deque<Flight> closed;
};

/// All of it for a block. The running thread calls, at `place` in the code; mbarriers may be another block's of its
/// cluster.
class Async {
 public:
  void clear();
  void block_ended(const Block& block);

  void copy_async(Piece piece, const void* place);
  void commit(rafter_simt::GroupKind kind);
  /// The thread's copies that are on their way arrive at the mbarrier.
  void copy_async_arrive(void* at, bool is_extra, const void* place);
  enum class Until : bool { landed, read };
  void wait_group(rafter_simt::GroupKind kind, int n_later, Until until);

  void init(void* at, int count, const void* place);
  void invalidate(void* at, const void* place);
  /// The parity of the phase that the arrivals belong to.
  int arrive(void* at, int n, int bytes, const void* place);
  int drop(void* at, const void* place);
  bool try_wait(void* at, int parity, const void* place);
  void wait(void* at, int parity, const void* place);

  /// A copy by hardware: to shared memory, complete on an mbarrier, or from there, in the thread's bulk group.
  void load(void* barrier, Flight flight, std::byte* shared, const void* place);
  void store(const Flight& flight, const void* place);

  template <class F>
  void for_mbarriers(F&& f) const {
    for (const auto& [at, barrier] : mbarriers_) f(barrier);
  }

 private:
  Groups& groups(rafter_simt::GroupKind kind);
  static Mbarrier& find(void* at, const void* place);
  static void land(Mbarrier& barrier);
  static void begin_next_phase(Mbarrier& barrier, const void* place);
  static void complete_if_due(Mbarrier& barrier, const void* place);

  std::unordered_map<void*, Mbarrier> mbarriers_;               // by their homes
  std::array<std::unordered_map<unsigned, Groups>, 2> groups_;  // by kind and thread
  bool is_used_ = false;
};

/// The bytes that a TMA copy moves between `shared` and the tile at `at`: into shared memory with zeros for what is
/// outside the array, and without so many elements on each side along x and y.
Flight tma_load_flight(const rafter_simt::TensorMap& map, const int* at, std::byte* shared, int unused_x, int unused_y);
/// To the array only what lies within it.
Flight tma_store_flight(const rafter_simt::TensorMap& map, const int* at, const std::byte* shared);

}  // namespace rafter::simt

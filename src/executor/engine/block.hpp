// A block: its threads, warps and barriers, and who of them can run next.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "executor/engine/async/async.hpp"
#include "executor/engine/async/wgmma.hpp"
#include "executor/engine/clusters/cluster.hpp"
#include "executor/engine/fiber.hpp"
#include "executor/engine/shared_memory.hpp"
#include "executor/engine/warp.hpp"
#include "rafter_simt/abi.hpp"

namespace rafter::simt {

using rafter_simt::BarrierKind;
using rafter_simt::Thread;
using rafter_simt::Waiting;

constexpr std::size_t shared_redzone_bytes = 4096;      // behind dynamic shared memory
constexpr std::size_t dynamic_shared_alignment = 1024;  // what swizzled tiles need

/// One of a block's 16 barriers. Everything about the instance under way; `result` is the last one's.
struct Barrier {
  int arrived = 0;
  int expected = 0;  // 0: every live thread
  BarrierKind kind = BarrierKind::plain;
  int n_true = 0;  // predicates
  int line = 0;    // where the first one waits
  unsigned first = 0;
  const void* place = nullptr;
  int result = 0;
  std::array<unsigned, 32> waiting{};  // lanes per warp
};

/// waiting: nobody can run until another block of the cluster does something.
enum class BlockState : std::uint8_t { running, spinning, at_grid_barrier, waiting, finished };

class Block {
 public:
  uint3 index{};
  std::int64_t linear = 0;
  dim3 shape;
  unsigned n_threads = 0;
  unsigned n_live = 0;
  BlockState state = BlockState::running;
  std::uint32_t epoch = 0;  // block barriers passed
  std::uint32_t epoch_at_grid_barrier = 0;
  unsigned at_grid_barrier = 0;  // threads that wait there
  std::uint64_t progress = 0;    // exits, arrivals and completions; spinning does not count
  std::uint64_t progress_at_yield = 0;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::array<Barrier, 16> barriers;
  Async async;  // copies and mbarriers
  Wgmmas wgmmas;
  std::vector<std::byte> dynamic_shared;
  SharedImage shared_image;
  std::shared_ptr<Cluster> cluster;  // none until somebody asks, where the launch has no clusters
  bool is_prepared = false;          // warps and barriers; a block whose threads all run in place needs none
  unsigned run_begin = 0;            // threads from here up to the running one ran in place without a stop

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

  bool has_ready() const { return ready_warps_ != 0; }
  bool has_exited(unsigned thread) const { return !(warps[thread / 32].live >> thread % 32 & 1); }
  /// After a launch that was given up: nothing that was under way goes on.
  void forget();

  /// Threads that ran in place before `thread` have ended without telling.
  void catch_up(unsigned thread) {
    if (!is_prepared) prepare();
    if (run_begin < thread) end_run(thread);
    warps[thread / 32].ready &= ~(1u << (thread % 32));
  }
  void exited(unsigned thread);
  void make_ready(unsigned warp, unsigned lanes) {
    warps[warp].ready |= lanes;
    ready_warps_ |= 1u << warp;
  }
  void yielded(unsigned thread);

  /// The thread to run next, taken off the ready ones: first of the current warp, then of the others.
  std::optional<unsigned> pick(unsigned current, std::minstd_rand* shuffle);
  /// Gives those that yielded another turn; false when nobody had.
  bool wake_yielded();

  // Barriers. `arrive` gives true when the caller completed it and may go on.
  struct Arrival {
    int id;
    int expected;
    BarrierKind kind;
    int predicate;
    int line;
    const void* place;
  };
  bool arrive(unsigned thread, const Arrival& arrival, bool waits);

 private:
  void end_run(unsigned thread);
  bool barrier_is_complete(const Barrier& barrier) const;
  void release(Barrier& barrier);
  void resolve_active_masks(unsigned warp);
  void number_threads();

  dim3 numbered_shape_{0, 0, 0};  // the shape that the threads have their indices by
  std::uint32_t ready_warps_ = 0;
  std::uint32_t open_barriers_ = 0;  // that somebody has arrived at
};

}  // namespace rafter::simt

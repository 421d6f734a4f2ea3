// A worker: one OS thread that runs blocks, each CUDA thread of them on a fiber of its own once it has to wait.
#pragma once

#include <bit>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "simt/engine/block.hpp"
#include "simt/engine/failure.hpp"
#include "simt/engine/fiber.hpp"
#include "simt/engine/grid.hpp"
#include "simt/engine/pace.hpp"
#include "simt/engine/shared_memory.hpp"
#include "simt/process/options.hpp"
#include "simt/process/trial.hpp"

namespace rafter::simt {

class Worker {
 public:
  static constexpr int turn_credit = 256;  // atomics before others get a turn
  static constexpr int rounds_per_turn = 64;

  /// `number`: from 0 on, among the workers.
  explicit Worker(int number);

  /// Runs blocks of `grid` until none is left or the launch failed.
  void run(Grid& grid);

  // For the thread that runs now.
  bool next_thread();
  bool next_block_of_loop(uint3& index);
  /// The plain barrier of all threads, by far the most frequent.
  [[gnu::always_inline]] void sync_threads(int line, const void* place) {
    catch_up();
    Block& block = *block_;
    Barrier& barrier = block.barriers[0];
    const int arrived = barrier.arrived + 1;
    if (arrived > 1 && arrived < static_cast<int>(block.n_live) && barrier.line == line) [[likely]] {
      barrier.arrived = arrived;  // not the first, not the last, and at the same place: nothing to do but wait
    } else if (block.arrive(rafter_simt_now.linear, {0, 0, BarrierKind::plain, 0, line, place}, true)) {
      return;
    }
    wait(Waiting::barrier, place);
  }
  int barrier(const Block::Arrival& arrival);
  void barrier_arrive(Block::Arrival arrival);
  void grid_barrier(const void* place);
  /// The block's cluster; where the launch has none, one of this block alone.
  Cluster& cluster();
  void cluster_arrive(rafter_simt::ClusterArrive order, const void* place);
  void cluster_wait(const void* place);
  /// In a cluster a block's static shared memory has an address of its own, its home, that others reach it by; while
  /// the block runs, its bytes are in place instead. Other addresses are left as they are.
  std::byte* home(void* address) const;
  std::byte* in_place(void* address) const;
  /// The block of the running one's cluster, itself or another, whose shared memory has the address; or nobody.
  Block* owner_of(const void* address);
  /// The address in the memory of the block of that rank that corresponds to one in shared memory.
  std::byte* map_shared(const void* address, unsigned rank, const void* place);
  LaneResult warp(const WarpCall& call);
  void warp_exchange(unsigned mask, const void* mine, std::size_t bytes, void* all, const void* place);
  unsigned active_mask(int line, const void* place);
  /// Until somebody makes the running thread ready again.
  void suspend(Waiting what, const void* place) { wait(what, place); }
  /// Lets every other thread have a turn first.
  void yield(const void* place);
  /// Lets the lane of the warp run that is furthest behind: lanes go in step, access by access.
  void step(const void* place);
  /// Gives the launch up; everything that runs in it is forgotten.
  [[noreturn]] void abandon(int error);
  /// For what cannot be done while several workers share a checked launch, before it is done.
  void leave_trial() {
    if (!trial.is_on()) return;
    trial.fail();
    abandon(launch_failure);
  }
  /// Everybody's way on, from a signal handler too: what the running thread did not tell yet is caught up with.
  void catch_up() {
    if (!rafter_simt_now.run_end) return;
    block_->catch_up(rafter_simt_now.linear);
    warp_ = &block_->warps[rafter_simt_now.linear / 32];
  }

  int number() const { return number_; }
  Block& block() { return *block_; }
  Grid& grid() { return *grid_; }
  const Grid& grid() const { return *grid_; }
  const std::vector<SharedRange>& shared_ranges() const { return shared_ranges_; }
  /// The block's shared memory at an address of which perhaps only the last 32 bits are left.
  void* shared_at(std::uint64_t address);
  /// The modules whose ranges these are.
  unsigned long long modules() const { return modules_; }
  const FiberPool& fibers() const { return fibers_; }
  Pace& pace() { return pace_; }

 private:
  [[noreturn]] static void fiber_main();

  Block* choose_block();
  Block* start_block();
  std::optional<std::int64_t> next_start();
  Block& make_resident(uint3 index);
  Block* start_cluster(std::int64_t number);
  void retire(Block& block);
  void enter(Block& block);
  void run_block();
  bool next_block_in_place();
  bool runs_in_place() const;
  void start_fiber();
  void settle(Block& block);
  void look_for_modules();
  void release_grid_barrier();
  bool is_runnable(const Block& block) const;
  void stop_when_stuck();

  void wait(Waiting what, const void* place);
  Fiber* next_fiber();
  Fiber* pick_fiber();
  std::optional<unsigned> next();
  Fiber* set_current(unsigned thread);
  Fiber* wake(unsigned thread, const Thread& next);
  void switch_to(Fiber& to);

  const int number_;
  Pace pace_;
  FiberPool fibers_;
  Fiber main_;
  Fiber* running_ = &main_;
  Grid* grid_ = nullptr;
  Block* block_ = nullptr;
  Warp* warp_ = nullptr;     // the running thread's, once what it did not tell is caught up with
  Block* loaded_ = nullptr;  // whose static shared memory is in place
  std::vector<std::unique_ptr<Block>> resident_;
  std::vector<std::unique_ptr<Block>> spare_;
  std::size_t turn_ = 0;
  std::size_t fruitless_turns_ = 0;
  std::size_t long_turns_ = 0;  // that ended only because they were long
  int rounds_ = 0;              // in which all threads of the block gave way, in this turn
  std::optional<unsigned> pending_;
  std::int64_t loop_blocks_left_ = 0;  // of those that were taken together
  Grid::Several run_{0, 0};            // blocks that are this worker's to start next
  std::vector<SharedRange> shared_ranges_;
  unsigned long long modules_;
  std::optional<std::minstd_rand> shuffle_;
  bool in_step_ = false;
  bool in_natural_order_ = true;  // neither of the two
  std::chrono::steady_clock::time_point spinning_since_;
};

inline void Worker::switch_to(Fiber& to) {
  Fiber* from = running_;
  running_ = &to;
  switch_context(from->context, to.context);
}

/// Makes a suspended thread the running one, and gives the fiber to switch to.
inline Fiber* Worker::wake(unsigned thread, const Thread& next) {
  rafter_simt_now.linear = thread;
  rafter_simt_now.run_end = 0;
  threadIdx = next.index;
  return next.fiber;
}

// Most often the next lane of the same warp waits for its turn on a fiber; that way is short.
inline Fiber* Worker::next_fiber() {
  Warp& warp = *warp_;
  if (warp.ready != 0 && in_natural_order_) [[likely]] {
    const unsigned thread = (rafter_simt_now.linear & ~31u) + static_cast<unsigned>(std::countr_zero(warp.ready));
    const Thread& next = block_->threads[thread];
    if (next.fiber) [[likely]] {
      warp.ready &= warp.ready - 1;
      return wake(thread, next);
    }
  }
  return pick_fiber();
}

inline void Worker::wait(Waiting what, const void* place) {
  Thread& self = block_->threads[rafter_simt_now.linear];
  self.fiber = running_;
  self.place = place;
  self.waiting = what;
  pace_.begin_turn();
  switch_to(*next_fiber());
}

/// Whether a CUDA thread runs. Device functions are host functions here, so a program may call them outside of a
/// kernel; then they do nothing.
inline bool is_inside() { return rafter_simt_now.inside != 0; }

extern constinit thread_local Worker* current_worker;

/// The calling OS thread's; nullptr outside of workers.
inline Worker* this_worker() { return current_worker; }
inline void set_this_worker(Worker* worker) { current_worker = worker; }

}  // namespace rafter::simt

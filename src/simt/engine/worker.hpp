// A worker: one OS thread that runs blocks, each CUDA thread of them on a fiber of its own once it has to wait.
#pragma once

#include <bit>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "simt/engine/block.hpp"
#include "simt/engine/fiber.hpp"
#include "simt/engine/grid.hpp"
#include "simt/engine/options.hpp"
#include "simt/engine/shared_memory.hpp"

namespace rafter::simt {

class Worker {
 public:
  static constexpr int turn_credit = 256;  // atomics before others get a turn
  static constexpr int rounds_per_turn = 64;

  Worker();

  /// Runs blocks of `grid` until none is left or the launch failed.
  void run(Grid& grid);

  // For the thread that runs now.
  bool next_thread();
  int barrier(const Block::Arrival& arrival) {
    catch_up();
    // Not the first to arrive, not the last, and at the same place: nothing to do but wait.
    Block& block = *block_;
    Barrier& barrier = block.barriers[static_cast<unsigned>(arrival.id)];
    const bool is_plain = arrival.expected == 0 && arrival.kind == BarrierKind::plain;
    if (is_plain && barrier.arrived > 0 && barrier.arrived + 1 < static_cast<int>(block.n_live) &&
        barrier.line == arrival.line) {
      ++barrier.arrived;
      wait(Waiting::barrier, arrival.place);
    } else if (!block.arrive(rafter_simt_now.linear, arrival, true)) {
      wait(Waiting::barrier, arrival.place);
    }
    return barrier.result;
  }
  void barrier_arrive(Block::Arrival arrival);
  void grid_barrier(const void* place);
  LaneResult warp(const WarpCall& call);
  void warp_exchange(unsigned mask, const void* mine, std::size_t bytes, void* all, const void* place);
  unsigned active_mask(int line, const void* place);
  /// Lets every other thread have a turn first.
  void yield(const void* place);
  /// Lets the lane of the warp run that is furthest behind: lanes go in step, access by access.
  void step(const void* place);
  /// Gives the launch up; everything that runs in it is forgotten.
  [[noreturn]] void abandon(int error);
  /// Everybody's way on, from a signal handler too: what the running thread did not tell yet is caught up with.
  void catch_up() {
    if (rafter_simt_now.run_end) block_->catch_up(rafter_simt_now.linear);
  }

  Block& block() { return *block_; }
  Grid& grid() { return *grid_; }
  const std::vector<SharedRange>& shared_ranges() const { return shared_ranges_; }
  const FiberPool& fibers() const { return fibers_; }

 private:
  static void fiber_main(boost::context::detail::transfer_t from);

  Block* choose_block();
  Block* start_block();
  void enter(Block& block);
  void run_block();
  bool next_block_in_place();
  bool runs_in_place() const;
  void start_fiber();
  void settle(Block& block);
  void release_grid_barrier();
  void stop_when_stuck();

  void wait(Waiting what, const void* place);
  void leave();
  void leave_slowly();
  std::optional<unsigned> next();
  void set_current(unsigned thread);
  void switch_to(Fiber& to);

  FiberPool fibers_;
  Fiber main_;
  Fiber* running_ = &main_;
  Grid* grid_ = nullptr;
  Block* block_ = nullptr;
  Block* loaded_ = nullptr;  // whose static shared memory is in place
  std::vector<std::unique_ptr<Block>> resident_;
  std::vector<std::unique_ptr<Block>> spare_;
  std::size_t turn_ = 0;
  std::size_t fruitless_turns_ = 0;
  std::size_t long_turns_ = 0;  // that ended only because they were long
  int rounds_ = 0;              // in which all threads of the block gave way, in this turn
  std::optional<unsigned> pending_;
  std::vector<SharedRange> shared_ranges_;
  std::optional<std::minstd_rand> shuffle_;
  bool in_step_ = false;
  std::chrono::steady_clock::time_point spinning_since_;
};

inline void Worker::switch_to(Fiber& to) {
  Fiber* from = running_;
  running_ = &to;
  const auto back = boost::context::detail::jump_fcontext(to.context, from);
  static_cast<Fiber*>(back.data)->context = back.fctx;
}

// Most often the next lane of the same warp waits for its turn on a fiber; that way is short.
inline void Worker::leave() {
  Warp& warp = block_->warps[rafter_simt_now.linear / 32];
  if (warp.ready == 0 || shuffle_ || in_step_) return leave_slowly();
  const unsigned thread = (rafter_simt_now.linear & ~31u) + static_cast<unsigned>(std::countr_zero(warp.ready));
  const Thread& next = block_->threads[thread];
  if (!next.fiber || next.fiber == running_) return leave_slowly();
  warp.ready &= warp.ready - 1;
  rafter_simt_now.linear = thread;
  rafter_simt_now.run_end = 0;
  threadIdx = next.index;
  switch_to(*next.fiber);
}

inline void Worker::wait(Waiting what, const void* place) {
  Block& block = *block_;
  const unsigned thread = rafter_simt_now.linear;
  Thread& self = block.threads[thread];
  self.waiting = what;
  self.place = place;
  self.index = threadIdx;
  self.fiber = running_;
  leave();
  self.fiber = nullptr;
  self.waiting = Waiting::nothing;
  block.run_begin = thread;
}

/// The calling OS thread's; nullptr outside of workers.
Worker* this_worker();
void set_this_worker(Worker* worker);

}  // namespace rafter::simt

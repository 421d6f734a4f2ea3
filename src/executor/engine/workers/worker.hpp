// A worker: one OS thread that runs blocks, each CUDA thread of them on a fiber of its own once it has to wait.
#pragma once

#include <bit>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "executor/engine/block.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/fiber.hpp"
#include "executor/engine/grid.hpp"
#include "executor/engine/shared_memory.hpp"
#include "executor/engine/workers/pace.hpp"
#include "executor/process/options.hpp"
#include "executor/process/trial.hpp"

namespace rafter::simt {

class Worker;
extern constinit thread_local Worker* current_worker;

class Worker {
 public:
  static constexpr int turn_credit = 256;  // atomics before others get a turn
  static constexpr int rounds_per_turn = 64;

  /// `number`: from 0 on, among the workers; or a host thread's.
  static constexpr int of_host = -1;
  explicit Worker(int number);

  /// Runs blocks of `grid` until none is left or the launch failed.
  void run(Grid& grid);

  // For the thread that runs now.
  bool next_thread();
  /// How many, from `index` on; at most one if not `several`.
  unsigned next_blocks_of_loop(uint3& index, bool several);
  /// Those whose threads run in one loop now: the first, and how many.
  struct Row {
    uint3 first;
    unsigned n;
  };
  Row blocks_of_row() const { return {block_->index, blocks_of_row_}; }
  /// The plain barrier of all threads, by far the most frequent. For a thread with a warp it is two steps.
  void sync_threads(int line, const void* place) {
    catch_up();
    if (!sync_threads_arrive(line, place)) wait(Waiting::barrier, place);
  }
  [[gnu::always_inline]] static Turn sync_threads_in_turn(Warp& warp, int line, const void* place) {
    if (current_worker->sync_threads_arrive(line, place)) return go_on;
    return wait_in_turn(warp, Waiting::barrier, place);
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
  /// What the lanes of a mask do together: the running one's part of it.
  std::uint64_t warp(const WarpCall& call);
  /// The same for a lane whose warp's lanes may switch to each other, in two steps. Most lanes do not come here: what
  /// they do stands in the kernel (rafter_simt/launch/turns.hpp).
  Turn warp_in_turn(const WarpCall& call);
  int warp_flag() const { return warp_->flag(rafter_simt_now.linear % 32); }
  void warp_exchange(unsigned mask, const void* mine, std::size_t bytes, void* all, const void* place);
  unsigned active_mask(int line, const void* place);
  /// Until somebody makes the running thread ready again.
  void suspend(Waiting what, const void* place) {
    catch_up();
    wait(what, place);
  }
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
  /// Everybody's way on, from a signal handler too: what the running thread did not tell yet is caught up with, once.
  /// Nobody waits before that.
  void catch_up() {
    if (rafter_simt_now.run_end) catch_up_with_run();
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
  static constexpr Turn go_on{nullptr, nullptr};

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
  void start_fiber();
  void settle(Block& block);
  void look_for_modules();
  void release_grid_barrier();
  bool is_runnable(const Block& block) const;
  void set_at_work(bool is_at_work);
  void stop_when_stuck();

  void catch_up_with_run();
  std::uint64_t outside_of_mask(const WarpCall& call);
  // Both give true when all are there and the running thread may go on.
  bool arrive(const WarpCall& call);
  bool arrive(const Block::Arrival& arrival);

  void wait(Waiting what, const void* place);
  static Turn wait_in_turn(Warp& warp, Waiting what, const void* place);
  [[gnu::always_inline]] bool sync_threads_arrive(int line, const void* place) {
    Barrier& barrier = block_->barriers[0];
    const int arrived = barrier.arrived + 1;
    if (arrived > 1 && arrived < static_cast<int>(block_->n_live) && barrier.line == line) [[likely]] {
      barrier.arrived = arrived;  // not the first, not the last, and at the same place: nothing to do but wait
      return false;
    }
    return arrive({0, 0, BarrierKind::plain, 0, line, place});
  }
  // Each makes somebody the running one, and gives what the caller then switches to.
  const Context& pick_context();
  Turn pick_turn(Thread& self);
  const Context* set_current(unsigned thread);
  static const Context& wake(const Thread& next, unsigned lane);
  static void switch_turn(Turn turn);
  const Context& run_on(Fiber& fiber);
  void start_in_place(unsigned thread);
  void leave_kernel();
  std::optional<unsigned> next();

  const int number_;
  Pace pace_;
  FiberPool fibers_;
  Fiber main_;
  Fiber* running_ = &main_;  // who runs; with a thread that has waited before, ask the thread
  Grid* grid_ = nullptr;
  Block* block_ = nullptr;
  Warp* warp_ = nullptr;     // the running thread's, once what it did not tell is caught up with
  Block* loaded_ = nullptr;  // whose static shared memory is in place
  std::vector<std::unique_ptr<Block>> resident_;
  std::vector<std::unique_ptr<Block>> spare_;
  std::size_t turn_ = 0;
  std::size_t fruitless_turns_ = 0;
  std::size_t long_turns_ = 0;  // that ended only because they were long
  bool is_at_work_ = false;     // not all blocks have had such turns
  int rounds_ = 0;              // in which all threads of the block gave way, in this turn
  std::optional<unsigned> pending_;
  std::int64_t loop_blocks_left_ = 0;  // of those that were taken together
  std::int64_t next_of_loop_ = 0;      // the first of them
  unsigned blocks_of_row_ = 1;         // that run in one loop, from block_ on
  Grid::Several run_{0, 0};            // blocks that are this worker's to start next
  std::vector<SharedRange> shared_ranges_;
  unsigned long long modules_;
  std::optional<std::minstd_rand> shuffle_;
  bool in_step_ = false;
  bool in_natural_order_ = true;  // neither of the two
  bool runs_in_place_ = true;     // threads run one after the other, as long as none has to wait; nobody looks
  std::chrono::steady_clock::time_point spinning_since_;
  std::uint64_t spinning_progress_ = 0;  // the grid's, at that time
};

inline const Context& Worker::run_on(Fiber& fiber) {
  running_ = &fiber;
  return fiber.context;
}

/// Makes a suspended thread the running one.
inline const Context& Worker::wake(const Thread& next, unsigned lane) {
  static_cast<rafter_simt::ThreadNumber&>(rafter_simt_now) = next.number;
  rafter_simt_now.lane = lane;
  return next.context;
}

/// For a thread that waits in the runtime; who comes back has been handed over to.
inline void Worker::switch_turn(Turn turn) {
  switch_context(*turn.from, *turn.to, &rafter_simt_now);
  rafter_simt_now.handing_over = 0;
}

inline void Worker::wait(Waiting what, const void* place) {
  Thread& self = block_->threads[rafter_simt_now.linear];
  self.place = place;
  self.waiting = what;
  if (!runs_in_place_) pace_.begin_turn();
  rafter_simt::NextLane next{};
  if (in_natural_order_) next = rafter_simt::next_lane(*warp_);
  switch_turn(next.thread ? rafter_simt::hand_over(rafter_simt_now, *warp_, self, next)
                          : Turn{&self.context, &pick_context()});
}

// Most often the next lane of the same warp waits for its turn; that way is short. It is no turn that anybody counts:
// the lanes of a warp have one together.
[[gnu::always_inline]] inline Turn Worker::wait_in_turn(Warp& warp, Waiting what, const void* place) {
  Thread& self = warp.threads[rafter_simt_now.lane];
  self.place = place;
  self.waiting = what;
  rafter_simt_now.handing_over = 1;  // until the next one is there: the switch is in the kernel
  if (const auto next = rafter_simt::next_lane(warp); next.thread) [[likely]]
    return rafter_simt::hand_over(rafter_simt_now, warp, self, next);
  return current_worker->pick_turn(self);
}

/// Whether a CUDA thread runs. Device functions are host functions here, so a program may call them outside of a
/// kernel; then they do nothing.
inline bool is_inside() { return rafter_simt_now.inside != 0; }

/// The calling OS thread's; nullptr outside of workers.
inline Worker* this_worker() { return current_worker; }
inline void set_this_worker(Worker* worker) { current_worker = worker; }

}  // namespace rafter::simt

// A worker: one OS thread that runs blocks. A CUDA thread gets a fiber of its own when it first waits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "executor/engine/block.hpp"
#include "executor/engine/clusters/cluster.hpp"
#include "executor/engine/current_thread.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/fiber.hpp"
#include "executor/engine/grid.hpp"
#include "executor/engine/lockstep_watch.hpp"
#include "executor/engine/shared_memory.hpp"
#include "executor/engine/workers/progress.hpp"
#include "executor/process/options.hpp"
#include "executor/process/speculation.hpp"

namespace rafter::simt {

class Worker;
extern constinit thread_local Worker* current_worker;

class Worker {
 public:
  static constexpr int atomics_per_slice = 256;  // atomics and fences before other threads run
  static constexpr int rounds_per_slice = 64;    // in which all threads of a block yield, before another block runs

  /// The number of a host thread's worker; the others count from 0.
  static constexpr int of_host = -1;
  explicit Worker(int number);

  /// Runs blocks of `grid` until none is left or the launch failed.
  void run(Grid& grid);

  // Called by the running thread.
  bool next_thread();
  /// Takes the next blocks of a kernel that runs all threads in one loop. Sets `index` to the first and returns their
  /// number: adjacent in x, at most one unless `several`.
  unsigned next_blocks_of_loop(uint3& index, bool several);
  /// Waits at the plain barrier of all threads, by far the most frequent one.
  void sync_threads(int line, const void* place) {
    catch_up();
    if (!count_sync_threads(line, place)) wait(Waiting::barrier, place);
  }
  /// The first of two steps, for a thread with rafter_simt_now.warp: arrives, and returns the switch that the kernel
  /// performs.
  [[gnu::always_inline]] static ContextSwitch sync_threads_arrive(Warp& warp, int line, const void* place) {
    if (current_worker->count_sync_threads(line, place)) return no_switch;
    return begin_wait(warp, Waiting::barrier, place);
  }
  int barrier(const Block::Arrival& arrival);
  void barrier_arrive(Block::Arrival arrival);
  void grid_barrier(const void* place);
  /// Returns the block's cluster; without clusters, one that has only this block.
  Cluster& cluster();
  void cluster_arrive(rafter_simt::ClusterArrive order, const void* place);
  void cluster_wait(const void* place);
  /// Returns the block of the running block's cluster that has the address in its shared memory, or null.
  Block* owner_of(const void* address);
  /// Returns the address in the shared memory of the block of that rank that corresponds to `address`.
  std::byte* map_shared(const void* address, unsigned rank, const void* place);
  /// Executes the running lane's part of a warp-wide operation.
  std::uint64_t warp(const WarpCall& call);
  /// The first of two steps, for a thread with rafter_simt_now.warp: arrives, and returns the switch that the kernel
  /// performs. Most lanes do not call it: their fast path is inlined in the kernel
  /// (rafter_simt/launch/lane_switch.hpp).
  ContextSwitch warp_arrive(const WarpCall& call);
  int warp_flag() const { return warp_->flag(rafter_simt_now.linear % 32); }
  void warp_exchange(unsigned mask, const void* mine, std::size_t bytes, void* all, const void* place);
  unsigned active_mask(int line, const void* place);
  /// Called before and after an atomic of a checked run: counts those that change a value. A thread that polls changes
  /// none.
  void remember_value(const void* address, std::size_t bytes) {
    value_bytes_ = std::min(bytes, sizeof value_before_);
    std::memcpy(&value_before_, address, value_bytes_);
  }
  void count_change(const void* address) {
    if (value_bytes_ > 0 && std::memcmp(&value_before_, address, value_bytes_) != 0) ++block_->n_changes;
    value_bytes_ = 0;
  }
  /// The running thread leaves its kernel there.
  void departs(const rafter_simt::Departure& from) { departure_ = from; }
  /// Returns the running thread's warp, after catch_up().
  Warp& warp_here() {
    catch_up();
    return *warp_;
  }
  /// Suspends the running thread until it is made ready again.
  void suspend(Waiting what, const void* place) {
    catch_up();
    wait(what, place);
  }
  /// Lets every other thread run first.
  void yield(const void* place);
  /// Switches to the lane of the warp that is furthest behind: lanes run in lockstep, access by access.
  void step(const void* place);
  /// Abandons the launch and discards its suspended threads.
  [[noreturn]] void abandon(int error);
  /// Ends speculative execution, before an operation that workers which share a checked launch cannot perform.
  void abort_speculation() {
    if (!speculation.is_active()) return;
    speculation.fail();
    abandon(launch_failure);
  }
  /// Records the exits of threads that ran in place before the running one. Every path that may suspend the running
  /// thread calls it first, also from a signal handler.
  void catch_up() {
    if (rafter_simt_now.run_end) catch_up_with_run();
  }

  int number() const { return number_; }
  Block& block() { return *block_; }
  Grid& grid() { return *grid_; }
  const Grid& grid() const { return *grid_; }
  const std::vector<SharedRange>& shared_ranges() const { return shared_ranges_; }
  /// Returns the block's shared memory at an address of which only the low 32 bits may be left.
  void* shared_at(std::uint64_t address);
  /// Returns the version of the list of loaded modules that shared_ranges() was made from.
  unsigned long long modules() const { return modules_; }
  const FiberPool& fibers() const { return fibers_; }
  /// Whether an address is in the stack of another thread than the running one.
  bool is_in_other_stack(const void* address) const {
    const void* const here = __builtin_frame_address(0);
    return fibers_.holds(address) && fibers_.holds(here) && !fibers_.are_in_one(address, here);
  }
  WorkerProgress& progress() { return progress_; }
  LockstepWatch& lockstep_watch() { return lockstep_watch_; }

 private:
  static constexpr ContextSwitch no_switch{nullptr, nullptr};

  [[noreturn]] static void fiber_main();

  Block* choose_block();
  Block* start_block();
  std::optional<std::int64_t> next_start();
  Block& make_resident(uint3 index);
  bool can_start_another();
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
  void set_busy(bool is_busy);
  void stop_when_stuck();

  void catch_up_with_run();
  std::uint64_t outside_of_mask(const WarpCall& call);
  // Both return true when the arrival was the last one, so that the running thread continues.
  bool arrive(const WarpCall& call);
  bool arrive(const Block::Arrival& arrival);

  /// Returns how many atomics and fences a thread executes until others run.
  int next_credit() {
    constexpr unsigned most_in_schedule = 8;
    return preemption_ ? static_cast<int>((*preemption_)() % most_in_schedule) : atomics_per_slice;
  }
  void wait(Waiting what, const void* place);
  static ContextSwitch begin_wait(Warp& warp, Waiting what, const void* place);
  [[gnu::always_inline]] bool count_sync_threads(int line, const void* place) {
    Barrier& barrier = block_->barriers[0];
    const int arrived = barrier.arrived + 1;
    const bool is_same = barrier.line == line && (runs_in_place_ || barrier.place == place);
    if (arrived > 1 && arrived < static_cast<int>(block_->n_live) && is_same) [[likely]] {
      barrier.arrived = arrived;  // neither first nor last, and at the same place: only wait
      return false;
    }
    return arrive({0, 0, BarrierKind::plain, 0, line, place});
  }
  // Each makes another thread, or the worker itself, the running one and returns the context to switch to.
  const Context& pick_context();
  ContextSwitch pick_switch(Thread& self);
  const Context* set_current(unsigned thread);
  static const Context& wake(const Thread& next, unsigned lane);
  static void switch_stacks(ContextSwitch change);
  const Context& run_on(Fiber& fiber);
  void start_in_place(unsigned thread);
  void leave_kernel();
  std::optional<unsigned> next();

  const int number_;
  WorkerProgress progress_;
  FiberPool fibers_;
  Fiber main_;
  Fiber* running_ = &main_;  // not valid for a thread that has waited before: see its `fiber`
  Grid* grid_ = nullptr;
  Block* block_ = nullptr;
  Warp* warp_ = nullptr;     // the running thread's, after catch_up()
  Block* loaded_ = nullptr;  // the block with its static shared memory in place
  std::vector<std::unique_ptr<Block>> resident_;
  std::vector<std::unique_ptr<Block>> spare_;
  std::size_t chosen_ = 0;         // index in resident_ of the block that runs
  std::size_t idle_slices_ = 0;    // of blocks, in sequence, without progress
  std::size_t capped_slices_ = 0;  // of blocks, in sequence, that ended after rounds_per_slice
  bool is_busy_ = false;           // whether a block may make progress without other workers
  int rounds_ = 0;                 // in which all threads of the block yielded, in this slice
  std::optional<unsigned> pending_;
  rafter_simt::Departure departure_;  // of the running thread
  std::uint64_t value_before_ = 0;    // of the running thread's atomic, and its size
  std::size_t value_bytes_ = 0;
  std::int64_t loop_blocks_left_ = 0;  // of the blocks taken together for a loop
  std::int64_t next_of_loop_ = 0;      // the first of them that has not run
  Grid::BlockRange run_{0, 0};         // blocks that this worker starts next
  std::vector<SharedRange> shared_ranges_;
  unsigned long long modules_;
  std::optional<std::minstd_rand> shuffle_;
  std::optional<std::minstd_rand> preemption_;  // with a schedule: after how many atomics and fences threads switch
  bool in_step_ = false;
  bool in_natural_order_ = true;  // neither shuffled nor in lockstep
  bool runs_in_place_ = true;     // threads run as plain calls, one after the other, until one waits; no observer
  std::size_t stuck_slices_ = 0;  // of blocks, in sequence, in which no thread changed anything
  double spinning_since_s_ = 0;   // this OS thread's processor time when it last saw progress
  std::uint64_t spinning_progress_ = 0;  // the grid's progress at that time
  LockstepWatch lockstep_watch_;         // of plain runs
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

/// Performs a switch for a thread that waits in the runtime.
inline void Worker::switch_stacks(ContextSwitch change) {
  switch_context(*change.from, *change.to, &rafter_simt_now);
  rafter_simt_now.switching = 0;
}

inline void Worker::wait(Waiting what, const void* place) {
  Thread& self = block_->threads[rafter_simt_now.linear];
  self.place = place;
  self.waiting = what;
  if (!runs_in_place_) progress_.begin_slice();
  rafter_simt::NextLane next{};
  if (in_natural_order_) next = rafter_simt::next_lane(*warp_);
  switch_stacks(next.thread ? rafter_simt::switch_lane(rafter_simt_now, *warp_, self, next)
                            : ContextSwitch{&self.context, &pick_context()});
}

// As a rule the next lane of the same warp is ready, and the switch goes to it directly. That does not begin a new
// slice: the lanes of a warp share one.
[[gnu::always_inline]] inline ContextSwitch Worker::begin_wait(Warp& warp, Waiting what, const void* place) {
  Thread& self = warp.threads[rafter_simt_now.lane];
  self.place = place;
  self.waiting = what;
  rafter_simt_now.switching = 1;  // until the next lane runs: the kernel performs the switch
  if (const auto next = rafter_simt::next_lane(warp); next.thread) [[likely]]
    return rafter_simt::switch_lane(rafter_simt_now, warp, self, next);
  return current_worker->pick_switch(self);
}

/// Whether a CUDA thread runs on this OS thread. Device functions are host functions here, so a program may call them
/// outside of a kernel; then they do nothing.
inline bool is_inside() { return rafter_simt_now.inside != 0; }

/// Returns the calling OS thread's worker, or null.
inline Worker* this_worker() { return current_worker; }
inline void set_this_worker(Worker* worker) { current_worker = worker; }

}  // namespace rafter::simt

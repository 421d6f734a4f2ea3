#include "executor/engine/workers/worker.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "executor/engine/failure.hpp"
#include "executor/engine/sync_findings.hpp"
#include "executor/memory/modules.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {

constinit thread_local Worker* current_worker = nullptr;

Worker::Worker(int number)
    : number_(number),
      fibers_(&Worker::fiber_main),
      shared_ranges_(find_shared_ranges()),
      modules_(modules_version()) {}

// A module that was loaded since the last launch may have shared variables of its own.
void Worker::look_for_modules() {
  const unsigned long long version = modules_version();
  if (version == modules_) return;
  modules_ = version;
  shared_ranges_ = find_shared_ranges();
  spare_.clear();  // and their shared images
  loaded_ = nullptr;
}

void Worker::fiber_main() {
  Worker& worker = *current_worker;
  for (;;) {
    rafter_simt_now.switching = 0;
    const rafter_simt::Launch& launch = worker.grid_->launch();
    do launch.run_threads(launch.closure);
    while (worker.next_block_in_place());
    Fiber& idle = *worker.running_;
    worker.fibers_.give_back(&idle);
    switch_context(idle.context, worker.pending_ ? *worker.set_current(*worker.pending_) : worker.run_on(worker.main_),
                   &rafter_simt_now);
  }
}

// Makes a thread the running one. Returns the context it is suspended at, or null if it has not started.
const Context* Worker::set_current(unsigned thread) {
  rafter_simt_now.inside = 1;
  const Thread& next = block_->threads[thread];
  warp_ = &block_->warps[thread / 32];
  if (next.fiber) {
    rafter_simt_now.run_end = 0;
    rafter_simt_now.warp = runs_in_place_ ? warp_ : nullptr;
    return &wake(next, thread % 32);
  }
  block_->run_begin = thread;
  start_in_place(thread);
  return nullptr;
}

// In the natural order threads start one after the other, so all threads after this one can run in place.
void Worker::start_in_place(unsigned thread) {
  static_cast<rafter_simt::ThreadNumber&>(rafter_simt_now) = {block_->thread_index(thread), thread};
  rafter_simt_now.warp = nullptr;
  rafter_simt_now.run_end = runs_in_place_ ? block_->n_threads : 1;
}

void Worker::leave_kernel() {
  rafter_simt_now.inside = 0;
  rafter_simt_now.warp = nullptr;
}

std::optional<unsigned> Worker::next() {
  Block& block = *block_;
  std::minstd_rand* shuffle = shuffle_ ? &*shuffle_ : nullptr;
  for (;;) {
    if (const auto thread = block.pick(rafter_simt_now.linear, shuffle)) return thread;
    if (block.n_live == 0) {
      block.state = BlockState::finished;
      return std::nullopt;
    }
    const bool moved = block.progress != block.progress_at_yield;
    block.progress_at_yield = block.progress;
    if (!block.wake_yielded()) {
      if (block.at_grid_barrier == block.n_live) {
        if (block.n_live < block.n_threads) report_threads_gone(block);
        if (observing()) check_grid_barrier(block);
        block.state = BlockState::at_grid_barrier;
      } else if (grid_->has_clusters()) {
        block.state = BlockState::waiting;
      } else {
        report_deadlock(block);
        grid_->fail(launch_timeout);
      }
      return std::nullopt;
    }
    // The threads may also loop over a barrier while they wait for another block.
    if (!moved || ++rounds_ == rounds_per_slice) {
      block.state = BlockState::spinning;
      return std::nullopt;
    }
  }
}

// Picks the next thread and returns its context; the worker's own when no thread can run.
const Context& Worker::pick_context() {
  progress_.begin_slice();
  const auto thread = next();
  if (!thread) return run_on(main_);
  if (const Context* suspended = set_current(*thread)) return *suspended;
  if (Fiber* fiber = fibers_.take()) return run_on(*fiber);
  grid_->fail(out_of_memory);
  return run_on(main_);
}

ContextSwitch Worker::pick_switch(Thread& self) { return {&self.context, &pick_context()}; }

bool Worker::next_thread() {
  progress_.begin_slice();
  progress_.end_thread();
  const unsigned thread = rafter_simt_now.linear;
  if (!block_->is_prepared && thread + 1 == block_->n_threads) {  // all of them ran in place
    block_->n_live = 0;
    block_->progress += block_->n_threads;
    block_->state = BlockState::finished;
    pending_.reset();
    leave_kernel();  // until another thread runs
    return false;
  }
  catch_up();
  running_ = block_->threads[thread].fiber;
  if (Observer* observer = observing()) {
    observer->thread_ended(*block_, thread);
    block_->departed(thread, std::exchange(departure_, {}));
  }
  block_->exited(thread);
  if (block_->cluster) block_->cluster->exited(*block_, thread);
  if (Warp& warp = block_->warps[thread / 32]; warp.ready != 0 && in_natural_order_) [[likely]] {
    pending_ = (thread & ~31u) + static_cast<unsigned>(std::countr_zero(warp.ready));  // the choice of Block::pick
    warp.ready &= warp.ready - 1;
  } else {
    pending_ = next();
  }
  if (!pending_ || block_->threads[*pending_].fiber) {
    leave_kernel();
    return false;
  }
  set_current(*pending_);
  return true;
}

void Worker::catch_up_with_run() {
  const unsigned thread = rafter_simt_now.linear;
  block_->catch_up(thread);
  block_->threads[thread].fiber = running_;
  warp_ = &block_->warps[thread / 32];
  rafter_simt_now.warp = runs_in_place_ ? warp_ : nullptr;
  rafter_simt_now.lane = thread % 32;
  rafter_simt_now.run_end = 0;
}

void Worker::yield(const void* place) {
  rafter_simt_now.credit = next_credit();
  catch_up();
  block_->yielded(rafter_simt_now.linear);
  wait(Waiting::nothing, place);
}

void Worker::step(const void* place) {
  catch_up();
  const unsigned me = rafter_simt_now.linear, lane = me % 32;
  Warp& warp = *warp_;
  warp.step_behind[lane] = std::max(place, warp.step_place[lane]);
  warp.step_place[lane] = place;
  const unsigned next = warp.furthest_behind(warp.ready | 1u << lane);
  if (next == lane) return;
  warp.ready = (warp.ready & ~(1u << next)) | 1u << lane;
  Thread& self = block_->threads[me];
  self.place = place;
  self.waiting = Waiting::nothing;
  const Context* to = set_current(me - lane + next);
  if (!to) {
    Fiber* fiber = fibers_.take();
    if (!fiber) abandon(out_of_memory);
    to = &run_on(*fiber);
  }
  switch_stacks({&self.context, to});
}

void Worker::abandon(int error) {
  grid_->fail(error);
  Context forgotten;
  switch_context(forgotten, run_on(main_), &rafter_simt_now);
  __builtin_unreachable();
}

int Worker::barrier(const Block::Arrival& arrival) {
  catch_up();
  Block& block = *block_;
  if (!arrive(arrival)) wait(Waiting::barrier, arrival.place);
  return block.barriers[static_cast<unsigned>(arrival.id)].result;
}

void Worker::barrier_arrive(Block::Arrival arrival) {
  catch_up();
  if (arrival.expected == 0) arrival.expected = static_cast<int>(block_->n_threads);
  if (Observer* observer = observing())
    observer->partial_barrier_arrived(block_->barriers[static_cast<unsigned>(arrival.id)]);
  block_->arrive(rafter_simt_now.linear, arrival, false);
}

void Worker::grid_barrier(const void* place) {
  catch_up();
  if (!grid_->is_cooperative()) {
    report_unsupported("a grid-wide barrier in a launch that is not cooperative (cudaLaunchCooperativeKernel)", place);
    abandon(launch_failure);
  }
  ++block_->at_grid_barrier;
  ++block_->progress;
  wait(Waiting::grid, place);
}

std::uint64_t Worker::warp(const WarpCall& call) {
  catch_up();
  const unsigned lane = rafter_simt_now.linear % 32;
  Warp& warp = *warp_;
  if (!(call.mask >> lane & 1)) return outside_of_mask(call);
  if (!arrive(call)) wait(Waiting::warp, call.place);
  return warp.result(lane);
}

ContextSwitch Worker::warp_arrive(const WarpCall& call) {
  const unsigned lane = rafter_simt_now.lane;
  if (!(call.mask >> lane & 1)) {
    warp_->give(lane, outside_of_mask(call));
    return no_switch;
  }
  if (arrive(call)) return no_switch;
  return begin_wait(*warp_, Waiting::warp, call.place);
}

// The lane continues at once: no other lane waits for it.
std::uint64_t Worker::outside_of_mask(const WarpCall& call) {
  report_not_in_mask(*block_, rafter_simt_now.linear, call);
  return call.value;
}

bool Worker::arrive(const Block::Arrival& arrival) {
  if (!block_->arrive(rafter_simt_now.linear, arrival, true)) return false;
  progress_.begin_slice();
  return true;
}

bool Worker::arrive(const WarpCall& call) {
  const unsigned thread = rafter_simt_now.linear, lane = thread % 32;
  const unsigned lanes = warp_->arrive(lane, call);
  if (lanes == 0) return false;
  progress_.begin_slice();
  ++block_->progress;
  if (const unsigned others = lanes & ~(1u << lane)) block_->make_ready(thread / 32, others);
  return true;
}

void Worker::warp_exchange(unsigned mask, const void* mine, std::size_t bytes, void* all, const void* place) {
  catch_up();
  const unsigned thread = rafter_simt_now.linear;
  Warp& warp = *warp_;
  warp.exchanged[thread % 32] = mine;
  const WarpCall meet{WarpOp::ballot, mask, 1, 0, 32, place};
  this->warp(meet);
  auto* to = static_cast<std::byte*>(all);
  for (unsigned lane = 0; lane < 32; ++lane, to += bytes) {
    if (mask >> lane & 1 && warp.live >> lane & 1) {
      std::memcpy(to, warp.exchanged[lane], bytes);
    } else {
      std::memset(to, 0, bytes);
    }
  }
  this->warp(meet);  // no lane continues before all have read
}

unsigned Worker::active_mask(int line, const void* place) {
  catch_up();
  const unsigned thread = rafter_simt_now.linear, lane = thread % 32;
  Warp& warp = *warp_;
  warp.asking_active |= 1u << lane;
  warp.asking_line[lane] = line;
  wait(Waiting::active_mask, place);
  return warp.active_result[lane];
}

}  // namespace rafter::simt

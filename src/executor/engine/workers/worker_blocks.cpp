// The block scheduler of a worker: which block it runs next, and the switch from one block to another.
#include <time.h>

#include <algorithm>
#include <thread>

#include "executor/engine/async/async_findings.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/sync_findings.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {

namespace {

/// The processor time of this OS thread: a spinning worker that the machine does not schedule is not stuck.
double processor_time_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

// Starts the next block on the same fiber after a block that ran all threads in place.
bool Worker::next_block_in_place() {
  Block& block = *block_;
  if (pending_ || block.is_prepared || block.state != BlockState::finished || resident_.size() != 1) return false;
  if (!runs_in_place_ || grid_->error()) return false;
  const auto linear = grid_->take_block();
  if (!linear) return false;
  block.restart(grid_->block_index(*linear), *linear, grid_->launch());
  blockIdx = block.index;
  start_in_place(0);
  rafter_simt_now.inside = 1;
  return true;
}

// Blocks that run all threads in one loop are taken several at a time. No other state records them: they neither wait
// nor end one by one.
unsigned Worker::next_blocks_of_loop(uint3& index, bool several) {
  Block& block = *block_;
  if (loop_blocks_left_ == 0) {
    if (resident_.size() != 1 || grid_->has_clusters() || grid_->error()) return 0;
    const auto [first, n] = grid_->take_blocks(number_);
    if (n == 0) return 0;
    loop_blocks_left_ = n;
    next_of_loop_ = first;
  }
  block.linear = next_of_loop_;
  block.index = index = grid_->block_index(next_of_loop_);
  const std::int64_t in_row = grid_->launch().grid.x - index.x;
  const std::int64_t n = several ? std::min(loop_blocks_left_, in_row) : 1;
  loop_blocks_left_ -= n;
  next_of_loop_ += n;
  return current_thread.n_row_blocks = static_cast<unsigned>(n);
}

void Worker::run(Grid& grid) {
  grid_ = &grid;
  current_thread.kernel = grid.launch().kernel;
  current_thread.in_place = &shared_ranges_;
  progress_.begin_launch();
  look_for_modules();
  chosen_ = idle_slices_ = stuck_slices_ = 0;
  run_ = {0, 0};
  shuffle_.reset();
  preemption_.reset();
  in_step_ = options().in_step;
  if (options().schedule)
    for (auto* generator : {&shuffle_, &preemption_})
      generator->emplace(static_cast<std::minstd_rand::result_type>(*options().schedule % 2147483646 + 1));
  in_natural_order_ = !shuffle_ && !in_step_;
  runs_in_place_ = in_natural_order_ && !observing();
  set_busy(true);
  while (!grid.error()) {
    Block* block = choose_block();
    if (!block) break;
    enter(*block);
    run_block();
    settle(*block);
  }
  set_busy(false);
  if (grid.error()) {
    fibers_.reset();
    for (auto& block : resident_) {
      block->forget();
      spare_.push_back(std::move(block));
    }
    resident_.clear();
  }
  loaded_ = block_ = nullptr;
  current_thread = {};
}

Block& Worker::make_resident(uint3 index) {
  if (spare_.empty()) spare_.push_back(std::make_unique<Block>());
  resident_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  Block& block = *resident_.back();
  block.restart(index, grid_->linear(index), grid_->launch());
  return block;
}

// Adjacent blocks access adjacent memory, so workers that share a checked launch take ranges of blocks.
std::optional<std::int64_t> Worker::next_start() {
  if (grid_->n_sharing() == 1) return grid_->take_block();
  if (run_.n == 0) run_ = grid_->take_range();
  if (run_.n == 0) return std::nullopt;
  --run_.n;
  return run_.first++;
}

Block* Worker::start_block() {
  const bool waits_for_next = !resident_.empty() && stuck_slices_ >= resident_.size();
  const auto number = next_start();
  if (!number) return nullptr;
  const bool is_checked = observing() && in_natural_order_ && !grid_->is_cooperative();
  if (waits_for_next && is_checked && !can_start_another()) return nullptr;
  idle_slices_ = capped_slices_ = stuck_slices_ = 0;
  set_busy(true);
  if (grid_->has_clusters()) return start_cluster(*number);
  chosen_ = resident_.size();
  return &make_resident(grid_->block_index(*number));
}

/// Called when all blocks that have started wait for one that has not. If no more fit on the device, reports that and
/// ends the launch, which would not end on a GPU.
bool Worker::can_start_another() {
  const std::int64_t most = grid_->n_resident_at_most();
  if (most == 0 || static_cast<std::int64_t>(resident_.size()) < most) return true;
  report_too_many_blocks(*resident_[chosen_ % resident_.size()], *grid_);
  grid_->fail(launch_timeout);
  return false;
}

// The worker runs one block at a time until it spins. Spinning blocks alternate. When none of them makes progress, and
// no block of other workers does, the next block starts: it may be the one they wait for. All blocks of a cooperative
// grid start at once, and so do those of a cluster.
Block* Worker::choose_block() {
  set_busy(resident_.empty() || (idle_slices_ < resident_.size() && capped_slices_ < 4 * resident_.size()));
  if (resident_.empty() || grid_->is_cooperative() || !grid_->is_any_worker_busy()) {
    if (Block* block = start_block()) return block;
  }
  if (resident_.empty()) return nullptr;
  if (!is_busy_ && grid_->is_any_worker_busy()) std::this_thread::yield();  // busy workers may need this core
  const Block* waiting = nullptr;
  for (std::size_t i = 0; i < resident_.size(); ++i) {
    chosen_ = (chosen_ + 1) % resident_.size();
    if (is_runnable(*resident_[chosen_])) {
      stop_when_stuck();
      return resident_[chosen_].get();
    }
    if (resident_[chosen_]->state == BlockState::waiting) waiting = resident_[chosen_].get();
  }
  if (waiting) {
    report_cluster_deadlock(*waiting->cluster);
    grid_->fail(launch_timeout);
    return nullptr;
  }
  release_grid_barrier();
  while (!is_runnable(*resident_[chosen_])) chosen_ = (chosen_ + 1) % resident_.size();
  return resident_[chosen_].get();
}

bool Worker::is_runnable(const Block& block) const {
  switch (block.state) {
    case BlockState::finished:
    case BlockState::at_grid_barrier: return false;
    case BlockState::waiting: return block.has_ready();
    default: return true;
  }
}

void Worker::enter(Block& block) {
  if (loaded_ != &block) {
    if (loaded_) loaded_->shared_image.save(shared_ranges_);
    if (!block.shared_image.is_empty()) block.shared_image.load(shared_ranges_);
    loaded_ = &block;
  }
  block_ = &block;
  current_thread.block = &block.index;
  current_thread.homes = grid_->has_clusters() ? &block.shared_image.ranges() : nullptr;
  blockIdx = block.index;
  const dim3 &shape = grid_->launch().block, &grid = grid_->launch().grid;
  blockDim = {shape.x, shape.y, shape.z};
  gridDim = {grid.x, grid.y, grid.z};
  rafter_simt_now.dynamic_shared = block.dynamic_base();
  rafter_simt_now.shared_bytes = grid_->launch().shared_bytes;
  rafter_simt_now.credit = next_credit();
  // A time limit applies to each thread, so that threads must not run in one loop.
  loop_blocks_left_ = 0;
  current_thread.n_row_blocks = 1;
  rafter_simt_now.loop = runs_in_place_ && options().time_limit_s <= 0 && !block.is_prepared ? 1 : 0;
  if (Observer* observer = observing()) observer->block_entered(block);
}

void Worker::run_block() {
  const std::uint64_t before = block_->progress, changes = block_->n_changes;
  progress_.begin_slice();
  block_->state = BlockState::running;
  rounds_ = 0;
  rafter_simt_now.linear = 0;
  rafter_simt_now.inside = 1;
  if (!block_->is_prepared && runs_in_place_) {
    start_in_place(0);
    start_fiber();
  } else {
    if (!block_->is_prepared) block_->prepare();
    if (const auto thread = next()) {
      const Context* to = set_current(*thread);
      if (to) {
        switch_context(main_.context, *to, &rafter_simt_now);
      } else {
        start_fiber();
      }
    }
  }
  leave_kernel();
  if (Observer* observer = observing()) observer->block_left(*block_);
  stuck_slices_ = block_->progress == before && block_->n_changes == changes ? stuck_slices_ + 1 : 0;
  if (block_->progress != before) {
    grid_->count_progress();
    idle_slices_ = 0;
    capped_slices_ = block_->state == BlockState::spinning ? capped_slices_ + 1 : 0;
  } else if (idle_slices_++ == 0 || grid_->progress() != spinning_progress_) {
    spinning_since_s_ = processor_time_s();
    spinning_progress_ = grid_->progress();
  }
}

void Worker::start_fiber() {
  if (Fiber* fiber = fibers_.take()) {
    switch_context(main_.context, run_on(*fiber), &rafter_simt_now);
  } else {
    grid_->fail(out_of_memory);
  }
}

void Worker::settle(Block& block) {
  if (block.state != BlockState::finished) return;
  end_copies(block);
  if (!grid_->has_clusters()) return retire(block);
  // Its shared memory lives as long as the cluster, so that the checkers can report accesses to it, which fail on a
  // GPU.
  if (Observer* observer = observing()) observer->left_cluster(block);
  const std::shared_ptr<Cluster> cluster = block.cluster;
  cluster->complete_if_due();
  if (!cluster->is_over()) return;
  for (unsigned rank = 0; rank < cluster->size(); ++rank) retire(cluster->block(rank));
}

void Worker::retire(Block& block) {
  if (Observer* observer = observing()) observer->block_ended(block);
  if (loaded_ == &block) loaded_ = nullptr;
  const auto at =
      std::find_if(resident_.begin(), resident_.end(), [&](const auto& one) { return one.get() == &block; });
  spare_.push_back(std::move(*at));
  resident_.erase(at);
  chosen_ = 0;
}

void Worker::release_grid_barrier() {
  const auto is_waiting = [](const auto& block) { return block->state == BlockState::at_grid_barrier; };
  if (std::count_if(resident_.begin(), resident_.end(), is_waiting) < grid_->n_blocks())
    report_blocks_gone(**std::find_if(resident_.begin(), resident_.end(), is_waiting));
  for (auto& block : resident_) {
    if (block->state != BlockState::at_grid_barrier) continue;
    ++block->epoch;
    block->epoch_at_grid_barrier = block->epoch;
    block->at_grid_barrier = 0;
    block->state = BlockState::running;
    for (unsigned thread = 0; thread < block->n_threads; ++thread) {
      if (std::exchange(block->threads[thread].waiting, Waiting::nothing) != Waiting::grid) continue;
      block->make_ready(thread / 32, 1u << (thread % 32));
    }
    if (Observer* observer = observing()) observer->grid_barrier_released(*block);
  }
}

void Worker::set_busy(bool is_busy) {
  if (is_busy == is_busy_) return;
  is_busy_ = is_busy;
  is_busy ? grid_->worker_became_busy() : grid_->worker_became_idle();
}

void Worker::stop_when_stuck() {
  if (idle_slices_ <= resident_.size() || grid_->has_blocks_left()) return;
  if (grid_->is_any_worker_busy()) spinning_since_s_ = processor_time_s();
  const double limit = options().patience_s();
  if (processor_time_s() - spinning_since_s_ < limit) return;
  report_no_progress(*resident_[chosen_], limit);
  grid_->fail(launch_timeout);
}

}  // namespace rafter::simt

#include "executor/check/races/race_checker.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "executor/check/races/race_fast_path.hpp"
#include "executor/engine/workers/worker.hpp"

namespace rafter::simt {
namespace {

/// Returns the record for the cell of one byte.
Record whole(const Record& record) { return {record.accessor, record.details | 15}; }

}  // namespace

void RaceChecker::launch_began(Grid& grid, Numbers numbers) {
  grid_ = &grid;
  open_ = nullptr;
  set_simple(!grid.is_cooperative() && !grid.has_clusters());
  first_segment_ = numbers.first;
  shift_ = numbers.shift;
  is_shared_ = grid.n_sharing() > 1;
  segments_.clear();
  next_segment_ = first_segment_;
  release_log_.clear();
  known_.clear();
  at_grid_barrier_.clear();
  remote_accesses_.clear();
  known_pairs_.clear();
  n_agents_ = 0;
  proxy_fences_.clear();
  critical_sections_.clear();
  volatile_pairs_.clear();
  unfenced_pairs_.clear();
  n_forgotten_ = 0;
  lists_readers_ = !is_shared_ && may_order_pairwise(grid);
}

bool RaceChecker::may_order_pairwise(const Grid& grid) const {
  const auto before = ordered_pairwise_.find(grid.launch().kernel);
  return !grid.launch().independent_blocks && (before == ordered_pairwise_.end() || before->second);
}

std::uint32_t RaceChecker::accessor_id() { return agent_ ? agent_->number : running_thread_id(); }

void RaceChecker::begin_segment(Warp& warp) {
  if (is_shared_ && next_segment() > most_segments - (2u << shift_)) this_worker()->abort_speculation();
  warp.segment = next_segment();
  warp.segment_epoch = block_->epoch;
  warp.segment_time = warp.clock.time();
  add_segment({number(*block_), rafter_simt_now.linear / 32, block_->epoch, warp.clock.time()});
}

Moment RaceChecker::moment_of(const Block& block, unsigned thread) const {
  const WarpClock& clock = block.warps[thread / 32].clock;
  Moment moment{number(block), thread, block.epoch, clock.time(), clock.view(thread % 32)};
  if (block.cluster) {
    moment.cluster = release_log_.cluster_of(number(block));
    moment.n_cluster_waits = block.cluster->n_waits(block, thread);
  }
  return moment;
}

// The first worker owns the lists of readers. Other workers meet only lists of earlier launches, which they ignore.
Cell RaceChecker::load(const Cells& cells, std::size_t at, SegmentRange valid) const {
  Cell cell = cells.load(at, valid);
  if (is_shared_ && cell.more_reads.accessor == Cell::reader_list) cell.read = cell.more_reads = {};
  return cell;
}

void RaceChecker::access(const Access& access, const Found& found, const Agent* agent) {
  agent_ = agent;
  word_ = found.address;
  Shadow& shadow = *found.shadow;
  const std::uint32_t accessor = accessor_id();
  const std::uint32_t details = sites_.number(access.place) << 6 | static_cast<std::uint32_t>(access.mode) << 4;
  if (access.mode == AccessMode::volatile_) {
    const unsigned thread = rafter_simt_now.linear;
    volatile_places_.executed(thread, warp_phase(*block_, thread / 32), sites_.number(access.place));
  }
  if (access.mode != AccessMode::plain && access.reads && !release_log_.is_unused())
    release_log_.acquire(found.address, now());
  if (Warp& warp = block_->warps[rafter_simt_now.linear / 32]; warp.unfenced_lock_lanes && !agent) [[unlikely]] {
    const unsigned lane = 1u << rafter_simt_now.linear % 32;
    const bool is_data = access.mode == AccessMode::plain || access.mode == AccessMode::volatile_;
    if ((warp.unfenced_lock_lanes & lane) && is_data && !critical_sections_.accessed(thread_here(), found.address))
      warp.unfenced_lock_lanes &= ~lane;
  }
  reported_ = false;
  const std::size_t first = static_cast<std::size_t>(found.address - shadow.base);
  for (std::size_t at = first, end = first + access.bytes; at < end;) {
    const std::size_t stop = std::min(end, (at / 4 + 1) * 4);
    const auto mask = static_cast<std::uint32_t>(((1u << (stop - at)) - 1) << at % 4);
    const std::size_t from = at - first;
    const std::uint32_t bytes = from < 32 ? ((1u << (stop - at)) - 1) << from : 0;
    const WordAccess word_access{access, found.space, valid_from(found.first_segment), shadow, at / 4, bytes};
    Cell cell = load(shadow.cells, at / 4, word_access.valid);
    const bool is_async = agent && agent->proxy == Agent::Proxy::async;
    const Writes writes = is_async ? writes_of(cell, word_access) : Writes{};
    check_cell(cell, {accessor, details | mask}, word_access);
    shadow.cells.store(at / 4, cell, word_access.valid);
    if (is_async) [[unlikely]] {
      for (const Record& write : writes) check_proxy(write, word_access);
    }
    at = stop;
  }
  agent_ = nullptr;
  if (access.mode == AccessMode::volatile_ && access.writes) release_log_.release(found.address, now());
}

void RaceChecker::check_cell(Cell& cell, const Record& mine, const WordAccess& word_access) {
  const auto fresh = [&](const Record& record) { return word_access.valid.contains(record); };
  if (cell.more_reads.accessor == Cell::split) return check_bytes(cell, mine, word_access);
  const auto is_part = [&](const Record& r) { return fresh(r) && r.bytes() != 15; };
  if (mine.bytes() != 15 || is_part(cell.write) || is_part(cell.read) || is_part(cell.atomic)) {
    // The bytes of the word were not accessed together: they get separate cells.
    const auto differs = [&](const Record& r) { return fresh(r) && r.bytes() != mine.bytes(); };
    bool is_split = differs(cell.write) || differs(cell.atomic);
    readers_.for_each(cell, word_access.valid,
                      [&](const WarpReaders& warp) { is_split = is_split || differs(warp.any()); });
    if (is_split) return check_bytes(cell, mine, word_access);
  }
  const bool has_write = fresh(cell.write), has_atomic = fresh(cell.atomic);
  const bool is_atomic_last = cell.atomic.is_after_write();
  if (has_write && cell.write.accessor != mine.accessor)
    check_record({cell.write, true, !has_atomic || !is_atomic_last}, mine, word_access);
  if (has_atomic && cell.atomic.accessor != mine.accessor) {
    // A plain volatile store, not a read-modify-write.
    const bool stores = cell.atomic.mode() == static_cast<unsigned>(AccessMode::volatile_);
    check_record({cell.atomic, true, stores && (!has_write || is_atomic_last)}, mine, word_access);
  }
  if (word_access.access.writes) {
    check_readers(cell, mine, word_access);
    if (mine.mode()) {
      cell.atomic = {mine.accessor, mine.details | Record::after_write};
    } else {
      cell.write = mine;
      cell.atomic.details &= ~Record::after_write;
    }
  } else {
    add_reader(cell, mine, word_access.valid);
  }
}

void RaceChecker::check_record(const EarlierAccess& earlier, const Record& mine, const WordAccess& word_access) {
  const Record& r = earlier.record;
  const Conflict conflict = conflict_of(r, mine);
  if (conflict == Conflict::none || is_ordered(r)) return;
  const std::uint64_t pair = pair_of(r, mine);
  if (conflict == Conflict::race ? known_pairs_.contains(pair) : volatile_pairs_.find(pair, word_)) {
    // The pair is known to race, so no search is needed.
    if (conflict == Conflict::race) report_race(earlier, mine, word_access);
    return;
  }
  is_pairwise_ = true;
  const bool any_plain = r.mode() == 0 || mine.mode() == 0;
  switch (order_of(r, any_plain ? FenceRequirement::acquire : FenceRequirement::lock_acquire, pair)) {
    case Order::fenced: return;
    case Order::unfenced: return report_unfenced(earlier, mine, word_access);
    case Order::none: break;
  }
  conflict == Conflict::race ? report_race(earlier, mine, word_access) : add_volatile_pair(earlier, mine, word_access);
}

// A plain write that is ordered after all reads replaces them: what is ordered after the write is ordered after the
// reads.
void RaceChecker::check_readers(Cell& cell, const Record& mine, const WordAccess& word_access) {
  if (!word_access.valid.contains(cell.read)) return;
  is_pairwise_ = false;
  const bool met_in_part = block_->warps[rafter_simt_now.linear / 32].clock.has_met_in_part();
  const bool had_reported = reported_;
  readers_.for_each(cell, word_access.valid, [&](const WarpReaders& warp) {
    if (is_ordered_by_barrier(segment_of(warp.any()))) return;
    is_pairwise_ = is_pairwise_ || met_in_part;
    for (std::uint32_t lanes = warp.lanes; lanes; lanes &= lanes - 1) {
      const Record read = warp.record(static_cast<unsigned>(std::countr_zero(lanes)));
      if (read.accessor != mine.accessor) check_record({read, false, false}, mine, word_access);
    }
  });
  const bool races = reported_ && !had_reported;
  if (!races && is_pairwise_ && readers_.may_have_forgotten(cell, lists_readers_)) ++n_forgotten_;
  if (!races && mine.mode() == 0) readers_.forget(cell);
}

void RaceChecker::add_reader(Cell& cell, const Record& mine, SegmentRange valid) {
  if (is_shared_ && lists_readers_now()) this_worker()->abort_speculation();  // the first worker owns the lists
  const auto warp_of = [&](const Record& r) {
    const Segment& segment = segment_of(r);
    return std::uint64_t{segment.block} << 32 | segment.warp;
  };
  readers_.add(
      cell, mine, {valid, lists_readers_now()}, [&](const Record& r) { return is_ordered(r); }, warp_of);
}

// Gives each byte of the word its own cell, with the records of the word.
void RaceChecker::split(Cell& cell, const WordAccess& word_access) {
  const auto never = [](const Record&) { return false; };
  const auto apart = [](const Record& r) { return std::uint64_t{r.accessor}; };
  const auto [cells, first] = word_access.shadow.byte_cells.of(word_access.word);
  for (unsigned byte = 0; byte < 4; ++byte) {
    Cell own = cells.load(first + byte, word_access.valid);
    if (!is_shared_) readers_.forget(own);
    own = {};
    if (cell.write.bytes() >> byte & 1) own.write = whole(cell.write);
    if (cell.atomic.bytes() >> byte & 1) own.atomic = whole(cell.atomic);
    readers_.for_each(cell, word_access.valid, [&](const WarpReaders& warp) {
      for (std::uint32_t lanes = warp.lanes; lanes; lanes &= lanes - 1) {
        const Record read = warp.record(static_cast<unsigned>(std::countr_zero(lanes)));
        if (read.bytes() >> byte & 1) readers_.add(own, whole(read), {word_access.valid, true}, never, apart);
      }
    });
    cells.store(first + byte, own, word_access.valid);
  }
  readers_.forget(cell);
}

void RaceChecker::check_bytes(Cell& cell, const Record& mine, const WordAccess& word_access) {
  if (cell.more_reads.accessor != Cell::split) split(cell, word_access);
  cell = {.write = {mine.accessor, 0}, .atomic = {}, .read = {}, .more_reads = {Cell::split, 0}};
  WordAccess one = word_access;
  std::uint32_t left = word_access.bytes;  // bytes of the access that are left
  const auto [cells, first] = word_access.shadow.byte_cells.of(word_access.word);
  for (unsigned byte = 0; byte < 4; ++byte) {
    if (!(mine.bytes() >> byte & 1)) continue;
    one.bytes = left & ~(left - 1);
    left &= left - 1;
    Cell own = load(cells, first + byte, word_access.valid);
    check_cell(own, whole(mine), one);
    cells.store(first + byte, own, word_access.valid);
  }
}

CriticalSections::Thread RaceChecker::thread_here() const {
  const unsigned thread = rafter_simt_now.linear;
  return {&block_->warps[thread / 32], thread % 32, block_->linear};
}

void RaceChecker::atomic_done(const void* address, rafter_simt::Effect effect) {
  if (is_shared_) this_worker()->abort_speculation();
  if (effect == rafter_simt::Effect::none) return;
  const bool swapped = effect == rafter_simt::Effect::swapped;
  release_log_.release(address, now(), swapped ? nullptr : critical_sections_.early_accesses(thread_here(), address));
  if (!swapped) return;
  release_log_.lock_taken(address);
  critical_sections_.entered(thread_here(), address);
  block_->warps[rafter_simt_now.linear / 32].unfenced_lock_lanes |= 1u << rafter_simt_now.linear % 32;
}

// A compare-and-swap that is an acquire needs no fence after it.
void RaceChecker::acquired(const void* address, rafter_simt::Scope scope) {
  const bool is_wide = scope >= rafter_simt::Scope::device;
  release_log_.acquire(address, now(),
                       is_wide ? ReleaseAcquireLog::ReadOrder::acquire : ReleaseAcquireLog::ReadOrder::block_acquire);
  Warp& warp = block_->warps[rafter_simt_now.linear / 32];
  const unsigned lane = 1u << rafter_simt_now.linear % 32;
  if ((warp.unfenced_lock_lanes & lane) && critical_sections_.is_inside(thread_here(), address) &&
      !critical_sections_.fenced(thread_here(), scope)) {
    warp.unfenced_lock_lanes &= ~lane;
  }
}

void RaceChecker::fence(rafter_simt::Scope scope) {
  if (is_shared_) this_worker()->abort_speculation();
  release_log_.fence(now(), scope);
  Warp& warp = block_->warps[rafter_simt_now.linear / 32];
  const unsigned lane = 1u << rafter_simt_now.linear % 32;
  if ((warp.unfenced_lock_lanes & lane) && !critical_sections_.fenced(thread_here(), scope))
    warp.unfenced_lock_lanes &= ~lane;
  warp.clock.tick();
}

void RaceChecker::partial_barrier_arrived(const Barrier& barrier) {
  if (is_shared_) this_worker()->abort_speculation();
  release_log_.release_at_barrier(&barrier, now());
  block_->warps[rafter_simt_now.linear / 32].clock.tick();
}

void RaceChecker::partial_barrier_completed(Block& block, const Barrier& barrier) {
  if (is_shared_) this_worker()->abort_speculation();
  const auto for_waiting = [&](auto&& f) {
    for (unsigned thread = 0; thread < block.n_threads; ++thread) {
      if (!(barrier.waiting[thread / 32] >> thread % 32 & 1)) continue;
      f(moment_of(block, thread));
    }
  };
  for_waiting([&](const Moment& moment) { release_log_.release_at_barrier(&barrier, moment); });
  for_waiting(
      [&](const Moment& moment) { release_log_.acquire(&barrier, moment, ReleaseAcquireLog::ReadOrder::acquire); });
  for (unsigned w = 0; w * 32 < block.n_threads; ++w) {
    if (barrier.waiting[w]) block.warps[w].clock.tick();
  }
}

void RaceChecker::grid_barrier_released(const Block& block) {
  at_grid_barrier_[static_cast<std::uint32_t>(block.linear)] = block.epoch_at_grid_barrier;
}

}  // namespace rafter::simt

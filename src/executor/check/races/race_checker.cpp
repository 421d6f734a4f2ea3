#include "executor/check/races/race_checker.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "executor/check/races/quick_look.hpp"
#include "executor/engine/workers/worker.hpp"

namespace rafter::simt {
namespace {

/// In the cell of a byte, which it covers whole.
Record whole(const Record& record) { return {record.who, record.what | 15}; }

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
  hand_over_.clear();
  known_.clear();
  at_grid_barrier_.clear();
  remote_.clear();
  known_pairs_.clear();
  n_agents_ = 0;
  proxy_fences_.clear();
  lock_entries_.clear();
  volatile_pairs_.clear();
  unfenced_pairs_.clear();
  n_forgotten_ = 0;
  lists_readers_ = !is_shared_ && may_go_one_by_one(grid);
}

bool RaceChecker::may_go_one_by_one(const Grid& grid) const {
  const auto before = went_one_by_one_.find(grid.launch().kernel);
  return !grid.launch().independent_blocks && (before == went_one_by_one_.end() || before->second);
}

std::uint32_t RaceChecker::me() { return agent_ ? agent_->number : me_quickly(); }

void RaceChecker::begin_segment(Warp& warp) {
  if (is_shared_ && next_segment() > most_segments - (2u << shift_)) this_worker()->leave_trial();
  warp.segment = next_segment();
  warp.segment_epoch = block_->epoch;
  warp.segment_time = warp.clock.time();
  add_segment({number(*block_), rafter_simt_now.linear / 32, block_->epoch, warp.clock.time()});
}

Moment RaceChecker::moment_of(const Block& block, unsigned thread) const {
  const WarpClock& clock = block.warps[thread / 32].clock;
  Moment moment{number(block), thread, block.epoch, clock.time(), clock.view(thread % 32)};
  if (block.cluster) {
    moment.cluster = hand_over_.cluster_of(number(block));
    moment.n_cluster_waits = block.cluster->n_waits(block, thread);
  }
  return moment;
}

// Lists of readers are the first worker's: who shares a launch meets only those of launches before.
Cell RaceChecker::load(const Cells& cells, std::size_t at, Segments counting) const {
  Cell cell = cells.load(at, counting);
  if (is_shared_ && cell.more_reads.who == Cell::of_list) cell.read = cell.more_reads = {};
  return cell;
}

void RaceChecker::access(const Access& access, const Found& found, const Agent* agent) {
  agent_ = agent;
  word_ = found.address;
  Shadow& shadow = *found.shadow;
  const std::uint32_t who = me();
  const std::uint32_t what = sites_.number(access.place) << 6 | static_cast<std::uint32_t>(access.how) << 4;
  if (access.how != How::plain && access.reads && !hand_over_.is_unused()) hand_over_.acquire(found.address, now());
  if (Warp& warp = block_->warps[rafter_simt_now.linear / 32]; warp.taking && !agent) [[unlikely]] {
    const unsigned lane = 1u << rafter_simt_now.linear % 32;
    const bool is_data = access.how == How::plain || access.how == How::volatile_;
    if ((warp.taking & lane) && is_data && !lock_entries_.touched(thread_here(), found.address)) warp.taking &= ~lane;
  }
  reported_ = false;
  const std::size_t first = static_cast<std::size_t>(found.address - shadow.base);
  for (std::size_t at = first, end = first + access.bytes; at < end;) {
    const std::size_t stop = std::min(end, (at / 4 + 1) * 4);
    const auto mask = static_cast<std::uint32_t>(((1u << (stop - at)) - 1) << at % 4);
    const std::size_t from = at - first;
    const std::uint32_t bytes = from < 32 ? ((1u << (stop - at)) - 1) << from : 0;
    const Look look{access, found.space, counting_from(found.first_segment), shadow, at / 4, bytes};
    Cell cell = load(shadow.cells, at / 4, look.counting);
    const bool is_async = agent && agent->proxy == Agent::Proxy::async;
    const Writes writes = is_async ? writes_of(cell, look) : Writes{};
    check_cell(cell, {who, what | mask}, look);
    shadow.cells.store(at / 4, cell, look.counting);
    if (is_async) [[unlikely]] {
      for (const Record& write : writes) check_proxy(write, look);
    }
    at = stop;
  }
  agent_ = nullptr;
  if (access.how == How::volatile_ && access.writes) hand_over_.release(found.address, now());
}

void RaceChecker::check_cell(Cell& cell, const Record& mine, const Look& look) {
  const auto fresh = [&](const Record& record) { return look.counting.hold(record); };
  if (cell.more_reads.who == Cell::split) return check_bytes(cell, mine, look);
  const auto is_part = [&](const Record& r) { return fresh(r) && r.bytes() != 15; };
  if (mine.bytes() != 15 || is_part(cell.write) || is_part(cell.read) || is_part(cell.atomic)) {
    // Bytes of one word that were not touched together: their pasts are kept apart from here on.
    const auto differs = [&](const Record& r) { return fresh(r) && r.bytes() != mine.bytes(); };
    bool is_split = differs(cell.write) || differs(cell.atomic);
    readers_.for_each(cell, look.counting,
                      [&](const ReadersOfWarp& warp) { is_split = is_split || differs(warp.any()); });
    if (is_split) return check_bytes(cell, mine, look);
  }
  const bool has_write = fresh(cell.write), has_atomic = fresh(cell.atomic);
  const bool is_atomic_last = cell.atomic.is_after_write();
  if (has_write && cell.write.who != mine.who)
    check_record({cell.write, true, !has_atomic || !is_atomic_last}, mine, look);
  if (has_atomic && cell.atomic.who != mine.who) {
    const bool stores = cell.atomic.how() == static_cast<unsigned>(How::volatile_);  // an update does more
    check_record({cell.atomic, true, stores && (!has_write || is_atomic_last)}, mine, look);
  }
  if (look.access.writes) {
    check_readers(cell, mine, look);
    if (mine.how()) {
      cell.atomic = {mine.who, mine.what | Record::after_write};
    } else {
      cell.write = mine;
      cell.atomic.what &= ~Record::after_write;
    }
  } else {
    add_reader(cell, mine, look.counting);
  }
}

void RaceChecker::check_record(const Earlier& earlier, const Record& mine, const Look& look) {
  const Record& r = earlier.record;
  const Meet meet = meeting(r, mine);
  if (meet == Meet::never_race || is_ordered(r)) return;
  const std::uint64_t pair = pair_of(r, mine);
  if (meet == Meet::race ? known_pairs_.contains(pair) : volatile_pairs_.met_again(pair, word_)) {
    if (meet == Meet::race) report_race(earlier, mine, look);  // it need not be searched again
    return;
  }
  is_one_by_one_ = true;
  const bool any_plain = r.how() == 0 || mine.how() == 0;
  switch (order_of(r, any_plain ? Demand::acquire : Demand::lock_acquire, pair)) {
    case Order::fenced: return;
    case Order::unfenced: return report_unfenced(earlier, mine, look);
    case Order::none: break;
  }
  meet == Meet::race ? report_race(earlier, mine, look) : note_volatile(earlier, mine, look);
}

// A plain write that comes after every read stands for them: who is ordered after it is ordered after them.
void RaceChecker::check_readers(Cell& cell, const Record& mine, const Look& look) {
  if (!look.counting.hold(cell.read)) return;
  is_one_by_one_ = false;
  const bool met_in_part = block_->warps[rafter_simt_now.linear / 32].clock.has_met_in_part();
  const bool had_reported = reported_;
  readers_.for_each(cell, look.counting, [&](const ReadersOfWarp& warp) {
    if (is_ordered_by_barrier(segment_of(warp.any()))) return;
    is_one_by_one_ = is_one_by_one_ || met_in_part;
    for (std::uint32_t lanes = warp.lanes; lanes; lanes &= lanes - 1) {
      const Record read = warp.record(static_cast<unsigned>(std::countr_zero(lanes)));
      if (read.who != mine.who) check_record({read, false, false}, mine, look);
    }
  });
  const bool races = reported_ && !had_reported;
  if (!races && is_one_by_one_ && readers_.may_have_forgotten(cell, lists_readers_)) ++n_forgotten_;
  if (!races && mine.how() == 0) readers_.forget(cell);
}

void RaceChecker::add_reader(Cell& cell, const Record& mine, Segments counting) {
  if (is_shared_ && lists_readers_now()) this_worker()->leave_trial();  // lists are the first worker's
  const auto warp_of = [&](const Record& r) {
    const Segment& segment = segment_of(r);
    return std::uint64_t{segment.block} << 32 | segment.warp;
  };
  readers_.add(
      cell, mine, {counting, lists_readers_now()}, [&](const Record& r) { return is_ordered(r); }, warp_of);
}

// Gives each byte of the word a cell of its own, with the past of the word.
void RaceChecker::split(Cell& cell, const Look& look) {
  const auto never = [](const Record&) { return false; };
  const auto apart = [](const Record& r) { return std::uint64_t{r.who}; };
  const auto [cells, first] = look.shadow.byte_cells.of(look.word);
  for (unsigned byte = 0; byte < 4; ++byte) {
    Cell own = cells.load(first + byte, look.counting);
    if (!is_shared_) readers_.forget(own);
    own = {};
    if (cell.write.bytes() >> byte & 1) own.write = whole(cell.write);
    if (cell.atomic.bytes() >> byte & 1) own.atomic = whole(cell.atomic);
    readers_.for_each(cell, look.counting, [&](const ReadersOfWarp& warp) {
      for (std::uint32_t lanes = warp.lanes; lanes; lanes &= lanes - 1) {
        const Record read = warp.record(static_cast<unsigned>(std::countr_zero(lanes)));
        if (read.bytes() >> byte & 1) readers_.add(own, whole(read), {look.counting, true}, never, apart);
      }
    });
    cells.store(first + byte, own, look.counting);
  }
  readers_.forget(cell);
}

void RaceChecker::check_bytes(Cell& cell, const Record& mine, const Look& look) {
  if (cell.more_reads.who != Cell::split) split(cell, look);
  cell = {.write = {mine.who, 0}, .atomic = {}, .read = {}, .more_reads = {Cell::split, 0}};
  Look one = look;
  std::uint32_t left = look.bytes;  // of the access
  const auto [cells, first] = look.shadow.byte_cells.of(look.word);
  for (unsigned byte = 0; byte < 4; ++byte) {
    if (!(mine.bytes() >> byte & 1)) continue;
    one.bytes = left & ~(left - 1);
    left &= left - 1;
    Cell own = load(cells, first + byte, look.counting);
    check_cell(own, whole(mine), one);
    cells.store(first + byte, own, look.counting);
  }
}

LockEntries::Thread RaceChecker::thread_here() const {
  const unsigned thread = rafter_simt_now.linear;
  return {&block_->warps[thread / 32], thread % 32, block_->linear};
}

void RaceChecker::atomic_done(const void* address, rafter_simt::Effect effect) {
  if (is_shared_) this_worker()->leave_trial();
  if (effect == rafter_simt::Effect::none) return;
  const bool swapped = effect == rafter_simt::Effect::swapped;
  hand_over_.release(address, now(), swapped ? nullptr : lock_entries_.gave_back(thread_here(), address));
  if (!swapped) return;
  hand_over_.take(address);
  lock_entries_.took(thread_here(), address);
  block_->warps[rafter_simt_now.linear / 32].taking |= 1u << rafter_simt_now.linear % 32;
}

// A compare-and-swap that is an acquire itself needs no fence behind it.
void RaceChecker::acquired(const void* address, rafter_simt::Scope scope) {
  const bool is_wide = scope >= rafter_simt::Scope::device;
  hand_over_.acquire(address, now(), is_wide ? HandOver::Read::acquire : HandOver::Read::block_acquire);
  Warp& warp = block_->warps[rafter_simt_now.linear / 32];
  const unsigned lane = 1u << rafter_simt_now.linear % 32;
  if ((warp.taking & lane) && lock_entries_.is_taken(thread_here(), address) &&
      !lock_entries_.fenced(thread_here(), scope)) {
    warp.taking &= ~lane;
  }
}

void RaceChecker::fence(rafter_simt::Scope scope) {
  if (is_shared_) this_worker()->leave_trial();
  hand_over_.fence(now(), scope);
  Warp& warp = block_->warps[rafter_simt_now.linear / 32];
  const unsigned lane = 1u << rafter_simt_now.linear % 32;
  if ((warp.taking & lane) && !lock_entries_.fenced(thread_here(), scope)) warp.taking &= ~lane;
  warp.clock.tick();
}

void RaceChecker::arrived(const Barrier& barrier) {
  if (is_shared_) this_worker()->leave_trial();
  hand_over_.release_all(&barrier, now());
  block_->warps[rafter_simt_now.linear / 32].clock.tick();
}

void RaceChecker::some_met(Block& block, const Barrier& barrier) {
  if (is_shared_) this_worker()->leave_trial();
  const auto for_waiting = [&](auto&& f) {
    for (unsigned thread = 0; thread < block.n_threads; ++thread) {
      if (!(barrier.waiting[thread / 32] >> thread % 32 & 1)) continue;
      f(moment_of(block, thread));
    }
  };
  for_waiting([&](const Moment& moment) { hand_over_.release_all(&barrier, moment); });
  for_waiting([&](const Moment& moment) { hand_over_.acquire(&barrier, moment, HandOver::Read::acquire); });
  for (unsigned w = 0; w * 32 < block.n_threads; ++w) {
    if (barrier.waiting[w]) block.warps[w].clock.tick();
  }
}

void RaceChecker::grid_barrier_released(const Block& block) {
  at_grid_barrier_[static_cast<std::uint32_t>(block.linear)] = block.epoch_at_grid_barrier;
}

}  // namespace rafter::simt

#include "simt/check/race_checker.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rafter::simt {
namespace {

constexpr std::uint32_t split = ~0u;  // in Cell::other_read.who: look at the word's bytes
constexpr std::uint32_t most_segments = 1u << 27;

const char* action(bool writes, bool reads, unsigned how) {
  if (how == static_cast<unsigned>(How::block_atomic)) return "updates atomically within its block";
  if (how == static_cast<unsigned>(How::atomic)) return writes ? "updates atomically" : "reads atomically";
  return writes ? (reads ? "updates" : "writes") : "reads";
}

}  // namespace

void RaceChecker::launch_began(Grid& grid) {
  grid_ = &grid;
  first_segment_ = next_segment();
  if (first_segment_ > most_segments / 2) first_segment_ = 1;  // the owner clears the shadows then
  segments_.clear();
  hand_over_.clear();
  known_.clear();
  at_grid_barrier_.clear();
  remote_.clear();
  bytes_.clear();
  known_pairs_.clear();
  n_agents_ = 0;
  proxy_fences_.clear();
}

std::uint32_t RaceChecker::me() {
  if (agent_) return agent_->number;
  Warp& warp = block_->warps[rafter_simt_now.linear / 32];
  if (warp.segment < first_segment_ || warp.segment_epoch != block_->epoch || warp.segment_time != warp.clock.time()) {
    warp.segment = next_segment();
    warp.segment_epoch = block_->epoch;
    warp.segment_time = warp.clock.time();
    segments_.push_back(
        {static_cast<std::uint32_t>(block_->linear), rafter_simt_now.linear / 32, block_->epoch, warp.clock.time()});
  }
  return warp.segment << 5 | rafter_simt_now.linear % 32;
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

bool RaceChecker::is_ordered(const Record& record) const {
  const Segment& segment = segment_of(record);
  const unsigned thread = rafter_simt_now.linear;
  if (segment.block == static_cast<std::uint32_t>(block_->linear)) {
    if (segment.epoch < block_->epoch) return true;
    if (segment.warp == thread / 32) {
      const unsigned lane = thread % 32;
      if (record.lane() == lane || block_->warps[segment.warp].clock.knows(lane, record.lane(), segment.time))
        return true;
    }
  } else if (grid_->is_cooperative()) {
    const auto at = at_grid_barrier_.find(segment.block);
    if (at != at_grid_barrier_.end() && segment.epoch < at->second) return true;
  }
  return block_->cluster && is_ordered_by_cluster(record);
}

// A thread that works on what another one handed over asks the same for every word of it.
bool RaceChecker::is_handed_over(const Record& record) {
  if (hand_over_.is_unused()) return false;
  constexpr std::size_t n_known = 1 << 18;
  if (known_.empty()) known_.resize(n_known, {~0ull, ~0ull, 0});
  const Segment& segment = segment_of(record);
  const std::uint64_t reader = static_cast<std::uint64_t>(block_->linear) << 32 | rafter_simt_now.linear;
  const std::uint64_t writer = std::uint64_t{segment.block} << 32 | (segment.warp * 32 + record.lane());
  const std::uint64_t when = std::uint64_t{segment.epoch} << 32 | segment.time;
  Known& known = known_[(reader * 0x9e3779b97f4a7c15u ^ writer * 0xbf58476d1ce4e5b9u) >> 32 & (n_known - 1)];
  const bool is_same = known.reader == reader && known.writer == writer;
  if (is_same && when <= known.until) return true;
  if (!hand_over_.reaches(segment, record.lane(), now())) return false;
  known = {reader, writer, when};
  return true;
}

std::uint64_t RaceChecker::pair_of(const Record& a, const Record& b) {
  return std::uint64_t{std::max(a.site(), b.site())} << 32 | std::min(a.site(), b.site());
}

// Accesses that are atomic enough to need no order. What lanes of a warp do to each other's words through volatile
// counts on running in step, so that needs one.
bool RaceChecker::may_overlap(const Record& record, const Record& mine) const {
  if (record.how() == 0 || mine.how() == 0) return false;
  const auto block_atomic = static_cast<unsigned>(How::block_atomic);
  const Segment& segment = segment_of(record);
  if (record.how() == block_atomic || mine.how() == block_atomic) {
    return segment.block == static_cast<std::uint32_t>(block_->linear);
  }
  const auto is_volatile = static_cast<unsigned>(How::volatile_);
  if (record.how() == is_volatile && mine.how() == is_volatile) {
    return segment.block != static_cast<std::uint32_t>(block_->linear) || segment.warp != rafter_simt_now.linear / 32;
  }
  return true;
}

void RaceChecker::access(const Access& access, const Found& found, const Agent* agent) {
  agent_ = agent;
  Shadow& shadow = *found.shadow;
  const std::uint32_t first_segment = found.first_segment;
  const Space space = found.space;
  const std::uint32_t who = me();
  const std::uint32_t what = sites_.number(access.place) << 6 | static_cast<std::uint32_t>(access.how) << 4;
  const bool synchronises = access.how != How::plain;
  if (synchronises && !hand_over_.is_unused()) hand_over_.acquire(found.address, now());
  reported_ = false;
  const std::size_t first = static_cast<std::size_t>(found.address - shadow.base);
  for (std::size_t at = first, end = first + access.bytes; at < end;) {
    const std::size_t stop = std::min(end, (at / 4 + 1) * 4);
    const auto mask = static_cast<std::uint32_t>(((1u << (stop - at)) - 1) << at % 4);
    Cell& cell = shadow.cells[at / 4];
    const auto writes = agent && agent->proxy == Agent::Proxy::async ? writes_of(cell) : Writes{};
    check_cell(cell, {who, what | mask}, access, first_segment, space);
    for (const Record& write : writes) check_proxy(write, access, first_segment, space);
    at = stop;
  }
  agent_ = nullptr;
  if (access.how == How::volatile_ && access.writes) hand_over_.release(found.address, now());
}

void RaceChecker::check_cell(Cell& cell, const Record& mine, const Access& access, std::uint32_t first_segment,
                             Space space) {
  const auto fresh = [&](const Record& record) { return record.segment() >= first_segment; };
  if (cell.other_read.who == split) return check_bytes(cell, mine, access, first_segment, space);
  const auto is_part = [&](const Record& r) { return fresh(r) && r.bytes() != 15; };
  if (mine.bytes() != 15 || is_part(cell.write) || is_part(cell.read) || is_part(cell.atomic)) {
    // Bytes of one word that different threads own: their pasts are kept apart from here on.
    const auto differs = [&](const Record& r) { return fresh(r) && r.who != mine.who && r.bytes() != mine.bytes(); };
    if (differs(cell.write) || differs(cell.atomic) || differs(cell.read) || differs(cell.other_read)) {
      return check_bytes(cell, mine, access, first_segment, space);
    }
  }
  const auto races_with = [&](const Record& r) {
    if (r.who == mine.who || !fresh(r) || may_overlap(r, mine) || is_ordered(r)) return false;
    return known_pairs_.contains(pair_of(r, mine)) || !is_handed_over(r);  // a known race need not be searched again
  };
  if (races_with(cell.write)) conflict({cell.write, true}, mine, access, space);
  if (races_with(cell.atomic)) conflict({cell.atomic, true}, mine, access, space);
  if (access.writes) {
    if (races_with(cell.read)) conflict({cell.read, false}, mine, access, space);
    if (races_with(cell.other_read)) conflict({cell.other_read, false}, mine, access, space);
    (mine.how() ? cell.atomic : cell.write) = mine;
  } else {
    note_read(cell, mine, first_segment);
  }
}

// A read that this one is ordered after says nothing new about later writes; of those that are left, two of different
// blocks are worth more than two of one.
void RaceChecker::note_read(Cell& cell, const Record& mine, std::uint32_t first_segment) {
  const auto replaceable = [&](const Record& r) {
    return r.who == mine.who || r.segment() < first_segment || is_ordered(r);  // a search would cost too much here
  };
  if (replaceable(cell.read)) {
    cell.read = mine;
  } else if (cell.other_read.who == 0 || replaceable(cell.other_read)) {
    cell.other_read = mine;
  } else if (segment_of(cell.read).block == segment_of(cell.other_read).block &&
             segment_of(cell.read).block != static_cast<std::uint32_t>(block_->linear)) {
    cell.other_read = mine;
  }
}

void RaceChecker::check_bytes(Cell& cell, const Record& mine, const Access& access, std::uint32_t first_segment,
                              Space space) {
  const auto whole = [](Record record) { return Record{record.who, record.what | 15}; };
  auto [at, is_new] = bytes_.try_emplace(&cell);
  if (is_new && cell.other_read.who != split) {
    for (unsigned byte = 0; byte < 4; ++byte) {
      Cell& own = at->second[byte];
      if (cell.write.bytes() >> byte & 1) own.write = whole(cell.write);
      if (cell.atomic.bytes() >> byte & 1) own.atomic = whole(cell.atomic);
      if (cell.read.bytes() >> byte & 1) own.read = whole(cell.read);
      if (cell.other_read.bytes() >> byte & 1) own.other_read = whole(cell.other_read);
    }
  }
  cell.other_read.who = split;
  for (unsigned byte = 0; byte < 4; ++byte) {
    if (mine.bytes() >> byte & 1) check_cell(at->second[byte], whole(mine), access, first_segment, space);
  }
}

void RaceChecker::conflict(const Earlier& earlier, const Record& mine, const Access& access, Space space) {
  if (std::exchange(reported_, true)) return;
  const Record& record = earlier.record;
  known_pairs_.insert(pair_of(record, mine));
  const Segment& segment = segment_of(record);
  Finding finding{Kind::race, space, grid_->launch().kernel, {}, std::nullopt, ""};
  finding.sides.push_back(side_of(mine, action(access.writes, access.reads, mine.how()), access.bytes));
  finding.sides.push_back(side_of(record, action(earlier.writes, false, record.how()), access.bytes));
  const char* between = segment.block != static_cast<std::uint32_t>(block_->linear) ? "threads of different blocks"
                        : segment.warp != rafter_simt_now.linear / 32               ? "threads of one block"
                                                                                    : "lanes of one warp";
  finding.detail = is_agent(segment) ? "the copy may still be on its way: nothing here waited for it"
                                     : std::string("between ") + between;
  const bool stores =
      !agent_ && access.writes && !access.reads && (access.how == How::plain || access.how == How::volatile_);
  if (earlier.writes && stores && access.bytes <= pending_.before.size()) {
    settle();
    pending_.finding = std::move(finding);
    pending_.address = access.address;
    pending_.bytes = access.bytes;
    std::memcpy(pending_.before.data(), access.address, access.bytes);
  } else {
    findings().add(std::move(finding));
  }
}

Side RaceChecker::side_of(const Record& record, const char* action, std::uint32_t bytes) const {
  const Segment& segment = segment_of(record);
  const bool copies = is_agent(segment);
  return {copies ? std::string("starts a copy that ") + action : action, sites_.place(record.site()), bytes,
          grid_->block_index(segment.block & ~of_agents),
          block_->thread_index((copies ? segment.time : segment.warp) * 32 + record.lane())};
}

void RaceChecker::compare_written() {
  if (std::memcmp(pending_.address, pending_.before.data(), pending_.bytes) == 0) {
    pending_.finding.kind = Kind::same_value_race;
  }
  findings().add(std::move(pending_.finding));
  pending_.bytes = 0;
}

void RaceChecker::atomic_done(const void* address, bool stored) {
  if (stored) hand_over_.release(address, now());
}

void RaceChecker::fence(rafter_simt::Scope scope) {
  hand_over_.fence(now(), scope);
  block_->warps[rafter_simt_now.linear / 32].clock.tick();
}

void RaceChecker::arrived(const Barrier& barrier) {
  hand_over_.release_all(&barrier, now());
  block_->warps[rafter_simt_now.linear / 32].clock.tick();
}

void RaceChecker::some_met(Block& block, const Barrier& barrier) {
  const auto for_waiting = [&](auto&& f) {
    for (unsigned thread = 0; thread < block.n_threads; ++thread) {
      if (!(barrier.waiting[thread / 32] >> thread % 32 & 1)) continue;
      f(moment_of(block, thread));
    }
  };
  for_waiting([&](const Moment& moment) { hand_over_.release_all(&barrier, moment); });
  for_waiting([&](const Moment& moment) { hand_over_.acquire(&barrier, moment); });
  for (unsigned w = 0; w * 32 < block.n_threads; ++w) {
    if (barrier.waiting[w]) block.warps[w].clock.tick();
  }
}

void RaceChecker::grid_barrier_released(const Block& block) {
  at_grid_barrier_[static_cast<std::uint32_t>(block.linear)] = block.epoch_at_grid_barrier;
}

}  // namespace rafter::simt

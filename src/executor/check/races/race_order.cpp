// The happens-before relation of two accesses: by barriers, or by release/acquire.
#include <algorithm>

#include "executor/check/races/race_checker.hpp"
#include "executor/engine/lockstep_watch.hpp"

namespace rafter::simt {

bool RaceChecker::is_ordered_by_grid(const Segment& segment) const {
  const auto at = at_grid_barrier_.find(segment.block);
  return at != at_grid_barrier_.end() && segment.epoch < at->second;
}

bool RaceChecker::is_ordered(const Record& record) const {
  const Segment& segment = segment_of(record);
  if (is_ordered_by_barrier(segment)) return true;
  const unsigned thread = rafter_simt_now.linear;
  if (segment.block == static_cast<std::uint32_t>(block_->linear) && segment.warp == thread / 32) {
    const unsigned lane = thread % 32;
    if (record.lane() == lane || block_->warps[segment.warp].clock.knows(lane, record.lane(), segment.time))
      return true;
  }
  return block_->cluster && is_ordered_by_cluster(record);
}

// Results are cached, because a thread that reads another thread's data asks for the same order at every word. A pair
// of places that was once reported as unfenced is not reported again.
RaceChecker::Order RaceChecker::order_of(const Record& record, FenceRequirement requirement, std::uint64_t pair) {
  if (release_log_.is_unused()) return Order::none;
  constexpr std::size_t n_known = 1 << 18;
  if (known_.empty()) known_.resize(n_known, {~0ull, ~0ull, 0, FenceRequirement::release});
  const Segment& segment = segment_of(record);
  const std::uint64_t reader = static_cast<std::uint64_t>(block_->linear) << 32 | rafter_simt_now.linear;
  const std::uint64_t writer = std::uint64_t{segment.block} << 32 | (segment.warp * 32 + record.lane());
  const std::uint64_t when = std::uint64_t{segment.epoch} << 32 | segment.time;
  KnownOrder& known = known_[(reader * 0x9e3779b97f4a7c15u ^ writer * 0xbf58476d1ce4e5b9u) >> 32 & (n_known - 1)];
  const bool is_known = known.reader == reader && known.writer == writer && when <= known.until;
  if (requirement != FenceRequirement::release && unfenced_pairs_.contains(pair))
    requirement = FenceRequirement::release;
  const bool is_of_word = requirement != FenceRequirement::release && release_log_.has_early_accesses();
  if (is_known && requirement <= known.requirement && !is_of_word) return Order::fenced;
  const Moment here = now();
  const auto is_met = [&](FenceRequirement wanted) {
    if (!release_log_.happens_before(segment, record.lane(), here, wanted, word_)) return false;
    known = {reader, writer, when, wanted};
    return true;
  };
  if (is_met(requirement)) return Order::fenced;
  return requirement != FenceRequirement::release && (is_known || is_met(FenceRequirement::release)) ? Order::unfenced
                                                                                                     : Order::none;
}

std::uint64_t RaceChecker::pair_of(const Record& a, const Record& b) {
  return std::uint64_t{std::max(a.site(), b.site())} << 32 | std::min(a.site(), b.site());
}

// Volatile accesses of two lanes of one warp must be ordered if one of the lanes executes both: the code relies on
// lockstep execution. A flag that one lane sets and the other one reads is like a flag between warps.
RaceChecker::Conflict RaceChecker::conflict_of(const Record& record, const Record& mine) const {
  const auto is = [](const Record& r, AccessMode mode) { return r.mode() == static_cast<unsigned>(mode); };
  if (is(record, AccessMode::plain) || is(mine, AccessMode::plain)) return Conflict::race;
  const Segment& segment = segment_of(record);
  const bool is_own_block = segment.block == static_cast<std::uint32_t>(block_->linear);
  if (!is_own_block && (is(record, AccessMode::block_atomic) || is(mine, AccessMode::block_atomic)))
    return Conflict::race;
  const bool both = is(record, AccessMode::volatile_) && is(mine, AccessMode::volatile_);
  if (both && is_own_block && segment.warp == rafter_simt_now.linear / 32) {
    const std::uint64_t phase = warp_phase(*block_, segment.warp);
    const unsigned other = segment.warp * 32 + record.lane();
    if (volatile_places_.may_have_executed(other, phase, mine.site()) ||
        volatile_places_.may_have_executed(rafter_simt_now.linear, phase, record.site()))
      return Conflict::race;
  }
  return both || is(record, AccessMode::volatile_) || is(mine, AccessMode::volatile_) ? Conflict::volatile_
                                                                                      : Conflict::none;
}

}  // namespace rafter::simt

// What is said of two accesses that nothing orders, or too little.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "executor/check/races/race_checker.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {
namespace {

const char* action(bool writes, bool reads, unsigned how) {
  if (how == static_cast<unsigned>(How::block_atomic)) return "updates atomically within its block";
  if (how == static_cast<unsigned>(How::atomic)) return writes ? "updates atomically" : "reads atomically";
  return writes ? (reads ? "updates" : "writes") : "reads";
}

}  // namespace

Finding RaceChecker::finding_of(Kind kind, const Earlier& earlier, const Record& mine, const Look& look) const {
  const Record& record = earlier.record;
  const Access& access = look.access;
  const Segment& segment = segment_of(record);
  Finding finding{kind, look.space, grid_->launch().kernel, {}, std::nullopt, ""};
  finding.sides.push_back(side_of(mine, action(access.writes, access.reads, mine.how()), access.bytes));
  // How wide the earlier one was is not remembered; within a word it is taken for as wide as this one.
  const std::uint32_t earlier_bytes = access.bytes <= 4 ? access.bytes : 0;
  finding.sides.push_back(side_of(record, action(earlier.writes, false, record.how()), earlier_bytes));
  const char* between = segment.block != static_cast<std::uint32_t>(block_->linear) ? "threads of different blocks"
                        : segment.warp != rafter_simt_now.linear / 32               ? "threads of one block"
                                                                                    : "lanes of one warp";
  finding.detail = segment.is_of_agent() ? "the copy may still be on its way: nothing here waited for it"
                                         : std::string("between ") + between;
  return finding;
}

void RaceChecker::report_race(const Earlier& earlier, const Record& mine, const Look& look) {
  known_pairs_.insert(pair_of(earlier.record, mine));
  const bool is_first = !std::exchange(reported_, true);
  if (earlier.writes) {
    if (is_first || !pending_.meetings.empty()) hold(Kind::race, earlier, mine, look);
  } else if (is_first) {
    findings().add(finding_of(Kind::race, earlier, mine, look));
  }
}

// Textures have caches that writes do not reach before the launch ends.
void RaceChecker::check_fetch(const Access& access, const Found& found) {
  Shadow& shadow = *found.shadow;
  const Segments counting = counting_from(found.first_segment);
  const std::size_t first = static_cast<std::size_t>(found.address - shadow.base);
  for (std::size_t at = first, end = first + access.bytes, stop = 0; at < end; at = stop) {
    Cell cell = shadow.cells.load(at / 4, counting);
    stop = std::min(end, (at / 4 + 1) * 4);
    if (cell.more_reads.who == Cell::split) {
      stop = at + 1;
      const auto [bytes, of_word] = shadow.byte_cells.of(at / 4);
      cell = bytes.load(of_word + at % 4, counting);
    }
    const auto mask = static_cast<std::uint32_t>(((1u << (stop - at)) - 1) << at % 4);
    for (const Record& write : {cell.write, cell.atomic}) {
      if (write.who == 0 || !counting.hold(write) || (write.bytes() & mask) == 0) continue;
      Finding finding =
          finding_of(Kind::stale_texture, {write, true, true}, {me(), sites_.number(access.place) << 6 | mask},
                     {access, found.space, counting, shadow, at / 4, 1});
      finding.sides[0].action = "fetches";
      finding.detail = "written in the same launch: the texture's cache may still have what was there before";
      findings().add(std::move(finding));
      return;
    }
  }
}

void RaceChecker::report_unfenced(const Earlier& earlier, const Record& mine, const Look& look) {
  unfenced_pairs_.insert(pair_of(earlier.record, mine));
  Finding finding = finding_of(Kind::missing_acquire, earlier, mine, look);
  finding.detail += ", ordered by a flag or lock;\n    behind reading that a fence is missing that reaches as far";
  finding.is_note = !options().strict;
  findings().add(std::move(finding));
}

void RaceChecker::note_volatile(const Earlier& earlier, const Record& mine, const Look& look) {
  if (earlier.writes) return hold(Kind::unordered_volatile, earlier, mine, look);
  volatile_pairs_.add(pair_of(earlier.record, mine), word_, unordered(earlier, mine, look));
}

Finding RaceChecker::unordered(const Earlier& earlier, const Record& mine, const Look& look) const {
  Finding finding = finding_of(Kind::unordered_volatile, earlier, mine, look);
  finding.detail += ": each access is whole, but nothing orders them";
  finding.is_note = !options().strict;
  return finding;
}

// Of a store that meets other writes it matters whether it changes anything of what they wrote, which is known when it
// has happened. What stands there must be what they wrote: nothing has come between.
void RaceChecker::hold(Kind kind, const Earlier& earlier, const Record& mine, const Look& look) {
  const Access& access = look.access;
  const bool stores =
      !agent_ && access.writes && !access.reads && (access.how == How::plain || access.how == How::volatile_);
  const bool differs = !stores || !earlier.is_there || access.bytes > pending_.before.size();
  const std::uint64_t pair = pair_of(earlier.record, mine);
  for (Pending::Meeting& known : pending_.meetings) {
    if (known.pair != pair || known.finding.kind != kind) continue;
    known.bytes |= look.bytes;
    known.differs |= differs;
    return;
  }
  if (pending_.meetings.empty()) {
    pending_.word = word_;
    pending_.address = access.address;
    std::memcpy(pending_.before.data(), access.address, std::min<std::size_t>(access.bytes, pending_.before.size()));
    is_quick_ = false;
  }
  Finding finding = kind == Kind::race ? finding_of(kind, earlier, mine, look) : unordered(earlier, mine, look);
  pending_.meetings.push_back({std::move(finding), pair, look.bytes, differs});
}

Side RaceChecker::side_of(const Record& record, const char* action, std::uint32_t bytes) const {
  const Segment& segment = segment_of(record);
  const bool copies = segment.is_of_agent();
  return {copies ? std::string("starts a copy that ") + action : action, sites_.place(record.site()), bytes,
          grid_->block_index(segment.block & ~Segment::of_agents),
          block_->thread_index((copies ? segment.time : segment.warp) * 32 + record.lane())};
}

// One race is said of an access, one of different values if there is one.
void RaceChecker::compare_written() {
  Finding* race = nullptr;
  for (Pending::Meeting& meeting : pending_.meetings) {
    for (std::uint32_t bytes = meeting.bytes; bytes && !meeting.differs; bytes &= bytes - 1) {
      const auto byte = static_cast<std::size_t>(std::countr_zero(bytes));
      meeting.differs = pending_.address[byte] != pending_.before[byte];
    }
    Finding& finding = meeting.finding;
    if (finding.kind == Kind::unordered_volatile) {
      if (meeting.differs) volatile_pairs_.add(meeting.pair, pending_.word, std::move(finding));
      continue;
    }
    if (!meeting.differs) finding.kind = Kind::same_value_race;
    if (!race || (race->kind == Kind::same_value_race && meeting.differs)) race = &finding;
  }
  if (race) findings().add(std::move(*race));
  pending_.meetings.clear();
  is_quick_ = is_simple_;
}

void RaceChecker::launch_ended() {
  settle();
  set_simple(false);  // whatever runs next may have another observer
  went_one_by_one_[grid_->launch().kernel] = !hand_over_.is_unused();
  volatile_pairs_.settle([&](const void* word) { return hand_over_.has_ordered(word); },
                         [](Finding finding) { findings().add(std::move(finding)); });
  findings().kernel(grid_->launch().kernel).forgotten += n_forgotten_ + hand_over_.n_given_up();
}

}  // namespace rafter::simt

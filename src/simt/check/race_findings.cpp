// What is said of two accesses that nothing orders, or too little.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "simt/check/race_checker.hpp"
#include "simt/process/options.hpp"

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
  if (std::exchange(reported_, true)) return;
  known_pairs_.insert(pair_of(earlier.record, mine));
  Finding finding = finding_of(Kind::race, earlier, mine, look);
  earlier.writes ? hold(std::move(finding), 0, look.access) : static_cast<void>(findings().add(std::move(finding)));
}

// Textures have caches that writes do not reach before the launch ends.
void RaceChecker::check_fetch(const Access& access, const Found& found) {
  const std::size_t first = static_cast<std::size_t>(found.address - found.shadow->base);
  for (std::size_t at = first, end = first + access.bytes; at < end; at = (at / 4 + 1) * 4) {
    const std::size_t stop = std::min(end, (at / 4 + 1) * 4);
    const auto mask = static_cast<std::uint32_t>(((1u << (stop - at)) - 1) << at % 4);
    const Look look{access, found.space, counting_from(found.first_segment), &found.shadow->cells.first[at / 4]};
    const Cell cell = found.shadow->cells.load(at / 4, look.counting);
    Writes writes = writes_of(cell, look.word);
    for (const Record& write : {writes[0], writes[1], writes[2], writes[3], cell.atomic}) {
      if (write.who == 0 || !look.counting.hold(write) || (write.bytes() & mask) == 0) continue;
      Finding finding =
          finding_of(Kind::stale_texture, {write, true}, {me(), sites_.number(access.place) << 6 | mask}, look);
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
  Finding finding = finding_of(Kind::unordered_volatile, earlier, mine, look);
  finding.detail += ": each access is whole, but nothing orders them";
  finding.is_note = !options().strict;
  const std::uint64_t pair = pair_of(earlier.record, mine);
  earlier.writes ? hold(std::move(finding), pair, look.access) : volatile_pairs_.add(pair, word_, std::move(finding));
}

// Of a store that meets another write it matters whether it changes anything, which is known when it has happened.
void RaceChecker::hold(Finding finding, std::uint64_t pair, const Access& access) {
  const bool stores =
      !agent_ && access.writes && !access.reads && (access.how == How::plain || access.how == How::volatile_);
  settle();
  pending_.finding = std::move(finding);
  pending_.pair = pair;
  pending_.word = word_;
  pending_.address = access.address;
  pending_.bytes = access.bytes;
  if (!stores || access.bytes > pending_.before.size()) return say(false);
  is_quick_ = false;
  std::memcpy(pending_.before.data(), access.address, access.bytes);
}

Side RaceChecker::side_of(const Record& record, const char* action, std::uint32_t bytes) const {
  const Segment& segment = segment_of(record);
  const bool copies = segment.is_of_agent();
  return {copies ? std::string("starts a copy that ") + action : action, sites_.place(record.site()), bytes,
          grid_->block_index(segment.block & ~Segment::of_agents),
          block_->thread_index((copies ? segment.time : segment.warp) * 32 + record.lane())};
}

void RaceChecker::compare_written() { say(std::memcmp(pending_.address, pending_.before.data(), pending_.bytes) == 0); }

void RaceChecker::say(bool wrote_the_same) {
  pending_.bytes = 0;
  is_quick_ = is_simple_;
  if (pending_.finding.kind == Kind::unordered_volatile) {
    if (!wrote_the_same) volatile_pairs_.add(pending_.pair, pending_.word, std::move(pending_.finding));
    return;
  }
  if (wrote_the_same) pending_.finding.kind = Kind::same_value_race;
  findings().add(std::move(pending_.finding));
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

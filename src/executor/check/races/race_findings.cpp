// Findings about unordered or insufficiently ordered accesses.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "executor/check/memory_checker.hpp"
#include "executor/check/races/race_checker.hpp"
#include "executor/memory/memory.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {
namespace {

const char* action(bool writes, bool reads, unsigned mode) {
  if (mode == static_cast<unsigned>(AccessMode::block_atomic)) return "updates atomically within its block";
  if (mode == static_cast<unsigned>(AccessMode::atomic)) return writes ? "updates atomically" : "reads atomically";
  return writes ? (reads ? "updates" : "writes") : "reads";
}

}  // namespace

/// Returns the memory of the access; of a copy, the word that both accesses touch.
Target RaceChecker::target_of_word(const WordAccess& word_access) const {
  Access access = word_access.access;
  const std::byte* const word = word_access.shadow.base + 4 * word_access.word;
  const auto* const checked = static_cast<const std::byte*>(word_);
  if (access.is_range && word > checked) access.address += word - checked;
  if (access.is_range) access.bytes = std::min<std::uint32_t>(access.bytes, 4);
  return target_of(access, word_access.space, regions_);
}

Finding RaceChecker::finding_of(Kind kind, const EarlierAccess& earlier, const Record& mine,
                                const WordAccess& word_access) const {
  const Record& record = earlier.record;
  const Access& access = word_access.access;
  const Segment& segment = segment_of(record);
  Finding finding{kind, word_access.space, grid_->launch().kernel, {}, std::nullopt, ""};
  finding.sides.push_back(side_of(mine, action(access.writes, access.reads, mine.mode()), access.bytes));
  // The width of the earlier access is not recorded; within a word it is assumed to be the same.
  const std::uint32_t earlier_bytes = access.bytes <= 4 ? access.bytes : 0;
  finding.sides.push_back(side_of(record, action(earlier.writes, false, record.mode()), earlier_bytes));
  finding.target = target_of_word(word_access);
  const char* between = segment.block != static_cast<std::uint32_t>(block_->linear) ? "threads of different blocks"
                        : segment.warp != rafter_simt_now.linear / 32               ? "threads of one block"
                                                                                    : "lanes of one warp";
  finding.detail = segment.is_of_agent() ? "the copy may still be in flight: this thread has not waited for it"
                                         : std::string("between ") + between;
  if (kind == Kind::race) finding.remedy = remedy_;
  return finding;
}

/// Returns what would have ordered two racing accesses.
std::string RaceChecker::remedy_of(const Record& earlier, const Record& mine) const {
  const Segment& segment = segment_of(earlier);
  if (segment.is_of_agent() || agent_) return "";
  const bool is_own_block = segment.block == static_cast<std::uint32_t>(block_->linear);
  const std::string fence = is_own_block ? "__threadfence_block()" : "__threadfence()";
  switch (release_log_.lack(segment, earlier.lane(), now())) {
    case ReleaseAcquireLog::Lack::fence:
      return "a flag connects the two threads, but without a fence: " + fence +
             " is missing between the access and the flag that follows it";
    case ReleaseAcquireLog::Lack::later_fence:
      return "a flag connects the two threads, but the fence comes before the access: " + fence +
             " is missing between the access and the flag that follows it";
    case ReleaseAcquireLog::Lack::wider_fence:
      return "a flag and a fence connect the two threads, but their scope is too small: use " + fence +
             " and atomics of device scope";
    case ReleaseAcquireLog::Lack::flag: break;
  }
  const bool is_warp = is_own_block && segment.warp == rafter_simt_now.linear / 32;
  if (is_warp)
    return "a __syncwarp() between the two accesses would order these lanes, a __syncthreads() all threads of the "
           "block";
  if (is_own_block) return "a __syncthreads() between the two accesses would order them";
  const auto is_plain = [](const Record& record) { return record.mode() == static_cast<unsigned>(AccessMode::plain); };
  const auto is_of_block = [](const Record& record) {
    return record.mode() == static_cast<unsigned>(AccessMode::block_atomic);
  };
  if (is_of_block(earlier) || is_of_block(mine)) return "an atomic of block scope does not reach other blocks";
  if (is_plain(earlier) != is_plain(mine)) return "one of the accesses is plain: make both atomic";
  return "nothing orders the blocks of a launch but a fence and a flag, a grid-wide barrier, or a second launch";
}

void RaceChecker::report_race(const EarlierAccess& earlier, const Record& mine, const WordAccess& word_access) {
  const bool is_new_pair = known_pairs_.insert(pair_of(earlier.record, mine)).second;
  remedy_ = is_new_pair ? remedy_of(earlier.record, mine) : "";
  const bool is_first = !std::exchange(reported_, true);
  if (earlier.writes) {
    if (is_first || !pending_.deferred.empty()) defer(Kind::race, earlier, mine, word_access);
  } else if (is_first) {
    findings().add(finding_of(Kind::race, earlier, mine, word_access));
  }
}

// Texture and read-only caches are not coherent with writes in the same launch.
void RaceChecker::check_fetch(const Access& access, const Found& found, Kind kind) {
  word_ = found.address;
  Shadow& shadow = *found.shadow;
  const SegmentRange valid = valid_from(found.first_segment);
  const std::size_t first = static_cast<std::size_t>(found.address - shadow.base);
  for (std::size_t at = first, end = first + access.bytes, stop = 0; at < end; at = stop) {
    Cell cell = shadow.cells.load(at / 4, valid);
    stop = std::min(end, (at / 4 + 1) * 4);
    if (cell.more_reads.accessor == Cell::split) {
      stop = at + 1;
      const auto [bytes, of_word] = shadow.byte_cells.of(at / 4);
      cell = bytes.load(of_word + at % 4, valid);
    }
    const auto mask = static_cast<std::uint32_t>(((1u << (stop - at)) - 1) << at % 4);
    for (const Record& write : {cell.write, cell.atomic}) {
      if (write.accessor == 0 || !valid.contains(write) || (write.bytes() & mask) == 0) continue;
      Finding finding = finding_of(kind, {write, true, true}, {accessor_id(), sites_.number(access.place) << 6 | mask},
                                   {access, found.space, valid, shadow, at / 4, 1});
      const bool is_texture = kind == Kind::stale_texture;
      finding.sides[0].action = is_texture ? "fetches" : "reads through the read-only cache";
      finding.detail = std::string("written in the same launch: the ") + (is_texture ? "texture" : "read-only") +
                       " cache may still hold the old value";
      findings().add(std::move(finding));
      return;
    }
  }
}

// A word has a reader besides its write only if the read came later. Which pointer the read used is not known.
void RaceChecker::check_read_only_array(Shadow& shadow, const ReadOnlyArray& array) {
  const SegmentRange valid = valid_from(first_segment_);
  const std::size_t end = shadow.word(array.end - 1);
  for (std::size_t word = shadow.word(array.begin); word <= end; ++word) {
    if (!valid.contains(Cells::plain(shadow.cells.first[word]))) continue;
    const Cell cell = shadow.cells.load(word, valid);
    const bool is_whole = cell.more_reads.accessor != Cell::split;
    if (!is_whole || cell.write.accessor == 0 || cell.read.accessor == 0) continue;
    const std::byte* const at = shadow.base + 4 * word;
    Finding finding{Kind::stale_read_only,
                    Space::global,
                    grid_->launch().kernel,
                    {side_of(cell.read, "reads", 4), side_of(cell.write, "writes", 4)},
                    std::nullopt,
                    array.name +
                        " is const and __restrict__, but the launch writes it through another pointer: a read "
                        "through it may return the old value"};
    if (const Allocation* allocation = memory().find(at)) finding.target = of_allocation(*allocation, at);
    finding.is_note = !options().strict;
    findings().add(std::move(finding));
    return;
  }
}

void RaceChecker::report_unfenced(const EarlierAccess& earlier, const Record& mine, const WordAccess& word_access) {
  unfenced_pairs_.insert(pair_of(earlier.record, mine));
  Finding finding = finding_of(Kind::missing_acquire, earlier, mine, word_access);
  finding.detail +=
      ", ordered by a flag or lock;\n    after reading it, the reader needs an acquiring fence of the same scope or a "
      "wider one";
  finding.is_note = !options().strict;
  findings().add(std::move(finding));
}

void RaceChecker::add_volatile_pair(const EarlierAccess& earlier, const Record& mine, const WordAccess& word_access) {
  if (earlier.writes) return defer(Kind::unordered_volatile, earlier, mine, word_access);
  volatile_pairs_.add(pair_of(earlier.record, mine), word_, unordered(earlier, mine, word_access));
}

Finding RaceChecker::unordered(const EarlierAccess& earlier, const Record& mine, const WordAccess& word_access) const {
  Finding finding = finding_of(Kind::unordered_volatile, earlier, mine, word_access);
  finding.detail += ": each access is indivisible, but nothing orders them";
  finding.is_note = !options().strict;
  return finding;
}

// Defers the report of a store that conflicts with earlier writes until it has happened: only then is it known whether
// it changes the value that they wrote. This needs the memory to still hold that value.
void RaceChecker::defer(Kind kind, const EarlierAccess& earlier, const Record& mine, const WordAccess& word_access) {
  const Access& access = word_access.access;
  const bool stores = !agent_ && access.writes && !access.reads &&
                      (access.mode == AccessMode::plain || access.mode == AccessMode::volatile_);
  const bool differs = !stores || !earlier.value_remains || access.bytes > pending_.before.size();
  const std::uint64_t pair = pair_of(earlier.record, mine);
  for (Pending::DeferredRace& known : pending_.deferred) {
    if (known.pair != pair || known.finding.kind != kind) continue;
    known.bytes |= word_access.bytes;
    known.differs |= differs;
    return;
  }
  if (pending_.deferred.empty()) {
    pending_.word = word_;
    pending_.address = access.address;
    std::memcpy(pending_.before.data(), access.address, std::min<std::size_t>(access.bytes, pending_.before.size()));
    has_fast_path_ = false;
  }
  Finding finding =
      kind == Kind::race ? finding_of(kind, earlier, mine, word_access) : unordered(earlier, mine, word_access);
  pending_.deferred.push_back({std::move(finding), pair, word_access.bytes, differs});
}

Side RaceChecker::side_of(const Record& record, const char* action, std::uint32_t bytes) const {
  const Segment& segment = segment_of(record);
  const bool copies = segment.is_of_agent();
  return {copies ? std::string("starts a copy that ") + action : action, sites_.place(record.site()), bytes,
          grid_->block_index(segment.block & ~Segment::of_agents),
          block_->thread_index((copies ? segment.time : segment.warp) * 32 + record.lane())};
}

// Reports one race per access, preferably one with different values.
void RaceChecker::compare_written() {
  Finding* race = nullptr;
  for (Pending::DeferredRace& conflict_of : pending_.deferred) {
    for (std::uint32_t bytes = conflict_of.bytes; bytes && !conflict_of.differs; bytes &= bytes - 1) {
      const auto byte = static_cast<std::size_t>(std::countr_zero(bytes));
      conflict_of.differs = pending_.address[byte] != pending_.before[byte];
    }
    Finding& finding = conflict_of.finding;
    if (finding.kind == Kind::unordered_volatile) {
      if (conflict_of.differs) volatile_pairs_.add(conflict_of.pair, pending_.word, std::move(finding));
      continue;
    }
    if (!conflict_of.differs) finding.kind = Kind::same_value_race;
    if (!race || (race->kind == Kind::same_value_race && conflict_of.differs)) race = &finding;
  }
  if (race) findings().add(std::move(*race));
  pending_.deferred.clear();
  has_fast_path_ = is_simple_;
}

void RaceChecker::launch_ended() {
  finish_pending();
  set_simple(false);  // the next launch may have another observer
  ordered_pairwise_[grid_->launch().kernel] = !release_log_.is_unused();
  volatile_pairs_.report_unordered([&](const void* word) { return release_log_.has_ordered(word); },
                                   [](Finding finding) { findings().add(std::move(finding)); });
  findings().kernel(grid_->launch().kernel).forgotten += n_forgotten_ + release_log_.n_abandoned();
}

}  // namespace rafter::simt

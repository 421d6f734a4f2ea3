// What one worker checks: the accesses of the threads that it runs.
#pragma once

#include <cstring>
#include <utility>

#include "simt/check/quick_look.hpp"
#include "simt/check/race_checker.hpp"
#include "simt/check/regions.hpp"
#include "simt/check/stream_checker.hpp"
#include "simt/engine/worker.hpp"

namespace rafter::simt {

class WorkerChecks {
 public:
  WorkerChecks(Regions& regions, StreamChecker& streams) : regions_(regions), streams_(streams) {}

  void launch_began(Grid& grid);
  void launch_ended() { races_.launch_ended(); }
  void block_entered(Block& block);
  void block_ended(Block& block);
  RaceChecker& races() { return races_; }
  std::uint64_t take_accesses() { return std::exchange(n_accesses_, 0); }

  void look_at(const Access& access, const Agent* agent);

  /// Looks at a plain access of the running thread, aligned to its size, if that takes no more than a glance; false,
  /// and nothing is done, where it does. Comes to the same as look_at.
  template <std::uint32_t bytes, bool writes>
  bool glance_at(std::byte* address, const void* place);

 private:
  bool exists(const Access& access, const Found& found);
  void check_written(const Access& access, const Found& found);
  bool glance_elsewhere(const std::byte* address);

  Regions& regions_;
  StreamChecker& streams_;
  RaceChecker races_;
  std::uint64_t n_accesses_ = 0;
};

/// Of the calling OS thread while it runs blocks; nobody's where every access takes the long way.
extern constinit thread_local WorkerChecks* checks_here;

template <std::uint32_t bytes, bool writes>
[[gnu::always_inline]] inline bool WorkerChecks::glance_at(std::byte* address, const void* place) {
  constexpr std::size_t n_words = bytes < 4 ? 1 : bytes / 4;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (at % bytes != 0 || !rafter_simt_now.inside || !races_.is_quick()) return false;
  const auto [shadow, space, first_segment] = regions_.glance(address);
  if (!shadow) return glance_elsewhere(address);
  const std::size_t word = shadow->word(address);
  // Of each word: the bytes that are touched, and whether they exist and were written.
  constexpr std::uint64_t each = bytes == 16 ? 0x01010101 : bytes == 8 ? 0x0101 : 1;
  const unsigned mask = bytes < 4 ? ((1u << bytes) - 1) << at % 4 : 15;
  const std::uint64_t wanted = each * (writes ? mask << 4 : mask << 4 | mask);
  std::uint64_t states = 0;
  std::memcpy(&states, shadow->state + word, n_words);
  if ((states & wanted) != wanted) return false;
  const Record mine{races_.me_quickly(), races_.site(place) << 6 | mask};
  const Segments counting{first_segment, races_.next_segment()};
  for (std::size_t i = 0; i < n_words; ++i) {
    if (!(writes ? races_.quick_write(shadow->cells, word + i, mine, counting)
                 : races_.quick_read(shadow->cells, word + i, mine, counting)))
      return false;
  }
  if constexpr (writes) {
    states |= each * mask;
    std::memcpy(shadow->state + word, &states, n_words);
    ++races_.block().progress;
  }
  ++n_accesses_;
  if (space == Space::global) streams_.kernel_access({address, bytes, writes, !writes, How::plain, false, place});
  return true;
}

}  // namespace rafter::simt

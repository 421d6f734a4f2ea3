// The checks of one worker: the accesses of the threads that it runs.
#pragma once

#include <cstring>
#include <utility>

#include "executor/check/array_names.hpp"
#include "executor/check/races/race_checker.hpp"
#include "executor/check/races/race_fast_path.hpp"
#include "executor/check/regions.hpp"
#include "executor/check/speculative_launch.hpp"
#include "executor/check/streams/stream_checker.hpp"
#include "executor/engine/workers/worker.hpp"

namespace rafter::simt {

class WorkerChecks {
 public:
  WorkerChecks(Regions& regions, StreamChecker& streams) : regions_(regions), streams_(streams), races_(regions) {}

  /// `read_write_set` is where to record the accesses of a speculative launch; otherwise nullptr.
  void launch_began(Grid& grid, RaceChecker::Numbers numbers, ReadWriteSet* read_write_set);
  void launch_ended() { races_.launch_ended(); }
  /// Drops the results of the launch.
  void launch_rolled_back() {
    races_.launch_rolled_back();
    n_accesses_ = 0;
  }
  void forget_accesses() {
    regions_.forget_accesses();
    races_.forget_accesses();
  }
  void block_entered(Block& block);
  void block_ended(Block& block);
  RaceChecker& races() { return races_; }
  const RaceChecker& races() const { return races_; }
  std::optional<Found> find(const void* address) { return regions_.find(address); }
  std::uint64_t take_accesses() { return std::exchange(n_accesses_, 0); }
  std::uint64_t n_accesses() const { return n_accesses_; }

  void check(const Access& access, const Agent* agent) {
    check_fully(access, agent);
    if (read_write_set_ && speculation.has_failed()) this_worker()->abort_speculation();  // before the access happens
  }
  void check_fetch(const Access& access);
  /// Checks a load through the read-only cache for data that the launch wrote.
  void check_read_only(const Access& access);
  /// At the end of a launch: notes an array that is `const T* __restrict__` and was read after it had been written.
  void check_read_only_array(const ReadOnlyArray& array);
  /// Checks the alignment of a matrix that wmma loads or stores.
  void check_matrix(const void* address, std::size_t stride_bytes, const void* place);
  void copied(void* to, const void* from, std::size_t bytes);
  const Regions& regions() const { return regions_; }

  /// Checks a plain access of the running thread, aligned to its size, if the fast path can decide it. Otherwise
  /// returns false; check() must then be called. Both have the same result.
  template <std::uint32_t bytes, bool writes>
  bool check_fast(std::byte* address, const void* place);

 private:
  void check_fully(const Access& access, const Agent* agent);
  void track_for_rollback(const Access& access, const std::optional<Found>& found, const Agent* agent);
  bool exists(const Access& access, const Found& found);
  void check_written(const Access& access, const Found& found);
  /// Whether an address is on the running thread's stack.
  bool is_on_stack(const std::byte* address) const {
    const auto* const here = static_cast<const std::byte*>(__builtin_frame_address(0));
    // The guard of the next stack is at least this large.
    const bool is_near = static_cast<std::size_t>(address - here) < FiberPool::guard_bytes;
    const auto is_in_it = [&] {
      const FiberPool& stacks = this_worker()->fibers();
      return stacks.holds(address) && stacks.are_in_one(address, here);
    };
    return !races_.block().wgmmas.is_used() && (is_near || is_in_it());
  }

  Regions& regions_;
  StreamChecker& streams_;
  RaceChecker races_;
  ReadWriteSet* read_write_set_ = nullptr;
  const std::byte* arguments_ = nullptr;  // of the kernel
  std::size_t arguments_bytes_ = 0;
  std::uint64_t n_accesses_ = 0;
};

/// The checks of the calling OS thread while it runs blocks; nullptr if every access must take the slow path.
extern constinit thread_local WorkerChecks* checks_here;

template <std::uint32_t bytes, bool writes>
[[gnu::always_inline]] inline bool WorkerChecks::check_fast(std::byte* address, const void* place) {
  constexpr std::size_t n_words = bytes < 4 ? 1 : bytes / 4;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (at % bytes != 0 || !rafter_simt_now.inside || !races_.has_fast_path()) return false;
  const auto [shadow, space, first_segment] = regions_.find_fast(address, {arguments_, arguments_bytes_});
  if (!shadow) {
    if (space != Space::local && !is_on_stack(address)) return false;
    ++n_accesses_;
    return true;
  }
  const std::size_t word = shadow->word(address);
  // For each word: the accessed bytes must exist and, for a read, be written.
  constexpr std::uint64_t each = bytes == 16 ? 0x01010101 : bytes == 8 ? 0x0101 : 1;
  const unsigned mask = bytes < 4 ? ((1u << bytes) - 1) << at % 4 : 15;
  const std::uint64_t wanted = each * (writes ? mask << 4 : mask << 4 | mask);
  std::uint64_t states = 0;
  std::memcpy(&states, shadow->state + word, n_words);
  if ((states & wanted) != wanted) return false;
  if (races_.is_entering_lock()) return false;
  if (read_write_set_ && space == Space::global) {
    if (streams_.watches(address) || !read_write_set_->add(address, bytes, writes)) return false;
  }
  const Record mine{races_.running_thread_id(), races_.site(place) << 6 | mask};
  const SegmentRange valid = races_.valid_from(first_segment);
  for (std::size_t i = 0; i < n_words; ++i) {
    if (!(writes ? races_.fast_write(*shadow, word + i, mine, valid)
                 : races_.fast_read(*shadow, word + i, mine, valid)))
      return false;
  }
  if constexpr (writes) {
    states |= each * mask;
    std::memcpy(shadow->state + word, &states, n_words);
    ++races_.block().progress;
  }
  ++n_accesses_;
  if (space == Space::global)
    streams_.kernel_access({address, bytes, writes, !writes, AccessMode::plain, false, place});
  return true;
}

}  // namespace rafter::simt

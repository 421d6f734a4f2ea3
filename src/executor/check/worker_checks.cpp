#include "executor/check/worker_checks.hpp"

#include <algorithm>
#include <array>

#include "executor/check/memory_checker.hpp"
#include "executor/check/wide_types.hpp"
#include "executor/engine/async/async_findings.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/sync_findings.hpp"
#include "executor/memory/memory.hpp"

namespace rafter::simt {

constinit thread_local WorkerChecks* checks_here = nullptr;

namespace {

// Returns the bytes of the word at `at` that are in [at, end), as a mask.
unsigned covered(std::size_t at, std::size_t end) {
  const std::size_t stop = std::min(end, (at / 4 + 1) * 4);
  return ((1u << (stop - at)) - 1) << at % 4;
}

}  // namespace

void WorkerChecks::launch_began(Grid& grid, RaceChecker::Numbers numbers, ReadWriteSet* read_write_set) {
  read_write_set_ = read_write_set;
  arguments_ = static_cast<const std::byte*>(grid.launch().closure);
  arguments_bytes_ = grid.launch().closure_bytes;
  races_.launch_began(grid, numbers);
  regions_.launch_began(numbers.first);
}

void WorkerChecks::block_entered(Block& block) {
  races_.block_entered(block);
  regions_.enter(block, races_.next_segment());
  checks_here = options().in_step ? nullptr : this;
}

void WorkerChecks::block_ended(Block& block) {
  races_.block_ended(block);
  regions_.leave(block);
}

void WorkerChecks::check_fully(const Access& access, const Agent* agent) {
  races_.finish_pending();
  ++n_accesses_;
  const auto found = regions_.find(access.address);
  if (read_write_set_) track_for_rollback(access, found, agent);
  if (!found) {
    WgmmaState& wgmmas = this_worker()->block().wgmmas;
    if (wgmmas.is_used() && wgmmas.is_pending(access.address)) {
      return report_wgmma(access.place, access.writes ? "writes an accumulator" : "reads an accumulator",
                          "the wgmma that writes it may still be running: no thread has waited for its group");
    }
    if (this_worker()->is_in_other_stack(access.address)) return report_foreign_local(access);
    // The memory does not belong to the kernel. Executing the access could crash the process.
    if (report_non_device(access, regions_)) this_worker()->abandon(illegal_address);
    streams_.kernel_access_to_host(access);
    return;
  }
  if (!access.is_range && (access.bytes & (access.bytes - 1)) == 0) {
    const auto off = reinterpret_cast<std::uintptr_t>(access.address) % access.bytes;
    if (off != 0 && !(off == 8 && has_structures_at_8())) report_misaligned(access, *found, regions_);
  }
  if (access.writes && regions_.is_constant(access.address)) report_constant_write(access);
  // Fast case: a whole word that exists and was written.
  const std::size_t word = found->shadow->word(found->address);
  const bool is_word = access.bytes == 4 && reinterpret_cast<std::uintptr_t>(access.address) % 4 == 0;
  if (!is_word || found->shadow->state[word] != 0xff) {
    if (!exists(access, *found)) return;
    check_written(access, *found);
  }
  if (access.writes && access.mode == AccessMode::plain)
    ++this_worker()->block().progress;  // a waiting thread does not write
  if (found->owner && !agent) [[unlikely]] {
    if (found->owner == &this_worker()->block()) {
      report_unsupported("access to a block's own shared memory through a pointer that another block mapped",
                         access.place);
      this_worker()->abandon(launch_failure);
    }
    races_.remote_access(access, *found->owner);
  }
  races_.access(access, *found, agent);
  if (found->space == Space::global) streams_.kernel_access(access);
}

void WorkerChecks::check_fetch(const Access& access) {
  const auto found = regions_.find(access.address);
  if (found) races_.check_fetch(access, *found, Kind::stale_texture);
  check(access, nullptr);
}

void WorkerChecks::check_read_only(const Access& access) {
  races_.finish_pending();
  const auto found = regions_.find(access.address);
  if (found && found->space == Space::global) races_.check_fetch(access, *found, Kind::stale_read_only);
}

void WorkerChecks::check_read_only_array(const ReadOnlyArray& array) {
  races_.finish_pending();
  if (const auto found = regions_.find(array.begin)) races_.check_read_only_array(*found->shadow, array);
}

void WorkerChecks::check_matrix(const void* address, std::size_t stride_bytes, const void* place) {
  constexpr std::size_t matrix_alignment = 32, row_alignment = 16;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (at % matrix_alignment == 0 && stride_bytes % row_alignment == 0) return;
  const Access access{
      static_cast<std::byte*>(const_cast<void*>(address)), 0, false, true, AccessMode::plain, true, place};
  const std::string detail =
      at % matrix_alignment != 0
          ? "a wmma matrix must begin at a multiple of 32 bytes; it begins " + std::to_string(at % matrix_alignment) +
                " bytes past one"
          : "the rows of a wmma matrix must be a multiple of 16 bytes apart; they are " + std::to_string(stride_bytes);
  report_misaligned_matrix(access, regions_.find(access.address), regions_, detail);
}

// Speculative launch: records accesses that can be rolled back; aborts the speculation before any other access.
void WorkerChecks::track_for_rollback(const Access& access, const std::optional<Found>& found, const Agent* agent) {
  Worker& worker = *this_worker();
  const bool is_own = found ? found->space == Space::shared : worker.fibers().holds(access.address);
  if (agent || access.mode != AccessMode::plain) return worker.abort_speculation();
  if (is_own) return;
  if (!found || !memory().holds(access.address)) {
    if (access.writes) worker.abort_speculation();
    return;
  }
  const std::byte* const last = access.address + access.bytes - 1;
  if (!memory().holds(last) || !memory().is_mapped(access.address) || !memory().is_mapped(last) ||
      streams_.watches(access.address) || !read_write_set_->add(access.address, access.bytes, access.writes)) {
    worker.abort_speculation();
  }
}

// Copies the written state with the data. A source without any written byte has already been reported.
void WorkerChecks::copied(void* to, const void* from, std::size_t bytes) {
  const auto source = regions_.find(from), target = regions_.find(to);
  if (!source || !target) return;
  const auto is_whole = [&](const Found& found) { return found.shadow->holds(found.address + bytes - 1); };
  const bool overlaps = source->address < target->address + bytes && target->address < source->address + bytes;
  if (!is_whole(*source) || !is_whole(*target) || overlaps) return;
  if (!source->shadow->any_written(source->address, bytes)) return;
  // Uninitialised bytes differ between workers.
  if (read_write_set_ && source->shadow->unwritten(source->address, bytes).bytes > 0)
    this_worker()->abort_speculation();
  target->shadow->copy_written(target->address, *source->shadow, source->address, bytes);
}

bool WorkerChecks::exists(const Access& access, const Found& found) {
  const auto first = static_cast<std::size_t>(found.address - found.shadow->base);
  for (std::size_t at = first, end = first + access.bytes; at < end; at = (at / 4 + 1) * 4) {
    const unsigned mask = covered(at, end);
    if ((static_cast<unsigned>(found.shadow->state[at / 4]) >> 4 & mask) != mask) {
      if (found.space == Space::shared && regions_.is_guard(access.address)) return false;
      report_outside(access, found, regions_);
      // An access close to an allocation hits its redzone; a wild one must not be executed.
      if (memory().holds(access.address) && !memory().is_mapped(access.address))
        this_worker()->abandon(illegal_address);
      return false;
    }
  }
  return true;
}

void WorkerChecks::check_written(const Access& access, const Found& found) {
  const auto first = static_cast<std::size_t>(found.address - found.shadow->base);
  bool some_missing = false, all_missing = true;
  std::array<bool, 2> is_half_missing{true, true};  // of a 16-byte access
  for (std::size_t at = first, end = first + access.bytes; at < end; at = (at / 4 + 1) * 4) {
    const unsigned mask = covered(at, end);
    std::uint8_t& state = found.shadow->state[at / 4];
    some_missing |= (state & mask) != mask;
    all_missing &= (state & mask) == 0;
    if ((state & mask) != 0 && at < first + 16) is_half_missing[(at - first) / 8] = false;
    if (access.writes) state = static_cast<std::uint8_t>(state | mask);
  }
  // Copies of whole structures include padding, which is never written. A 16-byte structure, such as a pointer and an
  // int, looks like any other access of that size; its padding is smaller than half of it.
  if (!access.reads || !some_missing) return;
  const bool may_be_structure = access.bytes == 16 && !access.is_range && has_structures_at_8();
  const bool is_missing = access.is_range    ? all_missing
                          : may_be_structure ? is_half_missing[0] || is_half_missing[1]
                                             : some_missing;
  if (is_missing) report_uninitialised(access, found, regions_);
}

}  // namespace rafter::simt

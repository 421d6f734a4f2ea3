#include "executor/check/check_observer.hpp"

#include <algorithm>
#include <bit>

#include "executor/check/array_names.hpp"
#include "executor/check/memory_checker.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/memory/memory.hpp"
#include "executor/process/options.hpp"
#include "executor/process/speculation.hpp"

namespace rafter::simt {

CheckObserver::CheckObserver() {
  host_filter.memory = reinterpret_cast<std::uintptr_t>(memory().base());
  host_filter.memory_bytes = memory().range_bytes();
}

WorkerChecks& CheckObserver::current() {
  const int number = this_worker()->number();
  return number == 0 ? checks_ : others_[static_cast<std::size_t>(number) - 1]->checks;
}

bool CheckObserver::may_share(const Grid& grid) const {
  const Options& o = options();
  return o.sample == 0 && !o.in_step && o.program_limit_s <= 0 && o.launch_limit_s <= 0 && o.time_limit_s <= 0 &&
         !grid.has_clusters() && !streams_.watches_everything() && !checks_.races().may_order_pairwise(grid) &&
         !single_worker_kernels_.contains(grid.launch().kernel);
}

int CheckObserver::n_workers(const Grid& grid, int at_most) {
  // Threads per worker; with fewer, the launch ends before the worker wakes up.
  constexpr std::int64_t worth_waking = 2048;
  const dim3& block = grid.launch().block;
  const std::int64_t n_threads = grid.n_blocks() * block.x * block.y * block.z;
  if (!written_read_only_arrays(grid.launch()).empty()) return 1;
  const auto n =
      options().n_workers > 0 ? at_most : static_cast<int>(std::min<std::int64_t>(at_most, n_threads / worth_waking));
  return n > 1 && may_share(grid) && shared_.begin(n) ? n : 1;
}

void CheckObserver::launch_began(Grid& grid, int n_workers) {
  kernel_ = grid.launch().kernel;
  const auto n_others = static_cast<std::uint32_t>(n_workers) - 1;
  while (others_.size() < n_others) others_.push_back(std::make_unique<OtherWorker>(regions_, streams_));
  if (next_segment_ > RaceChecker::most_segments / 2) {  // segment numbers start again
    next_segment_ = 1;
    checks_.forget_accesses();
    for (const auto& other : others_) other->checks.forget_accesses();
  }
  const std::uint32_t first = next_segment_;
  if (n_others == 0) return checks_.launch_began(grid, {first, 0}, nullptr);
  const int shift = std::bit_width(n_others);
  checks_.launch_began(grid, {first, shift}, &shared_.read_write_set(0));
  for (std::uint32_t i = 0; i < n_others; ++i) {
    others_[i]->checks.launch_began(grid, {first + i + 1, shift}, &shared_.read_write_set(static_cast<int>(i) + 1));
  }
  speculation.begin();
}

std::optional<Observer::RunningLaunch> CheckObserver::running_launch() const {
  if (!kernel_) return std::nullopt;
  std::uint64_t n_accesses = checks_.n_accesses();
  for (const auto& other : others_) n_accesses += other->checks.n_accesses();
  return RunningLaunch{kernel_, n_accesses};
}

bool CheckObserver::launch_ended(Grid& grid) {
  kernel_ = nullptr;
  next_segment_ = std::max(next_segment_, checks_.races().next_segment());
  for (int i = 1; i < grid.n_sharing(); ++i) {
    const WorkerChecks& checks = others_[static_cast<std::size_t>(i) - 1]->checks;
    next_segment_ = std::max(next_segment_, checks.races().next_segment());
  }
  if (grid.n_sharing() > 1 && !commit_or_roll_back(grid)) return false;
  if (grid.n_sharing() == 1) {
    for (const ReadOnlyArray& array : written_read_only_arrays(grid.launch())) checks_.check_read_only_array(array);
  }
  checks_.launch_ended();
  std::uint64_t n_accesses = checks_.take_accesses();
  for (const auto& other : others_) n_accesses += other->checks.take_accesses();
  // Otherwise the launch starts again.
  if (!grid.asked_clusters()) findings().kernel(grid.launch().kernel).accesses += n_accesses;
  return true;
}

// Commits a speculative launch if its result is the one of a single worker; otherwise rolls it back. Returns true if it
// was committed.
bool CheckObserver::commit_or_roll_back(const Grid& grid) {
  speculation.end();
  const auto is_simple = [](const auto& other) { return other->checks.races().had_barriers_only(); };
  const bool good = !speculation.has_failed() && !grid.error() && checks_.races().had_barriers_only() &&
                    std::all_of(others_.begin(), others_.begin() + grid.n_sharing() - 1, is_simple) &&
                    !shared_.has_conflict();
  if (!good) {
    shared_.roll_back();
    single_worker_kernels_.insert(grid.launch().kernel);
    checks_.launch_rolled_back();
    for (const auto& other : others_) other->checks.launch_rolled_back();
  }
  shared_.end();
  return good;
}

void CheckObserver::atomic_done(const volatile void* address, rafter_simt::Effect effect) {
  current().races().atomic_done(home_address(const_cast<void*>(address)), effect);
}

void CheckObserver::acquired(const volatile void* address, rafter_simt::Scope scope) {
  current().races().acquired(home_address(const_cast<void*>(address)), scope);
}

void CheckObserver::agent_skipped(void* to, std::size_t bytes) {
  if (const auto found = current().find(to)) found->shadow->set(Shadow::Part::written, found->address, bytes, false);
}

void CheckObserver::agent_joined(const Agent& agent, const Access& access) {
  if (const auto found = current().find(access.address)) current().races().agent_joined(agent, access, *found);
}

// Memory with a shadow is checked by its shadow: the array there may be part of a larger one, and programs rely on
// that.
void CheckObserver::outside_object(const Access& access) {
  const bool is_local = this_worker()->fibers().holds(access.address);
  WorkerChecks& checks = current();
  if (!is_local && (checks.find(access.address) || !checks.regions().is_harmless(access.address))) return;
  report_outside_object(access, is_local ? Space::local : Space::none);
  this_worker()->abort_speculation();
  // The runtime's frames are on this stack, too.
  if (is_local && access.writes) this_worker()->abandon(illegal_address);
}

void CheckObserver::host_access(const Access& access) {
  const bool is_device = memory().holds(access.address) && memory().kind_at(access.address) == MemoryKind::device;
  if (!is_device && !regions_.is_device_variable(access.address)) return streams_.host_access(access);
  report_host_touch(access, regions_);
  streams_.host_touched_device();
  if (is_device && access.writes) regions_.global().set(Shadow::Part::written, access.address, access.bytes, true);
}

}  // namespace rafter::simt

#include "executor/check/check_observer.hpp"

#include <algorithm>
#include <bit>

#include "executor/check/memory_checker.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/memory/memory.hpp"
#include "executor/process/options.hpp"
#include "executor/process/trial.hpp"

namespace rafter::simt {

CheckObserver::CheckObserver() {
  host_glance.memory = reinterpret_cast<std::uintptr_t>(memory().base());
  host_glance.memory_bytes = memory().range_bytes();
}

WorkerChecks& CheckObserver::here() {
  const int number = this_worker()->number();
  return number == 0 ? checks_ : others_[static_cast<std::size_t>(number) - 1]->checks;
}

bool CheckObserver::may_share(const Grid& grid) const {
  const Options& o = options();
  return o.sample == 0 && !o.in_step && o.program_limit_s <= 0 && o.launch_limit_s <= 0 && o.time_limit_s <= 0 &&
         !grid.has_clusters() && !streams_.watches_everything() && !checks_.races().may_go_one_by_one(grid) &&
         !kept_alone_.contains(grid.launch().kernel);
}

int CheckObserver::n_workers(const Grid& grid, int at_most) {
  constexpr std::int64_t worth_waking = 2048;  // threads for each; fewer are done before it is awake
  const dim3& block = grid.launch().block;
  const std::int64_t n_threads = grid.n_blocks() * block.x * block.y * block.z;
  const auto n =
      options().n_workers > 0 ? at_most : static_cast<int>(std::min<std::int64_t>(at_most, n_threads / worth_waking));
  return n > 1 && may_share(grid) && shared_.begin(n) ? n : 1;
}

void CheckObserver::launch_began(Grid& grid, int n_workers) {
  kernel_ = grid.launch().kernel;
  const auto n_others = static_cast<std::uint32_t>(n_workers) - 1;
  while (others_.size() < n_others) others_.push_back(std::make_unique<Other>(regions_, streams_));
  if (next_segment_ > RaceChecker::most_segments / 2) {  // the numbers start again
    next_segment_ = 1;
    checks_.forget_accesses();
    for (const auto& other : others_) other->checks.forget_accesses();
  }
  const std::uint32_t first = next_segment_;
  if (n_others == 0) return checks_.launch_began(grid, {first, 0}, nullptr);
  const int shift = std::bit_width(n_others);
  checks_.launch_began(grid, {first, shift}, &shared_.tracks(0));
  for (std::uint32_t i = 0; i < n_others; ++i) {
    others_[i]->checks.launch_began(grid, {first + i + 1, shift}, &shared_.tracks(static_cast<int>(i) + 1));
  }
  trial.begin();
}

std::optional<Observer::UnderWay> CheckObserver::under_way() const {
  if (!kernel_) return std::nullopt;
  std::uint64_t n_accesses = checks_.n_accesses();
  for (const auto& other : others_) n_accesses += other->checks.n_accesses();
  return UnderWay{kernel_, n_accesses};
}

bool CheckObserver::launch_ended(Grid& grid) {
  kernel_ = nullptr;
  next_segment_ = std::max(next_segment_, checks_.races().next_segment());
  for (int i = 1; i < grid.n_sharing(); ++i) {
    const WorkerChecks& checks = others_[static_cast<std::size_t>(i) - 1]->checks;
    next_segment_ = std::max(next_segment_, checks.races().next_segment());
  }
  if (grid.n_sharing() > 1 && !stands(grid)) return false;
  checks_.launch_ended();
  std::uint64_t n_accesses = checks_.take_accesses();
  for (const auto& other : others_) n_accesses += other->checks.take_accesses();
  if (!grid.asked_clusters()) findings().kernel(grid.launch().kernel).accesses += n_accesses;  // else it starts again
  return true;
}

// Whether what several workers did is what one would have done. Where it is not, it is undone.
bool CheckObserver::stands(const Grid& grid) {
  trial.end();
  const auto is_simple = [](const auto& other) { return other->checks.races().had_barriers_only(); };
  const bool good = !trial.has_failed() && !grid.error() && checks_.races().had_barriers_only() &&
                    std::all_of(others_.begin(), others_.begin() + grid.n_sharing() - 1, is_simple) &&
                    !shared_.have_met();
  if (!good) {
    shared_.undo();
    kept_alone_.insert(grid.launch().kernel);
    checks_.launch_undone();
    for (const auto& other : others_) other->checks.launch_undone();
  }
  shared_.end();
  return good;
}

void CheckObserver::atomic_done(const volatile void* address, rafter_simt::Effect effect) {
  here().races().atomic_done(this_worker()->home(const_cast<void*>(address)), effect);
}

void CheckObserver::acquired(const volatile void* address, rafter_simt::Scope scope) {
  here().races().acquired(this_worker()->home(const_cast<void*>(address)), scope);
}

void CheckObserver::agent_skipped(void* to, std::size_t bytes) {
  if (const auto found = here().find(to)) found->shadow->set(Shadow::Part::written, found->address, bytes, false);
}

void CheckObserver::agent_joined(const Agent& agent, const Access& access) {
  if (const auto found = here().find(access.address)) here().races().agent_joined(agent, access, *found);
}

// Memory that has a shadow is judged by that: an array there may be a part of one, and programs count on it.
void CheckObserver::past_object(const Access& access) {
  const bool is_local = this_worker()->fibers().holds(access.address);
  WorkerChecks& checks = here();
  if (!is_local && (checks.find(access.address) || !checks.regions().is_harmless(access.address))) return;
  report_past_object(access, is_local ? Space::local : Space::none);
  this_worker()->leave_trial();
  if (is_local && access.writes) this_worker()->abandon(illegal_address);  // the stack is ours, too
}

void CheckObserver::host_access(const Access& access) {
  const bool is_device = memory().holds(access.address) && memory().kind_at(access.address) == MemoryKind::device;
  if (!is_device && !regions_.is_device_variable(access.address)) return streams_.host_access(access);
  report_host_touch(access, regions_);
  streams_.host_touched_device();
  if (is_device && access.writes) regions_.global().set(Shadow::Part::written, access.address, access.bytes, true);
}

}  // namespace rafter::simt

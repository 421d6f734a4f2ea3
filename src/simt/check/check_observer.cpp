#include "simt/check/check_observer.hpp"

#include "simt/check/memory_checker.hpp"
#include "simt/engine/failure.hpp"
#include "simt/engine/worker.hpp"
#include "simt/memory/memory.hpp"

namespace rafter::simt {

CheckObserver::CheckObserver() {
  host_glance.memory = reinterpret_cast<std::uintptr_t>(memory().base());
  host_glance.memory_bytes = memory().range_bytes();
}

void CheckObserver::launch_ended(Grid& grid) {
  checks_.launch_ended();
  findings().kernel(grid.launch().kernel).accesses += checks_.take_accesses();
}

// What was written there is what was written here; when nothing was, that has been reported.
void CheckObserver::copied(void* to, const void* from, std::size_t bytes) {
  const auto source = regions_.find(const_cast<void*>(from)), target = regions_.find(to);
  if (!source || !target) return;
  const auto is_whole = [&](const Found& found) { return found.shadow->holds(found.address + bytes - 1); };
  const bool overlaps = source->address < target->address + bytes && target->address < source->address + bytes;
  if (!is_whole(*source) || !is_whole(*target) || overlaps) return;
  if (!source->shadow->any_written(source->address, bytes)) return;
  target->shadow->copy_written(target->address, *source->shadow, source->address, bytes);
}

void CheckObserver::atomic_done(const volatile void* address, rafter_simt::Effect effect) {
  checks_.races().atomic_done(this_worker()->home(const_cast<void*>(address)), effect);
}

void CheckObserver::acquired(const volatile void* address, rafter_simt::Scope scope) {
  checks_.races().acquired(this_worker()->home(const_cast<void*>(address)), scope);
}

void CheckObserver::agent_skipped(void* to, std::size_t bytes) {
  if (const auto found = regions_.find(to)) found->shadow->set(Shadow::Part::written, found->address, bytes, false);
}

void CheckObserver::agent_joined(const Agent& agent, const Access& access) {
  if (const auto found = regions_.find(access.address)) checks_.races().agent_joined(agent, access, *found);
}

// Memory that has a shadow is judged by that: an array there may be a part of one, and programs count on it.
void CheckObserver::past_object(const Access& access) {
  const bool is_local = this_worker()->fibers().holds(access.address);
  if (!is_local && (regions_.find(access.address) || !regions_.is_harmless(access.address))) return;
  report_past_object(access, is_local ? Space::local : Space::none);
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

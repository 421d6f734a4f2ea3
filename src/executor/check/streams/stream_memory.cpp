// The stream checker's handling of events and of memory that is allocated and freed.
#include "executor/check/streams/stream_checker.hpp"
#include "executor/memory/memory.hpp"

namespace rafter::simt {
namespace {

Target whole(const Allocation& allocation) {
  return {std::string(name(allocation.kind)) + " memory", allocation.bytes, 0, allocation.made_at, nullptr};
}

}  // namespace

// Called with the lock of Memory held, like freed().
void StreamChecker::allocated(const Allocation& allocation) {
  if (rafter_simt_now.inside) return;
  const Bytes bytes = Bytes::at(allocation.base, allocation.bytes);
  const std::lock_guard lock(data_);
  order_.forget(bytes);
  if (!is_in_task()) return;
  // cudaMallocAsync: the memory does not exist before its stream reaches the call.
  stream_ordered_.insert(allocation.base);
  order_.current()->accesses.add(bytes, Use::writes, sites_.number(task_, task_.place));
}

void StreamChecker::freed(const Allocation& allocation) {
  if (rafter_simt_now.inside) return;
  const Bytes bytes = Bytes::at(allocation.base, allocation.bytes);
  Side now{"frees it", allocation.freed_at, 0, {}, {}};
  std::unique_lock lock(data_);
  const bool is_stream_ordered = stream_ordered_.erase(allocation.base) != 0;
  std::vector<StreamConflict> met;
  if (is_in_task()) {  // cudaFreeAsync
    now = side_of(task_, Use::writes, 0, allocation.freed_at);
    met = find_concurrent_conflicts(bytes, Use::writes);
  } else if (is_stream_ordered || allocation.kind == MemoryKind::pinned) {
    met = find_pending_conflicts(bytes, Use::writes);
  } else {
    order_.host_waits_for_all();  // cudaFree synchronises the device
    changed();
  }
  lock.unlock();
  for (const StreamConflict& conflict : met) {
    report_freed_in_use(conflict, now, is_in_task() ? &task_ : nullptr, whole(allocation));
  }
}

void StreamChecker::host_memory_gone(const void* begin, std::size_t bytes, const char* how, const void* place) {
  std::unique_lock lock(data_);
  const auto met = find_pending_conflicts(Bytes::at(begin, bytes), Use::writes);
  lock.unlock();
  for (const StreamConflict& conflict : met) {
    report_freed_in_use(conflict, {how, place, 0, {}, {}}, nullptr, Target{"pinned host memory", bytes});
  }
}

void StreamChecker::event_recorded(const void* event, const StreamRef& stream) {
  const std::scoped_lock lock(calls_, data_);
  order_.record(event, stream);
  waited_before_.erase(event);
}

void StreamChecker::stream_waits(const StreamRef& stream, const void* event, const void* place) {
  const std::scoped_lock lock(calls_, data_);
  if (!order_.stream_waits(stream, event)) waited_before_.try_emplace(event, place);
}

void StreamChecker::host_waits(const void* event, const void* place) {
  const std::scoped_lock lock(calls_, data_);
  if (!order_.host_waits(event)) waited_before_.try_emplace(event, place);
  changed();
}

void StreamChecker::time_missed(const void* place) {
  report_event_not_recorded("asks for the time between two events", place, "one of them was never recorded");
}

// A loop may wait in its first iteration for an event that is recorded only at its end. So a wait is reported only if
// the event was never recorded at all.
void StreamChecker::report_unrecorded_wait(const void* event, const void* place) {
  waited_before_.erase(event);
  report_event_not_recorded("waits for an event", place,
                            "the event was never recorded, so the wait returns at once and orders nothing");
}

void StreamChecker::event_destroyed(const void* event) {
  const std::scoped_lock lock(calls_, data_);
  order_.destroy(event);
  if (const auto at = waited_before_.find(event); at != waited_before_.end()) report_unrecorded_wait(event, at->second);
}

void StreamChecker::process_ends() {
  const std::scoped_lock lock(calls_, data_);
  while (!waited_before_.empty()) report_unrecorded_wait(waited_before_.begin()->first, waited_before_.begin()->second);
}

}  // namespace rafter::simt

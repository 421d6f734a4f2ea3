#include "executor/api/events.hpp"

#include "executor/api/call.hpp"
#include "executor/api/graphs/capture.hpp"
#include "executor/api/streams.hpp"
#include "executor/process/observer.hpp"
#include "rafter_simt/api/functions.hpp"

struct CUevent_st {};

namespace rafter::simt {

cudaEvent_t Events::create(unsigned flags) {
  const std::lock_guard lock(mutex_);
  const auto event = new CUevent_st;
  events_[event] = {flags, std::nullopt};
  return event;
}

bool Events::destroy(cudaEvent_t event) {
  const std::lock_guard lock(mutex_);
  if (events_.erase(event) == 0) return false;
  delete event;
  return true;
}

bool Events::record(cudaEvent_t event) {
  const auto now = Clock::now();
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(event);
  if (found == events_.end()) return false;
  found->second.recorded = now;
  return true;
}

std::optional<Events::Event> Events::find(cudaEvent_t event) const {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(event);
  return found == events_.end() ? std::nullopt : std::optional(found->second);
}

Events& events() {
  static Events& events = *new Events;  // never destroyed: destructors of the program may still use it
  return events;
}

}  // namespace rafter::simt

using namespace rafter::simt;

namespace {

cudaError_t create(cudaEvent_t* event, unsigned flags) {
  if (event == nullptr || flags > (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess))
    return cudaErrorInvalidValue;
  *event = events().create(flags);
  return cudaSuccess;
}

cudaError_t record(cudaEvent_t event, cudaStream_t stream) {
  if (!streams().known(stream) || !events().known(event)) return cudaErrorInvalidResourceHandle;
  if (captures().in_use()) {
    const StreamRef ref = streams().ref(stream);
    if (const cudaError_t refused = captures().admit(ref); refused != cudaSuccess) return refused;
    if (captures().of(ref)) return captures().record(event, ref);
    captures().forget(event);
  }
  events().record(event);
  if (StreamObserver* observer = observing_streams()) observer->event_recorded(event, streams().ref(stream));
  return cudaSuccess;
}

/// Returns an error for an event of a capture: its nodes have not run.
cudaError_t refuse_captured(cudaEvent_t event) {
  return captures().in_use() && captures().is_captured(event) ? cudaErrorCapturedEvent : cudaSuccess;
}

cudaError_t wait_for(cudaEvent_t event, const void* site) {
  if (!events().known(event)) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t refused = refuse_captured(event); refused != cudaSuccess) return refused;
  if (StreamObserver* observer = observing_streams()) observer->host_waits(event, site);
  return cudaSuccess;
}

bool timed(const std::optional<Events::Event>& event) {
  return event && event->recorded && (event->flags & cudaEventDisableTiming) == 0;
}

}  // namespace

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return call([&] { return create(event, cudaEventDefault); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call([&] { return create(event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&] {
    if (!events().known(event)) return cudaErrorInvalidResourceHandle;
    if (StreamObserver* observer = observing_streams()) observer->event_destroyed(event);
    if (captures().in_use()) captures().forget(event);
    events().destroy(event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call([&] { return record(event, stream); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return call([&] {
    if (flags > cudaEventRecordExternal) return cudaErrorInvalidValue;
    if (flags == cudaEventRecordDefault) return record(event, stream);
    if (!streams().known(stream) || !events().known(event)) return cudaErrorInvalidResourceHandle;
    const auto draft = [&] {  // a node that records the event at every launch of the graph
      return NodeDraft{cudaGraphNodeTypeEventRecord, [=](cudaStream_t branch) { return record(event, branch); }, event};
    };
    return captured(stream, draft).value_or(cudaErrorInvalidValue);  // only for captured streams
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return wait_for(event, site); });
}

// A query that succeeds synchronises the host with the event. Querying an event that was never recorded is allowed.
cudaError_t cudaEventQuery(cudaEvent_t event) {
  const void* const site = __builtin_return_address(0);
  bool is_busy = false;  // see cudaStreamQuery
  const cudaError_t error = call([&] {
    const auto found = events().find(event);
    if (!found) return cudaErrorInvalidResourceHandle;
    if (const cudaError_t refused = refuse_captured(event); refused != cudaSuccess) return refused;
    StreamObserver* observer = observing_streams();
    is_busy = found->recorded && observer && observer->is_busy(event);
    return found->recorded && !is_busy ? wait_for(event, site) : cudaSuccess;
  });
  return is_busy ? cudaErrorNotReady : error;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    const auto from = events().find(start), to = events().find(end);
    for (const cudaEvent_t event : {start, end}) {
      if (const cudaError_t refused = refuse_captured(event); refused != cudaSuccess) return refused;
    }
    const bool is_missed = (from && !from->recorded) || (to && !to->recorded);
    if (StreamObserver* observer = observing_streams(); observer && is_missed) observer->time_missed(site);
    if (!timed(from) || !timed(to)) return cudaErrorInvalidResourceHandle;
    return store_result(milliseconds,
                        std::chrono::duration<float, std::milli>(*to->recorded - *from->recorded).count());
  });
}

#include "simt/api/events.hpp"

#include "rafter_simt/api_functions.hpp"
#include "simt/api/call.hpp"
#include "simt/api/streams.hpp"
#include "simt/process/observer.hpp"

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
  static Events& events = *new Events;  // never destroyed: destructors of the program may still call
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
  if (!streams().known(stream) || !events().record(event)) return cudaErrorInvalidResourceHandle;
  if (StreamObserver* observer = observing_streams()) observer->event_recorded(event, streams().ref(stream));
  return cudaSuccess;
}

cudaError_t wait_for(cudaEvent_t event, const void* site) {
  if (!events().known(event)) return cudaErrorInvalidResourceHandle;
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
    events().destroy(event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call([&] { return record(event, stream); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return call([&] { return flags > cudaEventRecordExternal ? cudaErrorInvalidValue : record(event, stream); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const void* const site = __builtin_return_address(0);
  return call([&] { return wait_for(event, site); });
}

// It says that what was recorded is done, so the host knows; of an event that never was, programs may ask.
cudaError_t cudaEventQuery(cudaEvent_t event) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    const auto found = events().find(event);
    if (!found) return cudaErrorInvalidResourceHandle;
    return found->recorded ? wait_for(event, site) : cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    const auto from = events().find(start), to = events().find(end);
    const bool is_missed = (from && !from->recorded) || (to && !to->recorded);
    if (StreamObserver* observer = observing_streams(); observer && is_missed) observer->time_missed(site);
    if (!timed(from) || !timed(to)) return cudaErrorInvalidResourceHandle;
    return give(milliseconds, std::chrono::duration<float, std::milli>(*to->recorded - *from->recorded).count());
  });
}

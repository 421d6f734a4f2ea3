#include "simt/api/events.hpp"

#include "rafter_simt/api_functions.hpp"
#include "simt/api/call.hpp"
#include "simt/api/streams.hpp"

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
  return streams().known(stream) && events().record(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t check_known(cudaEvent_t event) {
  return events().known(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
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
  return call([&] { return events().destroy(event) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call([&] { return record(event, stream); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return call([&] { return flags > cudaEventRecordExternal ? cudaErrorInvalidValue : record(event, stream); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call([&] { return check_known(event); });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call([&] { return check_known(event); });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call([&] {
    const auto from = events().find(start), to = events().find(end);
    if (!timed(from) || !timed(to)) return cudaErrorInvalidResourceHandle;
    return give(milliseconds, std::chrono::duration<float, std::milli>(*to->recorded - *from->recorded).count());
  });
}

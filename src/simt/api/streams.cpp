#include "simt/api/streams.hpp"

#include <algorithm>
#include <cstdint>

#include "rafter_simt/api_functions.hpp"
#include "simt/api/call.hpp"
#include "simt/api/events.hpp"

namespace rafter::simt {
namespace {

bool is_default(cudaStream_t stream) { return reinterpret_cast<std::uintptr_t>(stream) <= 2; }

}  // namespace

cudaStream_t Streams::create(unsigned flags, int priority) {
  const std::lock_guard lock(mutex_);
  auto made = std::make_unique<CUstream_st>(CUstream_st{flags, std::clamp(priority, greatest_priority, 0), next_id_++});
  const cudaStream_t stream = made.get();
  streams_.emplace(stream, std::move(made));
  return stream;
}

bool Streams::destroy(cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  return streams_.erase(stream) == 1;
}

bool Streams::known(cudaStream_t stream) const {
  if (is_default(stream)) return true;
  const std::lock_guard lock(mutex_);
  return streams_.count(stream) == 1;
}

CUstream_st Streams::describe(cudaStream_t stream) const {
  if (is_default(stream)) return {cudaStreamDefault, 0, reinterpret_cast<std::uintptr_t>(stream)};
  return *stream;
}

Streams& streams() {
  static Streams& streams = *new Streams;  // never destroyed: destructors of the program may still call
  return streams;
}

}  // namespace rafter::simt

using namespace rafter::simt;

namespace {

/// Runs a call about a stream that exists.
template <class Body>
cudaError_t call_on(cudaStream_t stream, Body body) {
  return call([&] { return streams().known(stream) ? body() : cudaErrorInvalidResourceHandle; });
}

cudaError_t create(cudaStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  *stream = streams().create(flags, priority);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return call([&] { return create(stream, cudaStreamDefault, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return call([&] { return create(stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call([&] { return create(stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call([&] { return streams().destroy(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call_on(stream, [] { return cudaSuccess; });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return call_on(stream, [] { return cudaSuccess; });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return call_on(stream, [&] {
    if (flags > cudaEventWaitExternal) return cudaErrorInvalidValue;
    return events().known(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags) {
  return call_on(stream, [&] {
    if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return call_on(stream, [&] {
    if (function == nullptr) return cudaErrorInvalidValue;
    function(data);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return call_on(stream, [&] { return give(flags, streams().describe(stream).flags); });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return call_on(stream, [&] { return give(priority, streams().describe(stream).priority); });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return call_on(stream, [&] { return give(id, streams().describe(stream).id); });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return call_on(stream, [&] { return give(device, 0); });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return call_on(stream, [&] { return give(status, cudaStreamCaptureStatusNone); });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID, const cudaStreamAttrValue* value) {
  return call_on(stream, [&] { return value == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID, cudaStreamAttrValue* value) {
  return call_on(stream, [&] { return give(value, cudaStreamAttrValue{}); });
}

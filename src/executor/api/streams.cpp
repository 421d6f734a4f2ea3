#include "executor/api/streams.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "executor/api/call.hpp"
#include "executor/api/events.hpp"
#include "executor/api/graphs/capture.hpp"
#include "executor/api/task.hpp"
#include "rafter_simt/api/functions.hpp"

namespace rafter::simt {
namespace {

constexpr unsigned long long before_first = 2;  // identifiers of the default streams

bool is_default(cudaStream_t stream) { return reinterpret_cast<std::uintptr_t>(stream) <= 2; }

/// The default stream of this thread.
StreamRef thread_stream() {
  static std::atomic<std::uint64_t> n_threads = 0;
  thread_local const std::uint64_t number = first_per_thread + n_threads++;
  return {number, StreamKind::blocking};
}

}  // namespace

cudaStream_t Streams::create(unsigned flags, int priority) {
  const std::lock_guard lock(mutex_);
  auto made = std::make_unique<CUstream_st>(CUstream_st{flags, std::clamp(priority, greatest_priority, 0), next_id_++});
  const cudaStream_t stream = made.get();
  streams_.emplace(stream, std::move(made));
  return stream;
}

cudaStream_t Streams::create_branch(std::uint64_t graph, std::uint64_t branch) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = first_branch + graph * branches_of_graph + std::min(branch, branches_of_graph - 1);
  auto made = std::make_unique<CUstream_st>(CUstream_st{cudaStreamNonBlocking, 0, number + before_first});
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

StreamRef Streams::ref(cudaStream_t stream) const {
  constexpr StreamRef legacy{0, StreamKind::legacy};
  if (stream == nullptr) return is_per_thread_ ? thread_stream() : legacy;
  if (is_default(stream)) return stream == cudaStreamPerThread ? thread_stream() : legacy;
  const std::lock_guard lock(mutex_);
  const auto at = streams_.find(stream);
  if (at == streams_.end()) return legacy;
  const bool blocks = (at->second->flags & cudaStreamNonBlocking) == 0;
  return {at->second->id - before_first, blocks ? StreamKind::blocking : StreamKind::non_blocking};
}

Streams& streams() {
  static Streams& streams = *new Streams;  // never destroyed: destructors of the program may still use it
  return streams;
}

}  // namespace rafter::simt

using namespace rafter::simt;

namespace {

/// Runs a call's body if the stream exists.
template <class Body>
cudaError_t call_on(cudaStream_t stream, Body body) {
  return call([&] { return streams().known(stream) ? body() : cudaErrorInvalidResourceHandle; });
}

cudaError_t create(cudaStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  *stream = streams().create(flags, priority);
  if (StreamObserver* observer = observing_streams()) observer->stream_made();
  return cudaSuccess;
}

cudaError_t wait_for(cudaStream_t stream) {
  if (const cudaError_t refused = refused_by_capture(stream); refused != cudaSuccess) return refused;
  host_waited(stream);
  return cudaSuccess;
}

cudaError_t call_host_function(const cudaHostNodeParams& function, cudaStream_t stream, const void* site) {
  host_waited(stream);  // as for a callback
  Task task("the host function", stream, site);
  task.host_waits();
  function.fn(function.userData);
  return cudaSuccess;
}

}  // namespace

cudaError_t rafter::simt::enqueue_host_function(const cudaHostNodeParams& function, cudaStream_t stream,
                                                const void* site) {
  const auto draft = [&] {
    const Work work = [=](cudaStream_t branch) { return call_host_function(function, branch, site); };
    return NodeDraft{cudaGraphNodeTypeHost, work, function};
  };
  if (const auto result = captured(stream, draft)) return *result;
  return call_host_function(function, stream, site);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return call([&] { return create(stream, cudaStreamDefault, 0); });
}

// In a kernel, streams have no effect: the launches of a block run in order.
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  if (rafter_simt_now.inside)
    return store_result_in_kernel(stream, cudaStreamFireAndForget, __builtin_return_address(0));
  return call([&] { return create(stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call([&] { return create(stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (rafter_simt_now.inside) return cudaSuccess;
  return call([&] { return streams().destroy(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call_on(stream, [&] { return wait_for(stream); });
}

// A query that succeeds synchronises the host with the stream. In a checked run the first one after new work does not,
// so that a program that does not wait for success shows. Unlike on a GPU, this error is not the last error.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  bool is_busy = false;
  const cudaError_t error = call_on(stream, [&] {
    StreamObserver* observer = observing_streams();
    is_busy = observer && refused_by_capture(stream) == cudaSuccess && observer->is_busy(streams().ref(stream));
    return is_busy ? cudaSuccess : wait_for(stream);
  });
  return is_busy ? cudaErrorNotReady : error;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  const void* const site = __builtin_return_address(0);
  return call_on(stream, [&] {
    if (flags > cudaEventWaitExternal) return cudaErrorInvalidValue;
    const auto found = events().find(event);
    if (!found) return cudaErrorInvalidResourceHandle;
    const auto tell = [=](cudaStream_t waiting) {
      if (StreamObserver* observer = observing_streams()) observer->stream_waits(streams().ref(waiting), event, site);
      return cudaSuccess;
    };
    if (flags == cudaEventWaitExternal) {
      const auto draft = [&] { return NodeDraft{cudaGraphNodeTypeWaitEvent, tell, event}; };
      return captured(stream, draft).value_or(cudaErrorInvalidValue);  // only for captured streams
    }
    if (captures().in_use()) {
      if (const auto result = captures().wait(ref_of(stream), event, found->recorded.has_value())) return *result;
    }
    return tell(stream);
  });
}

// A callback may notify the host, or start a thread, in ways that the checkers do not see, so the host counts as
// synchronised with the stream's earlier work when it begins, and with the callback when it ends.
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags) {
  const void* const site = __builtin_return_address(0);
  return call_on(stream, [&] {
    if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (const cudaError_t refused = refused_by_capture(stream); refused != cudaSuccess) return refused;
    host_waited(stream);
    Task task("the callback", stream, site);
    task.host_waits();
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const void* const site = __builtin_return_address(0);
  return call_on(stream, [&] {
    if (function == nullptr) return cudaErrorInvalidValue;
    return enqueue_host_function({function, data}, stream, site);
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return call_on(stream, [&] { return store_result(flags, streams().describe(stream).flags); });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return call_on(stream, [&] { return store_result(priority, streams().describe(stream).priority); });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return call_on(stream, [&] { return store_result(id, streams().describe(stream).id); });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return call_on(stream, [&] { return store_result(device, 0); });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID, const cudaStreamAttrValue* value) {
  return call_on(stream, [&] { return value == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID, cudaStreamAttrValue* value) {
  return call_on(stream, [&] { return store_result(value, cudaStreamAttrValue{}); });
}

extern "C" __attribute__((visibility("default"))) void rafter_simt_per_thread_default_stream() {
  streams().set_per_thread();
}

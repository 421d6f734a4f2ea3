#include "executor/api/memory/copy_call.hpp"

#include "executor/api/memory/extents.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {
namespace {

bool is_host(cudaMemoryType type) { return type == cudaMemoryTypeHost || type == cudaMemoryTypeUnregistered; }

bool waits(const CopyCall& call, cudaMemoryType to, cudaMemoryType from) {
  if (call.form == CopyCall::Form::node) return false;
  if (is_host(to) && is_host(from)) return true;
  if (call.form == CopyCall::Form::asynchronous) return to == cudaMemoryTypeUnregistered && !options().strict;
  if (from == cudaMemoryTypeUnregistered) return !options().strict;
  return to != cudaMemoryTypeDevice || from != cudaMemoryTypeDevice;
}

/// Records that the host waits for the stream before pageable memory is staged.
const CopyCall& after_its_stream(const CopyCall& call, cudaMemoryType from) {
  if (call.form == CopyCall::Form::synchronous && from == cudaMemoryTypeUnregistered) host_waited(call.stream);
  return call;
}

}  // namespace

std::optional<cudaError_t> capture(const CopyCall& call, const CopyNode& node) {
  if (call.form == CopyCall::Form::synchronous && !Drafting::now()) {
    const cudaError_t refused = refused_by_capture(call.stream);
    return refused == cudaSuccess ? std::nullopt : std::optional(refused);
  }
  return captured(call.stream, [&] {
    const Work work = [call, run = node.run](cudaStream_t branch) { return run(call.in(branch)); };
    return NodeDraft{node.type, work, node.parameters};
  });
}

cudaMemoryType observed_type(const void* address) {
  return observing_streams() ? memory_type(address) : cudaMemoryTypeDevice;
}

CopyTask::CopyTask(const CopyCall& call, cudaMemoryType to, cudaMemoryType from)
    : Task(after_its_stream(call, from).name, call.stream, call.place) {
  if (waits(call, to, from)) host_waits();
}

FillTask::FillTask(const CopyCall& call, cudaMemoryType to) : Task(call.name, call.stream, call.place) {
  if (call.form == CopyCall::Form::synchronous && to != cudaMemoryTypeDevice) host_waits();
}

}  // namespace rafter::simt

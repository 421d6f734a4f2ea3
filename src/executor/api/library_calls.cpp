// Calls of CUDA's libraries: work of a stream that a shared object of its own performs.
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "executor/api/call.hpp"
#include "executor/api/graphs/capture.hpp"
#include "executor/api/memory/copy_call.hpp"
#include "executor/api/memory/extents.hpp"
#include "executor/api/task.hpp"
#include "executor/memory/memory.hpp"
#include "executor/process/findings.hpp"
#include "rafter_simt/library_abi.hpp"

using namespace rafter::simt;
using rafter_simt::LibraryCall;
using rafter_simt::LibraryOperand;

namespace {

/// The call whose operands are being listed on this thread.
struct Listing {
  const LibraryCall& call;
  std::vector<LibraryOperand> written{};
  bool is_accessible = true;
};
thread_local Listing* listing = nullptr;

/// The bytes from the first to the last that the operand's rows occupy.
struct Extent {
  const std::byte* begin;
  std::size_t bytes;
};
Extent extent_of(const LibraryOperand& operand) {
  const auto* const first = static_cast<const std::byte*>(operand.start);
  const std::ptrdiff_t to_last = static_cast<std::ptrdiff_t>(operand.n_rows - 1) * operand.row_stride;
  const auto* const lowest = to_last < 0 ? first + to_last : first;
  return {lowest, static_cast<std::size_t>(to_last < 0 ? -to_last : to_last) + operand.row_bytes};
}

/// Whether a GPU could access the operand without a fault: it is in a mapped part of device memory, in a variable of
/// the device, or in pinned host memory.
bool is_accessible(const LibraryOperand& operand) {
  const Extent extent = extent_of(operand);
  if (!memory().holds(extent.begin)) return reach(extent.begin, extent.bytes, MemorySide::device) == Reach::fits;
  const std::byte* const last = extent.begin + extent.bytes - 1;
  return memory().holds(last) && memory().kind_at(extent.begin) == memory().kind_at(last) &&
         memory().is_mapped(extent.begin) && memory().is_mapped(last);
}

cudaError_t perform(const LibraryCall& call, cudaStream_t stream) {
  Task task(call.name, stream, call.place);
  if (call.host_waits) task.host_waits();
  Observer* const observer = observing();
  KernelRecord& record = findings().kernel(call.name);
  if (observer) ++record.launches;
  Listing now{call};
  Listing* const outer = listing;
  listing = &now;
  call.list(call.work);
  listing = outer;
  if (!now.is_accessible) {
    record.failure = "illegal address";
    return errors().poison(cudaErrorIllegalAddress);
  }
  call.run(call.work);
  if (observer) {
    for (const LibraryOperand& operand : now.written) observer->library_wrote(operand);
  }
  return cudaSuccess;
}

/// A call as a node of a graph, with a copy of its arguments.
cudaError_t capture_or_perform(const LibraryCall& call) {
  if (!streams().known(call.stream)) return cudaErrorInvalidResourceHandle;
  if (call.host_waits && !Drafting::now()) {
    if (const cudaError_t refused = refused_by_capture(call.stream); refused != cudaSuccess) return refused;
  }
  const auto node = [&] {
    const std::shared_ptr<const void> work(
        call.copy(call.work), [destroy = call.destroy](const void* copy) { destroy(const_cast<void*>(copy)); });
    return NodeDraft{cudaGraphNodeTypeKernel, [call, work](cudaStream_t branch) {
                       LibraryCall again = call;
                       again.work = work.get();
                       again.stream = branch;
                       return perform(again, branch);
                     }};
  };
  if (const auto result = captured(call.stream, node)) return *result;
  return perform(call, call.stream);
}

}  // namespace

#define RAFTER_SIMT_EXPORT extern "C" __attribute__((visibility("default")))

RAFTER_SIMT_EXPORT int rafter_simt_library_call(const LibraryCall* library_call) {
  return call([&] { return capture_or_perform(*library_call); });
}

RAFTER_SIMT_EXPORT int rafter_simt_library_copy(const rafter_simt::LibraryCopy* given) {
  const rafter_simt::LibraryCopy& c = *given;
  const CopyCall as{c.name, c.is_asynchronous ? CopyCall::Form::asynchronous : CopyCall::Form::synchronous, c.stream,
                    c.place};
  return call([&] {
    return copy({static_cast<std::byte*>(c.to), c.to_pitch, 0},
                {static_cast<const std::byte*>(c.from), c.from_pitch, 0}, {c.width, c.height, 1},
                static_cast<cudaMemcpyKind>(c.kind), as);
  });
}

RAFTER_SIMT_EXPORT bool rafter_simt_library_operand(const LibraryOperand* operand) {
  if (operand->row_bytes == 0 || operand->n_rows == 0) return true;
  if (Observer* const observer = observing())
    observer->library_accesses(*operand, listing->call.name, listing->call.place);
  if (!is_accessible(*operand)) {
    listing->is_accessible = false;
    return false;
  }
  if (operand->writes) listing->written.push_back(*operand);
  return true;
}

RAFTER_SIMT_EXPORT void rafter_simt_library_scalar(const char* name, const char* parameter, const void* address,
                                                   const void* place) {
  if (reach(address, 1, MemorySide::host) == Reach::fits) return;
  const std::string actor = name, what = parameter;
  findings().add({.kind = Kind::host_touches_device,
                  .space = Space::global,
                  .kernel = "",
                  .sides = {{"accesses " + what + " on the host", place, 0, {}, {}, actor}},
                  .target = std::nullopt,
                  .detail = "the handle's pointer mode says that " + what + " is in host memory"});
  std::fprintf(stderr, "rafter: %s: %s is in device memory, but the pointer mode of the handle is host\n", name,
               parameter);
  std::raise(SIGSEGV);
}

RAFTER_SIMT_EXPORT int rafter_simt_library_error() { return errors().sticky(); }

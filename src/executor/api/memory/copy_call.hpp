// A call that copies or fills: its name, its place in the program, its stream, and whether the host waits for it, as
// NVIDIA's "API synchronization behavior" specifies.
#pragma once

#include "executor/api/graphs/capture.hpp"
#include "executor/api/memory/pitched_regions.hpp"
#include "executor/api/task.hpp"

namespace rafter::simt {

struct CopyCall {
  // asynchronous: with "Async" in its name; node: of a graph
  enum class Form : std::uint8_t { synchronous, asynchronous, node };

  const char* name;
  Form form;
  cudaStream_t stream;
  const void* place;

  /// Returns the call as a node of a graph that is launched.
  CopyCall in(cudaStream_t branch) const { return {name, Form::node, branch, place}; }
};

/// A copy or a fill as a node of a graph: its type and parameters, and the function that performs it.
struct CopyNode {
  cudaGraphNodeType type;
  Parameters parameters;
  std::function<cudaError_t(const CopyCall&)> run;
};
std::optional<cudaError_t> capture(const CopyCall& call, const CopyNode& node);

/// Captures the call if its stream is captured, and returns its result. `node()` creates its node.
template <class Node>
std::optional<cudaError_t> captured(const CopyCall& call, Node node) {
  const bool may_be = call.form != CopyCall::Form::node && (Drafting::now() || captures().in_use());
  return may_be ? capture(call, node()) : std::nullopt;
}

/// Returns memory_type(), or a default if no observer needs it.
cudaMemoryType observed_type(const void* address);

/// The task of a copy. The kinds of memory decide whether the host waits for it:
/// - The synchronous form returns when the copy is done, except for copies within the device. From pageable memory it
///   waits for the stream, and may return once the bytes are staged; only --strict assumes that it does.
/// - A node of a graph never waits.
/// - The asynchronous form waits when it writes pageable memory (not assumed with --strict), and for copies from host
/// to
///   host.
class CopyTask : public Task {
 public:
  CopyTask(const CopyCall& call, cudaMemoryType to, cudaMemoryType from);
};

/// The task of a fill. The host waits only for the synchronous form, on memory that the host can access.
class FillTask : public Task {
 public:
  FillTask(const CopyCall& call, cudaMemoryType to);
};

/// Performs a copy as a call's work on its stream: captures it, or notifies observers and copies.
cudaError_t copy(PitchedRegion to, ConstPitchedRegion from, cudaExtent extent, cudaMemcpyKind kind,
                 const CopyCall& call);

}  // namespace rafter::simt

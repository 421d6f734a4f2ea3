// A call that copies or fills, as its stream and the host see it: what it is called, where it stands, and when it
// returns. NVIDIA's "API synchronization behavior" says when.
#pragma once

#include "executor/api/graphs/capture.hpp"
#include "executor/api/task.hpp"

namespace rafter::simt {

struct CopyCall {
  // without or with "Async" in its name, or a node of a graph
  enum class Form : std::uint8_t { synchronous, asynchronous, node };

  const char* name;
  Form form;
  cudaStream_t stream;
  const void* place;

  /// The same as a node, when its graph is launched.
  CopyCall in(cudaStream_t branch) const { return {name, Form::node, branch, place}; }
};

/// A copy or a fill as a node of a graph: what it is, and what runs it later.
struct CopyNode {
  cudaGraphNodeType type;
  Parameters parameters;
  std::function<cudaError_t(const CopyCall&)> run;
};
std::optional<cudaError_t> capture(const CopyCall& call, const CopyNode& node);

/// In a stream that is being captured: what the call returns. `node()` makes its node.
template <class Node>
std::optional<cudaError_t> captured(const CopyCall& call, Node node) {
  const bool may_be = call.form != CopyCall::Form::node && (Drafting::now() || captures().in_use());
  return may_be ? capture(call, node()) : std::nullopt;
}

/// What memory_type() says, when somebody wants to know.
cudaMemoryType observed_type(const void* address);

/// The task of a copy between these two. Which memory it is decides whether the host waits:
/// - the synchronous form returns when the copy is done, but for copies within the device, which nobody waits for. From
///   pageable memory it waits for the stream, and may then return when the bytes are staged; only with --strict it
///   does;
/// - a node of a graph never waits;
/// - the asynchronous form waits where it writes pageable memory (with --strict it does not), and between host and
/// host.
class CopyTask : public Task {
 public:
  CopyTask(const CopyCall& call, cudaMemoryType to, cudaMemoryType from);
};

/// The task of a fill: only the synchronous form waits, for memory that the host can see.
class FillTask : public Task {
 public:
  FillTask(const CopyCall& call, cudaMemoryType to);
};

}  // namespace rafter::simt

// The calls that create and change nodes explicitly. The functions that enqueue work on streams create their drafts
// (Drafting), as in a capture.
#include "executor/api/call.hpp"
#include "executor/api/events.hpp"
#include "executor/api/functions.hpp"
#include "executor/api/graphs/capture.hpp"
#include "executor/api/graphs/graph_exec.hpp"

using namespace rafter::simt;

namespace {

struct Drafted {
  cudaError_t error = cudaSuccess;
  NodeDraft draft{};
};

template <class Give>
Drafted draft_of(Give enqueue_work) {
  Drafted drafted;
  const Drafting drafting(&drafted.draft);
  drafted.error = enqueue_work();
  return drafted;
}

Drafted draft_kernel(const cudaKernelNodeParams* of, const void* site) {
  if (of == nullptr || of->func == nullptr || of->extra != nullptr) return {cudaErrorInvalidValue};
  return draft_of([&] {
    return launch_by_address(of->func, rafter_simt::Shape(of->gridDim, of->blockDim, of->sharedMemBytes),
                             of->kernelParams, rafter_simt::Cooperative::no, site);
  });
}

Drafted draft_copy(const cudaMemcpy3DParms* of, const void* site) {
  if (of == nullptr) return {cudaErrorInvalidValue};
  return draft_of([&] { return enqueue_copy(*of, "a memcpy node", site); });
}

/// Returns the parameters of a copy of one row of bytes.
cudaMemcpy3DParms row(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms copy{};
  copy.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
  copy.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), bytes, bytes, 1);
  copy.extent = {bytes, 1, 1};
  copy.kind = kind;
  return copy;
}

Drafted draft_fill(const cudaMemsetParams* of, const void* site) {
  const bool is_sized = of && (of->elementSize == 1 || of->elementSize == 2 || of->elementSize == 4);
  if (!is_sized || (of->height > 1 && of->pitch < of->width * of->elementSize)) return {cudaErrorInvalidValue};
  return draft_of([&] { return enqueue_fill(*of, site); });
}

Drafted draft_host(const cudaHostNodeParams* of, const void* site) {
  if (of == nullptr || of->fn == nullptr) return {cudaErrorInvalidValue};
  return draft_of([&] { return enqueue_host_function(*of, nullptr, site); });
}

Drafted draft_event(cudaEvent_t event, cudaGraphNodeType type) {
  if (!events().known(event)) return {cudaErrorInvalidValue};
  const Work work = type == cudaGraphNodeTypeEventRecord
                        ? Work([=](cudaStream_t stream) { return cudaEventRecord(event, stream); })
                        : Work([=](cudaStream_t stream) { return cudaStreamWaitEvent(stream, event, 0); });
  return {cudaSuccess, {type, work, event}};
}

Drafted draft_child(cudaGraph_t child) {
  if (!is_graph(child)) return {cudaErrorInvalidValue};
  const auto clone = std::make_shared<CUgraph_st>();
  clone->take_clone_of(*child);
  return {cudaSuccess, {cudaGraphNodeTypeGraph, {}, clone}};
}

/// The arguments that say where a node is added.
struct Place {
  cudaGraphNode_t* node;
  cudaGraph_t graph;
  const cudaGraphNode_t* after;
  std::size_t n_after;
};

template <class Draft>
cudaError_t add(const Place& place, Draft draft) {
  return call([&] {
    const std::lock_guard lock(graphs_mutex());
    const auto& [node, graph, after, n_after] = place;
    if (node == nullptr || !is_graph(graph) || (n_after > 0 && after == nullptr)) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < n_after; ++i) {
      if (!graph->holds(after[i])) return cudaErrorInvalidValue;
      for (std::size_t k = 0; k < i; ++k) {
        if (after[k] == after[i]) return cudaErrorInvalidValue;
      }
    }
    Drafted drafted = draft();
    if (drafted.error != cudaSuccess) return drafted.error;
    *node = graph->add(std::move(drafted.draft), std::vector(after, after + n_after));
    return cudaSuccess;
  });
}

template <class Draft>
cudaError_t change(cudaGraphNode_t node, Draft draft) {
  return call([&] {
    const std::lock_guard lock(graphs_mutex());
    if (!is_node(node)) return cudaErrorInvalidValue;
    Drafted drafted = draft();
    if (drafted.error != cudaSuccess) return drafted.error;
    if (drafted.draft.type != node->draft.type) return cudaErrorInvalidValue;
    node->draft = std::move(drafted.draft);
    return cudaSuccess;
  });
}

template <class Draft>
cudaError_t change(cudaGraphExec_t exec, cudaGraphNode_t node, Draft draft) {
  return call([&] {
    const std::lock_guard lock(graphs_mutex());
    Drafted drafted = draft();
    return drafted.error != cudaSuccess ? drafted.error : change_step(exec, node, std::move(drafted.draft));
  });
}

/// Stores the parameters of a node.
template <class Kept, class To>
cudaError_t ask(cudaGraphNode_t node, cudaGraphNodeType type, To* to) {
  return call([&] {
    const std::lock_guard lock(graphs_mutex());
    if (!is_node(node) || node->draft.type != type) return cudaErrorInvalidValue;
    const Kept* const kept = std::get_if<Kept>(&node->draft.parameters);
    return kept ? store_result(to, static_cast<To>(*kept)) : cudaErrorInvalidValue;
  });
}

}  // namespace

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t n_after, const cudaKernelNodeParams* parameters) {
  const void* const site = __builtin_return_address(0);
  return add({node, graph, after, n_after}, [&] { return draft_kernel(parameters, site); });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t n_after, const cudaMemcpy3DParms* parameters) {
  const void* const site = __builtin_return_address(0);
  return add({node, graph, after, n_after}, [&] { return draft_copy(parameters, site); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     std::size_t n_after, void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
  const void* const site = __builtin_return_address(0);
  const cudaMemcpy3DParms copy = row(to, from, bytes, kind);
  return add({node, graph, after, n_after}, [&] { return draft_copy(&copy, site); });
}

cudaError_t rafter_simt_graph_copy_to_symbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                             std::size_t n_after, rafter_simt::Symbol symbol, const void* from,
                                             std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return add({node, graph, after, n_after}, [&] {
    return draft_of([&] { return rafter_simt_copy_to_symbol_async(symbol, offset, from, bytes, kind, nullptr); });
  });
}

cudaError_t rafter_simt_graph_copy_from_symbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                               std::size_t n_after, void* to, rafter_simt::Symbol symbol,
                                               std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return add({node, graph, after, n_after}, [&] {
    return draft_of([&] { return rafter_simt_copy_from_symbol_async(to, symbol, offset, bytes, kind, nullptr); });
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t n_after, const cudaMemsetParams* parameters) {
  const void* const site = __builtin_return_address(0);
  return add({node, graph, after, n_after}, [&] { return draft_fill(parameters, site); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 std::size_t n_after, const cudaHostNodeParams* parameters) {
  const void* const site = __builtin_return_address(0);
  return add({node, graph, after, n_after}, [&] { return draft_host(parameters, site); });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  std::size_t n_after) {
  return add({node, graph, after, n_after}, [] { return Drafted{}; });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       std::size_t n_after, cudaGraph_t child) {
  return add({node, graph, after, n_after}, [&] { return draft_child(child); });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                        std::size_t n_after, cudaEvent_t event) {
  return add({node, graph, after, n_after}, [&] { return draft_event(event, cudaGraphNodeTypeEventRecord); });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      std::size_t n_after, cudaEvent_t event) {
  return add({node, graph, after, n_after}, [&] { return draft_event(event, cudaGraphNodeTypeWaitEvent); });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  const void* const site = __builtin_return_address(0);
  return change(node, [&] { return draft_kernel(parameters, site); });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  const void* const site = __builtin_return_address(0);
  return change(node, [&] { return draft_copy(parameters, site); });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, std::size_t bytes,
                                           cudaMemcpyKind kind) {
  const void* const site = __builtin_return_address(0);
  const cudaMemcpy3DParms copy = row(to, from, bytes, kind);
  return change(node, [&] { return draft_copy(&copy, site); });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  const void* const site = __builtin_return_address(0);
  return change(node, [&] { return draft_fill(parameters, site); });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  const void* const site = __builtin_return_address(0);
  return change(node, [&] { return draft_host(parameters, site); });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  const void* const site = __builtin_return_address(0);
  return change(exec, node, [&] { return draft_kernel(parameters, site); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  const void* const site = __builtin_return_address(0);
  return change(exec, node, [&] { return draft_copy(parameters, site); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const void* from,
                                               std::size_t bytes, cudaMemcpyKind kind) {
  const void* const site = __builtin_return_address(0);
  const cudaMemcpy3DParms copy = row(to, from, bytes, kind);
  return change(exec, node, [&] { return draft_copy(&copy, site); });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  const void* const site = __builtin_return_address(0);
  return change(exec, node, [&] { return draft_fill(parameters, site); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  const void* const site = __builtin_return_address(0);
  return change(exec, node, [&] { return draft_host(parameters, site); });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  return change(exec, node, [&] { return draft_child(child); });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return call([&] {
    const std::lock_guard lock(graphs_mutex());
    if (!is_node(node) || node->draft.type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
    KernelParameters& kept = *std::get<std::shared_ptr<KernelParameters>>(node->draft.parameters);
    if (kept.parameters.func == nullptr)
      rafter_simt_unsupported("cudaGraphKernelNodeGetParams of a kernel that was captured from <<<>>>");
    kept.parameters.kernelParams = kept.arguments.data();
    return store_result(parameters, kept.parameters);
  });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return ask<cudaMemcpy3DParms>(node, cudaGraphNodeTypeMemcpy, parameters);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return ask<cudaMemsetParams>(node, cudaGraphNodeTypeMemset, parameters);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return ask<cudaHostNodeParams>(node, cudaGraphNodeTypeHost, parameters);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return ask<cudaEvent_t>(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return ask<cudaEvent_t>(node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return call([&] {
    const std::lock_guard lock(graphs_mutex());
    if (!is_node(node)) return cudaErrorInvalidValue;
    const auto* const child = std::get_if<std::shared_ptr<CUgraph_st>>(&node->draft.parameters);
    return child ? store_result(graph, child->get()) : cudaErrorInvalidValue;
  });
}

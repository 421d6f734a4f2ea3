// Graphs: nodes and the edges between them. A node holds a function that enqueues its work on a stream, as the original
// call did. Launching a graph (CUgraphExec_st) calls the functions with streams of the graph's own.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <variant>
#include <vector>

#include "rafter_simt/api/graphs.hpp"

namespace rafter::simt {

/// Enqueues a node's work on a stream; empty for a node without work.
using Work = std::function<cudaError_t(cudaStream_t)>;

/// A kernel by its address, with the copy of its arguments. A launch by <<<>>> has no address.
struct KernelParameters {
  cudaKernelNodeParams parameters;
  std::shared_ptr<void> closure;
  std::vector<void*> arguments;
};

using Parameters = std::variant<std::monostate, std::shared_ptr<KernelParameters>, cudaMemcpy3DParms, cudaMemsetParams,
                                cudaHostNodeParams, cudaEvent_t, std::shared_ptr<CUgraph_st>>;

/// The contents of a node that is created or changed.
struct NodeDraft {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  Work work{};
  Parameters parameters{};
};

/// Returns the mutex for all graphs and captures. It is not held while a graph runs.
std::recursive_mutex& graphs_mutex();

}  // namespace rafter::simt

struct CUgraphNode_st {
  CUgraph_st* graph;
  rafter::simt::NodeDraft draft;
  std::vector<cudaGraphNode_t> after{};  // its dependencies
  cudaGraphNode_t original = nullptr;    // its counterpart in the graph that this one was cloned from
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes{};  // in the order they were added

  CUgraph_st();
  ~CUgraph_st();
  CUgraph_st(const CUgraph_st&) = delete;
  CUgraph_st& operator=(const CUgraph_st&) = delete;

  cudaGraphNode_t add(rafter::simt::NodeDraft draft, std::vector<cudaGraphNode_t> after);
  void remove(cudaGraphNode_t node);
  /// Copies the nodes and edges of another graph to this empty one.
  void take_clone_of(const CUgraph_st& other);
  bool holds(cudaGraphNode_t node) const;
  /// Returns the nodes in topological order, otherwise in the order they were added. Nodes in cycles are missing.
  std::vector<cudaGraphNode_t> in_order() const;
  /// Whether one of `ends` is `node` or depends on it, directly or indirectly.
  static bool is_awaited(cudaGraphNode_t node, const std::vector<cudaGraphNode_t>& ends);
};

namespace rafter::simt {

/// Whether the handle is a graph, possibly the child of a node.
bool is_graph(cudaGraph_t graph);
bool is_node(cudaGraphNode_t node);

}  // namespace rafter::simt

// Graphs: nodes and the edges between them. What a node does is a function that gives a stream its work, as the call
// did that it stands for; a graph that is launched calls it with a stream of its own (GraphExec).
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

/// Gives the stream a node's work; none: the node does nothing.
using Work = std::function<cudaError_t(cudaStream_t)>;

/// A kernel by its address, with the arguments that its launch keeps. A launch by <<<>>> has no address.
struct KernelParameters {
  cudaKernelNodeParams parameters;
  std::shared_ptr<void> closure;
  std::vector<void*> arguments;
};

using Parameters = std::variant<std::monostate, std::shared_ptr<KernelParameters>, cudaMemcpy3DParms, cudaMemsetParams,
                                cudaHostNodeParams, cudaEvent_t, std::shared_ptr<CUgraph_st>>;

/// What is needed to make a node, or to change one.
struct NodeDraft {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  Work work{};
  Parameters parameters{};
};

/// One lock for all graphs and captures; not held while a graph runs.
std::recursive_mutex& graphs_mutex();

}  // namespace rafter::simt

struct CUgraphNode_st {
  CUgraph_st* graph;
  rafter::simt::NodeDraft draft;
  std::vector<cudaGraphNode_t> after{};  // which it waits for
  cudaGraphNode_t original = nullptr;    // in the graph that this one is a clone of
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes{};  // in the order they were added

  CUgraph_st();
  ~CUgraph_st();
  CUgraph_st(const CUgraph_st&) = delete;
  CUgraph_st& operator=(const CUgraph_st&) = delete;

  cudaGraphNode_t add(rafter::simt::NodeDraft draft, std::vector<cudaGraphNode_t> after);
  void remove(cudaGraphNode_t node);
  /// Copies nodes and edges here; this graph was empty.
  void take_clone_of(const CUgraph_st& other);
  bool holds(cudaGraphNode_t node) const;
  /// Every node after all it waits for, otherwise in the order they were added; shorter when edges go in circles.
  std::vector<cudaGraphNode_t> in_order() const;
  /// Whether one of `ends` waits for `node`, directly or not, or is it.
  static bool is_awaited(cudaGraphNode_t node, const std::vector<cudaGraphNode_t>& ends);
};

namespace rafter::simt {

/// Whether there is such a graph, also as a child of a node.
bool is_graph(cudaGraph_t graph);
bool is_node(cudaGraphNode_t node);

}  // namespace rafter::simt

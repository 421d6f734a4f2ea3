// An instantiated graph. Its nodes run one after the other in topological order. For the stream observer, each node is
// on a branch, a stream of the graph's own, which waits for the stream of the launch and for other branches as the
// edges require. So nodes that no edge orders are reported like work of two streams.
#pragma once

#include "executor/api/graphs/graph.hpp"

struct CUgraphExec_st {
  struct Step {
    cudaGraphNode_t node;  // in the source graph; it may have been destroyed
    rafter::simt::NodeDraft draft;
    std::vector<std::size_t> after{};       // steps
    std::size_t branch = 0;                 // the branch that it continues
    std::shared_ptr<CUgraphExec_st> child;  // for a child graph node
    bool is_enabled = true;
  };

  std::vector<Step> steps;  // in topological order
  unsigned long long flags = 0;

  /// Instantiates a graph. Returns null if it has a cycle.
  static std::shared_ptr<CUgraphExec_st> make(const CUgraph_st& graph);
  ~CUgraphExec_st();

  cudaError_t launch(cudaStream_t stream, const void* place);
  /// Returns the step of a node of this graph or of a child.
  Step* find(cudaGraphNode_t node);
  /// Replaces the work of all steps by that of a graph with the same topology.
  cudaGraphExecUpdateResultInfo update(const CUgraph_st& graph);
  /// Returns a copy for a captured launch, which later changes do not affect.
  std::shared_ptr<CUgraphExec_st> copy() const;

 private:
  void assign_branches();
  void make_branches();
  void wait_for(std::size_t step, cudaStream_t stream, const void* place) const;

  std::size_t n_branches_ = 0;
  std::vector<cudaStream_t> branches_{};
  char began_ = 0, ended_ = 0;  // their addresses identify the events of the last launch
  bool was_launched_ = false;
};

namespace rafter::simt {

/// Replaces the work of a node of an instantiated graph by work of the same type.
cudaError_t change_step(cudaGraphExec_t exec, cudaGraphNode_t node, NodeDraft draft);

}  // namespace rafter::simt

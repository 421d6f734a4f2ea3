// A graph that can be launched. Its nodes run one after the other, each after all it waits for. What orders them is
// another question: each goes on a branch, a stream of the graph's own, which those who observe streams see wait for
// the stream of the launch and for other branches as the edges say. So work that no edge orders is work of two streams.
#pragma once

#include "executor/api/graphs/graph.hpp"

struct CUgraphExec_st {
  struct Step {
    cudaGraphNode_t node;  // of the graph that this was made of; it may be gone
    rafter::simt::NodeDraft draft;
    std::vector<std::size_t> after{};       // steps
    std::size_t branch = 0;                 // which it is the next one of
    std::shared_ptr<CUgraphExec_st> child;  // a graph in its place
    bool is_enabled = true;
  };

  std::vector<Step> steps;  // each after all it waits for
  unsigned long long flags = 0;

  /// nullptr when edges go in circles.
  static std::shared_ptr<CUgraphExec_st> make(const CUgraph_st& graph);
  ~CUgraphExec_st();

  cudaError_t launch(cudaStream_t stream, const void* place);
  /// The step of a node of this graph, or of a child.
  Step* find(cudaGraphNode_t node);
  /// Takes the nodes' work from a graph of the same form.
  cudaGraphExecUpdateResultInfo update(const CUgraph_st& graph);
  /// For a launch that is captured: what is changed here later does not change it.
  std::shared_ptr<CUgraphExec_st> copy() const;

 private:
  void assign_branches();
  void make_branches();
  void wait_for(std::size_t step, cudaStream_t stream, const void* place) const;

  std::size_t n_branches_ = 0;
  std::vector<cudaStream_t> branches_{};
  char began_ = 0, ended_ = 0;  // their addresses stand for events of the last launch
  bool was_launched_ = false;
};

namespace rafter::simt {

/// Another thing to do for a node of an instantiated graph, of the same type.
cudaError_t change_step(cudaGraphExec_t exec, cudaGraphNode_t node, NodeDraft draft);

}  // namespace rafter::simt

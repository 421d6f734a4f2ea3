#include "executor/api/graphs/graph.hpp"

#include <algorithm>

namespace rafter::simt {
namespace {

// Never destroyed: destructors of the program may still use it.
std::set<const CUgraph_st*>& living() {
  static auto& graphs = *new std::set<const CUgraph_st*>;
  return graphs;
}

}  // namespace

std::recursive_mutex& graphs_mutex() {
  static auto& mutex = *new std::recursive_mutex;
  return mutex;
}

bool is_graph(cudaGraph_t graph) {
  const std::lock_guard lock(graphs_mutex());
  return living().count(graph) == 1;
}

bool is_node(cudaGraphNode_t node) {
  const std::lock_guard lock(graphs_mutex());
  return node && std::any_of(living().begin(), living().end(), [&](const auto* graph) { return graph->holds(node); });
}

}  // namespace rafter::simt

using namespace rafter::simt;

CUgraph_st::CUgraph_st() {
  const std::lock_guard lock(graphs_mutex());
  living().insert(this);
}

CUgraph_st::~CUgraph_st() {
  const std::lock_guard lock(graphs_mutex());
  living().erase(this);
}

cudaGraphNode_t CUgraph_st::add(NodeDraft draft, std::vector<cudaGraphNode_t> after) {
  nodes.push_back(std::make_unique<CUgraphNode_st>(CUgraphNode_st{this, std::move(draft), std::move(after)}));
  return nodes.back().get();
}

void CUgraph_st::remove(cudaGraphNode_t node) {
  for (const auto& other : nodes) std::erase(other->after, node);
  std::erase_if(nodes, [&](const auto& other) { return other.get() == node; });
}

void CUgraph_st::take_clone_of(const CUgraph_st& other) {
  std::map<cudaGraphNode_t, cudaGraphNode_t> clones;
  for (const auto& node : other.nodes) {
    clones[node.get()] = add(node->draft, {});
    clones[node.get()]->original = node.get();
    if (auto* child = std::get_if<std::shared_ptr<CUgraph_st>>(&nodes.back()->draft.parameters)) {
      const auto clone = std::make_shared<CUgraph_st>();
      clone->take_clone_of(**child);
      *child = clone;
    }
  }
  for (const auto& node : other.nodes) {
    for (const auto& before : node->after) clones[node.get()]->after.push_back(clones[before]);
  }
}

bool CUgraph_st::holds(cudaGraphNode_t node) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& own) { return own.get() == node; });
}

std::vector<cudaGraphNode_t> CUgraph_st::in_order() const {
  std::vector<cudaGraphNode_t> order;
  std::set<cudaGraphNode_t> done;
  for (bool has_more = true; has_more;) {
    has_more = false;
    for (const auto& node : nodes) {
      const auto is_done = [&](cudaGraphNode_t before) { return done.count(before) == 1; };
      if (is_done(node.get()) || !std::all_of(node->after.begin(), node->after.end(), is_done)) continue;
      done.insert(node.get());
      order.push_back(node.get());
      has_more = true;
    }
  }
  return order;
}

bool CUgraph_st::is_awaited(cudaGraphNode_t wanted, const std::vector<cudaGraphNode_t>& ends) {
  std::set<cudaGraphNode_t> seen(ends.begin(), ends.end());
  std::vector<cudaGraphNode_t> open = ends;
  while (!open.empty()) {
    const cudaGraphNode_t node = open.back();
    open.pop_back();
    if (node == wanted) return true;
    for (const cudaGraphNode_t before : node->after) {
      if (seen.insert(before).second) open.push_back(before);
    }
  }
  return false;
}

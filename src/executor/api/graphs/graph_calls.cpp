// The calls that create, query, instantiate and launch graphs.
#include <algorithm>
#include <cstdio>

#include "executor/api/call.hpp"
#include "executor/api/graphs/capture.hpp"
#include "executor/api/graphs/graph_exec.hpp"
#include "executor/api/streams.hpp"

using namespace rafter::simt;

namespace {

/// Returns the instantiated graphs by their handles.
std::map<cudaGraphExec_t, std::shared_ptr<CUgraphExec_st>>& execs() {
  static auto& all = *new std::map<cudaGraphExec_t, std::shared_ptr<CUgraphExec_st>>;
  return all;
}

std::shared_ptr<CUgraphExec_st> find_exec(cudaGraphExec_t exec) {
  const std::lock_guard lock(graphs_mutex());
  const auto at = execs().find(exec);
  return at == execs().end() ? nullptr : at->second;
}

/// Runs a call about a graph that exists.
template <class Body>
cudaError_t call_on(cudaGraph_t graph, Body body) {
  return call([&] {
    const std::lock_guard lock(graphs_mutex());
    return is_graph(graph) ? body() : cudaErrorInvalidValue;
  });
}

template <class Body>
cudaError_t call_on(cudaGraphNode_t node, Body body) {
  return call([&] {
    const std::lock_guard lock(graphs_mutex());
    return is_node(node) ? body() : cudaErrorInvalidValue;
  });
}

/// Stores a list as CUDA does: its length if `nodes` is null, otherwise as many elements as fit, padded with nulls.
cudaError_t store_list(const std::vector<cudaGraphNode_t>& list, cudaGraphNode_t* nodes, std::size_t* n) {
  if (n == nullptr) return cudaErrorInvalidValue;
  if (nodes) {
    for (std::size_t i = 0; i < *n; ++i) nodes[i] = i < list.size() ? list[i] : nullptr;
    *n = std::min(*n, list.size());
  } else {
    *n = list.size();
  }
  return cudaSuccess;
}

const char* type_name(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel: return "kernel";
    case cudaGraphNodeTypeMemcpy: return "memcpy";
    case cudaGraphNodeTypeMemset: return "memset";
    case cudaGraphNodeTypeHost: return "host";
    case cudaGraphNodeTypeGraph: return "graph";
    case cudaGraphNodeTypeWaitEvent: return "event wait";
    case cudaGraphNodeTypeEventRecord: return "event record";
    default: return "empty";
  }
}

cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  if (exec == nullptr) return cudaErrorInvalidValue;
  const auto made = CUgraphExec_st::make(*graph);
  if (!made) return cudaErrorInvalidValue;
  made->flags = flags;
  execs()[made.get()] = made;
  *exec = made.get();
  return cudaSuccess;
}

cudaError_t change_edges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, std::size_t n,
                         bool are_added) {
  for (std::size_t i = 0; i < n; ++i) {
    if (!from || !to || !graph->holds(from[i]) || !graph->holds(to[i]) || from[i] == to[i])
      return cudaErrorInvalidValue;
    auto& after = to[i]->after;
    const bool has_edge = std::find(after.begin(), after.end(), from[i]) != after.end();
    if (has_edge == are_added) return cudaErrorInvalidValue;
    if (are_added) {
      after.push_back(from[i]);
    } else {
      std::erase(after, from[i]);
    }
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return call([&] {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    *graph = new CUgraph_st;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call_on(graph, [&] {
    delete graph;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return call_on(graph, [&] {
    if (clone == nullptr) return cudaErrorInvalidValue;
    *clone = new CUgraph_st;
    (*clone)->take_clone_of(*graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
  return call_on(clone, [&] {
    for (const auto& own : clone->nodes) {
      if (own->original == original) return store_result(node, own.get());
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  return call_on(graph, [&] {
    std::FILE* const file = path ? std::fopen(path, "w") : nullptr;
    if (!file) return cudaErrorOperatingSystem;
    std::fprintf(file, "digraph graph_1 {\n");
    std::map<cudaGraphNode_t, std::size_t> numbers;
    for (const auto& node : graph->nodes) {
      const std::size_t number = numbers[node.get()] = numbers.size();
      std::fprintf(file, "  node_%zu [label=\"%zu: %s\"];\n", number, number, type_name(node->draft.type));
    }
    for (const auto& node : graph->nodes) {
      for (const cudaGraphNode_t before : node->after)
        std::fprintf(file, "  node_%zu -> node_%zu;\n", numbers[before], numbers[node.get()]);
    }
    std::fprintf(file, "}\n");
    return std::fclose(file) == 0 ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

cudaError_t rafter_simt_graph_add_edges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        std::size_t n) {
  return call_on(graph, [&] { return change_edges(graph, from, to, n, true); });
}

cudaError_t rafter_simt_graph_remove_edges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                           std::size_t n) {
  return call_on(graph, [&] { return change_edges(graph, from, to, n, false); });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* n) {
  return call_on(graph, [&] {
    std::vector<cudaGraphNode_t> all;
    for (const auto& node : graph->nodes) all.push_back(node.get());
    return store_list(all, nodes, n);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* n) {
  return call_on(graph, [&] {
    std::vector<cudaGraphNode_t> roots;
    for (const auto& node : graph->nodes) {
      if (node->after.empty()) roots.push_back(node.get());
    }
    return store_list(roots, nodes, n);
  });
}

cudaError_t rafter_simt_graph_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* n) {
  return call_on(graph, [&] {
    std::vector<cudaGraphNode_t> begins, ends;
    for (const auto& node : graph->nodes) {
      begins.insert(begins.end(), node->after.begin(), node->after.end());
      ends.insert(ends.end(), node->after.size(), node.get());
    }
    if (n == nullptr || (from == nullptr) != (to == nullptr)) return cudaErrorInvalidValue;
    std::size_t capacity = *n;
    store_list(begins, from, &capacity);
    return store_list(ends, to, n);
  });
}

cudaError_t rafter_simt_graph_node_after(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* n) {
  return call_on(node, [&] { return store_list(node->after, nodes, n); });
}

cudaError_t rafter_simt_graph_node_before(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* n) {
  return call_on(node, [&] {
    std::vector<cudaGraphNode_t> behind;
    for (const auto& other : node->graph->nodes) {
      if (std::find(other->after.begin(), other->after.end(), node) != other->after.end())
        behind.push_back(other.get());
    }
    return store_list(behind, nodes, n);
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return call_on(node, [&] { return store_result(type, node->draft.type); });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return call_on(node, [&] {
    node->graph->remove(node);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return call_on(graph, [&] { return instantiate(exec, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphInstantiateParams* how) {
  return call_on(graph, [&] {
    if (how == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = instantiate(exec, graph, how->flags);
    how->errNode_out = nullptr;
    how->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    return error;
  });
}

// Errors of the graph's nodes are reported where they occur.
cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    const auto exec = find_exec(handle);
    if (!exec || !streams().known(stream)) return exec ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
    const auto draft = [&] {
      const auto child = exec->copy();
      return NodeDraft{cudaGraphNodeTypeGraph, [=](cudaStream_t branch) { return child->launch(branch, site); }, {}};
    };
    if (const auto result = captured(stream, draft)) return *result;
    return exec->launch(stream, site);
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
  return call([&] {
    if (!find_exec(handle)) return cudaErrorInvalidValue;
    return streams().known(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return call([&] {
    const auto exec = find_exec(handle);
    const std::lock_guard lock(graphs_mutex());
    return exec && execs().erase(handle) == 1 ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  return call([&] {
    const auto exec = find_exec(handle);
    return exec ? store_result(flags, exec->flags) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned is_enabled) {
  return call([&] {
    const auto exec = find_exec(handle);
    auto* const step = exec ? exec->find(node) : nullptr;
    if (!step || step->draft.type > cudaGraphNodeTypeMemset) return cudaErrorInvalidValue;
    step->is_enabled = is_enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned* is_enabled) {
  return call([&] {
    const auto exec = find_exec(handle);
    auto* const step = exec ? exec->find(node) : nullptr;
    return step ? store_result(is_enabled, unsigned{step->is_enabled}) : cudaErrorInvalidValue;
  });
}

cudaError_t rafter_simt_graph_update(cudaGraphExec_t handle, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result) {
  return call_on(graph, [&] {
    const auto exec = find_exec(handle);
    if (!exec) return cudaErrorInvalidValue;
    const cudaGraphExecUpdateResultInfo info = exec->update(*graph);
    if (result) *result = info;
    return info.result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
  });
}

cudaError_t rafter::simt::change_step(cudaGraphExec_t handle, cudaGraphNode_t node, NodeDraft draft) {
  const auto exec = find_exec(handle);
  auto* const step = exec ? exec->find(node) : nullptr;
  if (!step || step->draft.type != draft.type) return cudaErrorInvalidValue;
  if (const auto* child = std::get_if<std::shared_ptr<CUgraph_st>>(&draft.parameters)) {
    step->child = CUgraphExec_st::make(**child);
    if (!step->child) return cudaErrorInvalidValue;
  }
  step->draft = std::move(draft);
  return cudaSuccess;
}

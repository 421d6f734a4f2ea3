// CUDA graphs and stream capture: types and functions, with the signatures of CUDA 11, 12 and 13.
#pragma once

#include "rafter_simt/api/templates.hpp"

typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
};

enum cudaStreamUpdateCaptureDependenciesFlags {
  cudaStreamAddCaptureDependencies = 0,
  cudaStreamSetCaptureDependencies = 1
};

enum cudaGraphNodeType {
  cudaGraphNodeTypeKernel = 0,
  cudaGraphNodeTypeMemcpy = 1,
  cudaGraphNodeTypeMemset = 2,
  cudaGraphNodeTypeHost = 3,
  cudaGraphNodeTypeGraph = 4,
  cudaGraphNodeTypeEmpty = 5,
  cudaGraphNodeTypeWaitEvent = 6,
  cudaGraphNodeTypeEventRecord = 7,
  cudaGraphNodeTypeExtSemaphoreSignal = 8,
  cudaGraphNodeTypeExtSemaphoreWait = 9,
  cudaGraphNodeTypeMemAlloc = 10,
  cudaGraphNodeTypeMemFree = 11,
  cudaGraphNodeTypeConditional = 13,
  cudaGraphNodeTypeCount
};

enum cudaGraphExecUpdateResult {
  cudaGraphExecUpdateSuccess = 0,
  cudaGraphExecUpdateError = 1,
  cudaGraphExecUpdateErrorTopologyChanged = 2,
  cudaGraphExecUpdateErrorNodeTypeChanged = 3,
  cudaGraphExecUpdateErrorFunctionChanged = 4,
  cudaGraphExecUpdateErrorParametersChanged = 5,
  cudaGraphExecUpdateErrorNotSupported = 6,
  cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7,
  cudaGraphExecUpdateErrorAttributesChanged = 8
};

enum cudaGraphInstantiateFlags {
  cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
  cudaGraphInstantiateFlagUpload = 2,
  cudaGraphInstantiateFlagDeviceLaunch = 4,
  cudaGraphInstantiateFlagUseNodePriority = 8
};

enum cudaGraphInstantiateResult { cudaGraphInstantiateSuccess = 0, cudaGraphInstantiateError = 1 };

enum cudaGraphDebugDotFlags { cudaGraphDebugDotFlagsVerbose = 1 };

typedef struct cudaGraphExecUpdateResultInfo_st {
  cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;

typedef struct cudaGraphInstantiateParams_st {
  unsigned long long flags;
  cudaStream_t uploadStream;
  cudaGraphNode_t errNode_out;
  cudaGraphInstantiateResult result_out;
} cudaGraphInstantiateParams;

typedef struct cudaGraphEdgeData_st {
  unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;

struct cudaKernelNodeParams {
  void* func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void** kernelParams;
  void** extra;
};

struct cudaMemsetParams {
  void* dst;
  std::size_t pitch;
  unsigned value, elementSize;
  std::size_t width, height;  // in elements
};

struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void* userData;
};

#pragma GCC visibility push(default)
extern "C" {
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData* edges, std::size_t n_after,
                                          cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode);
cudaError_t rafter_simt_capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** after, std::size_t* n_after);
cudaError_t rafter_simt_update_capture(cudaStream_t stream, const cudaGraphNode_t* after, std::size_t n_after,
                                       unsigned flags);

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags);

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t n_after, const cudaKernelNodeParams* parameters);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t n_after, const cudaMemcpy3DParms* parameters);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     std::size_t n_after, void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind);
cudaError_t rafter_simt_graph_copy_to_symbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                             std::size_t n_after, rafter_simt::Symbol symbol, const void* from,
                                             std::size_t bytes, std::size_t offset, cudaMemcpyKind kind);
cudaError_t rafter_simt_graph_copy_from_symbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                               std::size_t n_after, void* to, rafter_simt::Symbol symbol,
                                               std::size_t bytes, std::size_t offset, cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t n_after, const cudaMemsetParams* parameters);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 std::size_t n_after, const cudaHostNodeParams* parameters);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  std::size_t n_after);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       std::size_t n_after, cudaGraph_t child);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                        std::size_t n_after, cudaEvent_t event);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      std::size_t n_after, cudaEvent_t event);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);

cudaError_t rafter_simt_graph_add_edges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        std::size_t n);
cudaError_t rafter_simt_graph_remove_edges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                           std::size_t n);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* n);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* n);
cudaError_t rafter_simt_graph_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* n);
cudaError_t rafter_simt_graph_node_after(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* n);
cudaError_t rafter_simt_graph_node_before(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* n);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph);

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, std::size_t bytes,
                                           cudaMemcpyKind kind);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event);

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags = 0);
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphInstantiateParams* how);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned is_enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* is_enabled);
cudaError_t rafter_simt_graph_update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const void* from,
                                               std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child);
}
#pragma GCC visibility pop

// Overloads that changed between CUDA 11 and 13. Edges have no data here: the kinds of edges that GPUs have make no
// difference.

RAFTER_SIMT_INLINE cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                    unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
RAFTER_SIMT_INLINE cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* bad_node,
                                                    char* log, std::size_t log_bytes) {
  if (bad_node) *bad_node = nullptr;
  if (log && log_bytes > 0) log[0] = '\0';
  return cudaGraphInstantiateWithFlags(exec, graph, 0);
}

RAFTER_SIMT_INLINE cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                                   cudaGraphExecUpdateResultInfo* result) {
  return rafter_simt_graph_update(exec, graph, result);
}
RAFTER_SIMT_INLINE cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* bad_node,
                                                   cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = rafter_simt_graph_update(exec, graph, &info);
  if (bad_node) *bad_node = info.errorNode;
  if (result) *result = info.result;
  return error;
}

RAFTER_SIMT_INLINE cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                        const cudaGraphNode_t* to, std::size_t n) {
  return rafter_simt_graph_add_edges(graph, from, to, n);
}
RAFTER_SIMT_INLINE cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                                        std::size_t n) {
  return rafter_simt_graph_add_edges(graph, from, to, n);
}
RAFTER_SIMT_INLINE cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                           const cudaGraphNode_t* to, std::size_t n) {
  return rafter_simt_graph_remove_edges(graph, from, to, n);
}
RAFTER_SIMT_INLINE cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                           const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                                           std::size_t n) {
  return rafter_simt_graph_remove_edges(graph, from, to, n);
}

namespace rafter_simt {
inline void clear_edge_data(cudaGraphEdgeData* edges, const std::size_t* n) {
  for (std::size_t i = 0; edges && n && i < *n; ++i) edges[i] = {};
}
}  // namespace rafter_simt

RAFTER_SIMT_INLINE cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                                 std::size_t* n) {
  return rafter_simt_graph_edges(graph, from, to, n);
}
RAFTER_SIMT_INLINE cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                                 cudaGraphEdgeData* edges, std::size_t* n) {
  const cudaError_t error = rafter_simt_graph_edges(graph, from, to, n);
  rafter_simt::clear_edge_data(edges, n);
  return error;
}
RAFTER_SIMT_INLINE cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                            std::size_t* n) {
  return rafter_simt_graph_node_after(node, nodes, n);
}
RAFTER_SIMT_INLINE cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                            cudaGraphEdgeData* edges, std::size_t* n) {
  const cudaError_t error = rafter_simt_graph_node_after(node, nodes, n);
  rafter_simt::clear_edge_data(edges, n);
  return error;
}
RAFTER_SIMT_INLINE cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                              std::size_t* n) {
  return rafter_simt_graph_node_before(node, nodes, n);
}
RAFTER_SIMT_INLINE cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                              cudaGraphEdgeData* edges, std::size_t* n) {
  const cudaError_t error = rafter_simt_graph_node_before(node, nodes, n);
  rafter_simt::clear_edge_data(edges, n);
  return error;
}

RAFTER_SIMT_INLINE cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                        unsigned long long* id = nullptr, cudaGraph_t* graph = nullptr,
                                                        const cudaGraphNode_t** after = nullptr,
                                                        std::size_t* n_after = nullptr) {
  return rafter_simt_capture_info(stream, status, id, graph, after, n_after);
}
RAFTER_SIMT_INLINE cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                        unsigned long long* id, cudaGraph_t* graph,
                                                        const cudaGraphNode_t** after, const cudaGraphEdgeData** edges,
                                                        std::size_t* n_after) {
  if (edges) *edges = nullptr;
  return rafter_simt_capture_info(stream, status, id, graph, after, n_after);
}
#define cudaStreamGetCaptureInfo_v2 cudaStreamGetCaptureInfo
#define cudaStreamGetCaptureInfo_v3 cudaStreamGetCaptureInfo
RAFTER_SIMT_INLINE cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after,
                                                                   std::size_t n_after, unsigned flags = 0) {
  return rafter_simt_update_capture(stream, after, n_after, flags);
}
RAFTER_SIMT_INLINE cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after,
                                                                   const cudaGraphEdgeData*, std::size_t n_after,
                                                                   unsigned flags = 0) {
  return rafter_simt_update_capture(stream, after, n_after, flags);
}

template <class Variable>
RAFTER_SIMT_INLINE cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                              const cudaGraphNode_t* after, std::size_t n_after,
                                                              const Variable& symbol, const void* from,
                                                              std::size_t bytes, std::size_t offset,
                                                              cudaMemcpyKind kind) {
  return rafter_simt_graph_copy_to_symbol(node, graph, after, n_after, rafter_simt::symbol_of<const Variable&>(symbol),
                                          from, bytes, offset, kind);
}
template <class Variable>
RAFTER_SIMT_INLINE cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                                const cudaGraphNode_t* after, std::size_t n_after,
                                                                void* to, const Variable& symbol, std::size_t bytes,
                                                                std::size_t offset, cudaMemcpyKind kind) {
  return rafter_simt_graph_copy_from_symbol(node, graph, after, n_after, to,
                                            rafter_simt::symbol_of<const Variable&>(symbol), bytes, offset, kind);
}

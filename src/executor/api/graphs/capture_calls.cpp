// The calls that begin, end and query stream capture.
#include "executor/api/call.hpp"
#include "executor/api/graphs/capture.hpp"
#include "executor/api/streams.hpp"

using namespace rafter::simt;

namespace {

bool is_mode(cudaStreamCaptureMode mode) { return mode >= 0 && mode <= cudaStreamCaptureModeRelaxed; }

cudaError_t begin(cudaStream_t stream, cudaStreamCaptureMode mode, cudaGraph_t into,
                  std::vector<cudaGraphNode_t> after) {
  if (!streams().known(stream)) return cudaErrorInvalidResourceHandle;
  if (!is_mode(mode)) return cudaErrorInvalidValue;
  return captures().begin(streams().ref(stream), mode, into, std::move(after));
}

bool are_nodes_of(cudaGraph_t graph, const cudaGraphNode_t* nodes, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (nodes == nullptr || !graph->holds(nodes[i])) return false;
  }
  return true;
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call([&] { return begin(stream, mode, nullptr, {}); });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData*, std::size_t n_after, cudaStreamCaptureMode mode) {
  return call([&] {
    const std::lock_guard lock(graphs_mutex());
    if (!is_graph(graph) || !are_nodes_of(graph, after, n_after)) return cudaErrorInvalidValue;
    return begin(stream, mode, graph, std::vector(after, after + n_after));
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call([&] {
    if (!streams().known(stream)) return cudaErrorInvalidResourceHandle;
    return graph == nullptr ? cudaErrorInvalidValue : captures().end(streams().ref(stream), graph);
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return call([&] {
    if (mode == nullptr || !is_mode(*mode)) return cudaErrorInvalidValue;
    *mode = captures().exchange_mode(*mode);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return rafter_simt_capture_info(stream, status, nullptr, nullptr, nullptr, nullptr);
}

cudaError_t rafter_simt_capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** after, std::size_t* n_after) {
  return call([&] {
    if (status == nullptr) return cudaErrorInvalidValue;
    if (!streams().known(stream)) return cudaErrorInvalidResourceHandle;
    const std::lock_guard lock(graphs_mutex());
    const StreamRef ref = streams().ref(stream);
    const auto capture = captures().of(ref);
    *status = !capture            ? cudaStreamCaptureStatusNone
              : capture->is_valid ? cudaStreamCaptureStatusActive
                                  : cudaStreamCaptureStatusInvalidated;
    if (!capture || !capture->is_valid) return capture ? cudaSuccess : captures().admit(ref);
    const auto& waits_for = capture->streams[ref.number].waits_for;
    if (id) *id = capture->id;
    if (graph) *graph = capture->graph;
    if (after) *after = waits_for.data();
    if (n_after) *n_after = waits_for.size();
    return cudaSuccess;
  });
}

cudaError_t rafter_simt_update_capture(cudaStream_t stream, const cudaGraphNode_t* after, std::size_t n_after,
                                       unsigned flags) {
  return call([&] {
    if (!streams().known(stream)) return cudaErrorInvalidResourceHandle;
    const std::lock_guard lock(graphs_mutex());
    const StreamRef ref = streams().ref(stream);
    const auto capture = captures().of(ref);
    if (!capture) return cudaErrorIllegalState;
    if (flags > cudaStreamSetCaptureDependencies || !are_nodes_of(capture->graph, after, n_after))
      return cudaErrorInvalidValue;
    auto& waits_for = capture->streams[ref.number].waits_for;
    if (flags == cudaStreamSetCaptureDependencies) waits_for.clear();
    waits_for.insert(waits_for.end(), after, after + n_after);
    return cudaSuccess;
  });
}

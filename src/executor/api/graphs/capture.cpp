#include "executor/api/graphs/capture.hpp"

#include <algorithm>

#include "executor/api/streams.hpp"

namespace rafter::simt {
namespace {

thread_local NodeDraft* drafted = nullptr;
thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

using Lock = std::lock_guard<std::recursive_mutex>;

bool blocks(const Capture& capture) {
  return std::any_of(capture.streams.begin(), capture.streams.end(),
                     [](const auto& entry) { return entry.second.kind == StreamKind::blocking; });
}

void add_once(std::vector<cudaGraphNode_t>& to, const std::vector<cudaGraphNode_t>& nodes) {
  for (const cudaGraphNode_t node : nodes) {
    if (std::find(to.begin(), to.end(), node) == to.end()) to.push_back(node);
  }
}

/// Whether a captured stream has work that the origin stream does not depend on.
bool has_unjoined_work(const Capture& capture) {
  const auto& ends = capture.streams.at(capture.origin).waits_for;
  for (const auto& [number, stream] : capture.streams) {
    for (const cudaGraphNode_t node : stream.waits_for) {
      if (!CUgraph_st::is_awaited(node, ends)) return true;
    }
  }
  return false;
}

}  // namespace

Drafting::Drafting(NodeDraft* draft) { drafted = draft; }
Drafting::~Drafting() { drafted = nullptr; }
NodeDraft* Drafting::now() { return drafted; }

StreamRef ref_of(cudaStream_t stream) { return streams().ref(stream); }

Captures& captures() {
  static Captures& captures = *new Captures;  // never destroyed: destructors of the program may still use it
  return captures;
}

std::shared_ptr<Capture> Captures::of(const StreamRef& stream) const {
  const Lock lock(graphs_mutex());
  for (const auto& capture : captures_) {
    if (capture->streams.count(stream.number) == 1) return capture;
  }
  return nullptr;
}

cudaError_t Captures::begin(const StreamRef& stream, cudaStreamCaptureMode mode, cudaGraph_t into,
                            std::vector<cudaGraphNode_t> after) {
  const Lock lock(graphs_mutex());
  if (stream.kind == StreamKind::legacy) return cudaErrorStreamCaptureUnsupported;
  if (of(stream)) return cudaErrorIllegalState;
  const bool owns = into == nullptr;
  auto capture = std::make_shared<Capture>(
      Capture{++n_captures_, mode, stream.number, std::this_thread::get_id(), owns ? new CUgraph_st : into, owns});
  capture->streams[stream.number] = {stream.kind, std::move(after)};
  captures_.push_back(std::move(capture));
  changed();
  return cudaSuccess;
}

cudaError_t Captures::end(const StreamRef& stream, cudaGraph_t* graph) {
  const Lock lock(graphs_mutex());
  const auto capture = of(stream);
  if (!capture) return cudaErrorIllegalState;
  if (capture->origin != stream.number) {
    capture->is_valid = false;
    return cudaErrorStreamCaptureUnmatched;
  }
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())
    return cudaErrorStreamCaptureWrongThread;
  std::erase(captures_, capture);
  capture->is_over = true;
  cudaError_t error = cudaSuccess;
  if (!capture->is_valid) {
    error = cudaErrorStreamCaptureInvalidated;
  } else if (has_unjoined_work(*capture)) {
    error = cudaErrorStreamCaptureUnjoined;
  }
  changed();
  *graph = error == cudaSuccess ? capture->graph : nullptr;
  if (error != cudaSuccess && capture->owns_graph) delete capture->graph;
  return error;
}

cudaError_t Captures::admit(const StreamRef& stream) {
  const Lock lock(graphs_mutex());
  if (const auto capture = of(stream)) return capture->is_valid ? cudaSuccess : cudaErrorStreamCaptureInvalidated;
  if (stream.kind != StreamKind::legacy) return cudaSuccess;
  bool is_waited_for = false;
  for (const auto& capture : captures_) {
    if (!blocks(*capture)) continue;
    capture->is_valid = false;
    is_waited_for = true;
  }
  return is_waited_for ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

void Captures::add(const StreamRef& stream, NodeDraft draft) {
  const auto capture = of(stream);
  auto& waits_for = capture->streams[stream.number].waits_for;
  waits_for = {capture->graph->add(std::move(draft), waits_for)};
}

cudaError_t Captures::record(cudaEvent_t event, const StreamRef& stream) {
  const Lock lock(graphs_mutex());
  const auto capture = of(stream);
  events_[event] = {capture, capture->streams[stream.number].waits_for};
  changed();
  return cudaSuccess;
}

std::optional<cudaError_t> Captures::wait(const StreamRef& stream, cudaEvent_t event, bool was_recorded) {
  const Lock lock(graphs_mutex());
  const auto capture = of(stream);
  const auto at = events_.find(event);
  if (capture && !capture->is_valid) return cudaErrorStreamCaptureInvalidated;
  if (at == events_.end()) {
    if (!capture || !was_recorded) return std::nullopt;
    capture->is_valid = false;
    return cudaErrorStreamCaptureIsolation;
  }
  const auto& [of_event, nodes] = at->second;
  if (of_event->is_over) {
    if (capture) capture->is_valid = false;
    return cudaErrorCapturedEvent;
  }
  if (!of_event->is_valid) return cudaErrorStreamCaptureInvalidated;
  if (capture && capture != of_event) {
    capture->is_valid = of_event->is_valid = false;
    return cudaErrorStreamCaptureMerge;
  }
  if (stream.kind == StreamKind::legacy) {
    of_event->is_valid = false;
    return cudaErrorStreamCaptureImplicit;
  }
  auto& joined = of_event->streams.try_emplace(stream.number, Capture::Captured{stream.kind, {}}).first->second;
  add_once(joined.waits_for, nodes);
  return cudaSuccess;
}

bool Captures::is_captured(cudaEvent_t event) const {
  const Lock lock(graphs_mutex());
  return events_.count(event) == 1;
}

void Captures::forget(cudaEvent_t event) {
  const Lock lock(graphs_mutex());
  events_.erase(event);
  changed();
}

cudaError_t Captures::refuse(const StreamRef& stream) {
  const Lock lock(graphs_mutex());
  const auto capture = of(stream);
  if (!capture) return admit(stream);
  if (!capture->is_valid) return cudaErrorStreamCaptureInvalidated;
  capture->is_valid = false;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t Captures::refuse_for_all() {
  const Lock lock(graphs_mutex());
  for (const auto& capture : captures_) capture->is_valid = false;
  return captures_.empty() ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}

cudaError_t Captures::refuse_unsafe() {
  const Lock lock(graphs_mutex());
  cudaError_t error = cudaSuccess;
  if (thread_mode == cudaStreamCaptureModeRelaxed) return error;
  for (const auto& capture : captures_) {
    const bool is_own = capture->thread == std::this_thread::get_id();
    const bool forbids =
        is_own ? capture->mode != cudaStreamCaptureModeRelaxed
               : thread_mode == cudaStreamCaptureModeGlobal && capture->mode == cudaStreamCaptureModeGlobal;
    if (!forbids) continue;
    capture->is_valid = false;
    error = cudaErrorStreamCaptureUnsupported;
  }
  return error;
}

cudaStreamCaptureMode Captures::exchange_mode(cudaStreamCaptureMode mode) { return std::exchange(thread_mode, mode); }

}  // namespace rafter::simt

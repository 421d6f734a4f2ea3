// Stream capture. Work that is enqueued on a captured stream becomes nodes of a graph, after the nodes that the stream
// depends on. An event recorded there represents these nodes; a stream that waits for the event is captured, too.
#pragma once

#include <atomic>
#include <optional>
#include <thread>

#include "executor/api/graphs/graph.hpp"
#include "executor/process/stream_observer.hpp"

namespace rafter::simt {

struct Capture {
  unsigned long long id;
  cudaStreamCaptureMode mode;
  std::uint64_t origin;  // number of the stream in which the capture began
  std::thread::id thread;
  cudaGraph_t graph;
  bool owns_graph;
  bool is_valid = true, is_over = false;
  struct Captured {
    StreamKind kind;
    std::vector<cudaGraphNode_t> waits_for;  // dependencies of its next node
  };
  std::map<std::uint64_t, Captured> streams{};
};

class Captures {
 public:
  /// Whether a capture is active, or events of captures exist. Other programs take the fast path.
  bool in_use() const { return in_use_.load(std::memory_order_relaxed); }

  cudaError_t begin(const StreamRef& stream, cudaStreamCaptureMode mode, cudaGraph_t into,
                    std::vector<cudaGraphNode_t> after);
  cudaError_t end(const StreamRef& stream, cudaGraph_t* graph);
  std::shared_ptr<Capture> of(const StreamRef& stream) const;

  /// Returns an error if work cannot be enqueued on the stream. The legacy default stream would wait for captured
  /// streams.
  cudaError_t admit(const StreamRef& stream);
  void add(const StreamRef& stream, NodeDraft draft);

  cudaError_t record(cudaEvent_t event, const StreamRef& stream);
  /// Returns the result of a call that makes the stream wait for the event, if one of them belongs to a capture.
  std::optional<cudaError_t> wait(const StreamRef& stream, cudaEvent_t event, bool was_recorded);
  bool is_captured(cudaEvent_t event) const;
  /// Removes an event that is recorded outside of captures, or destroyed.
  void forget(cudaEvent_t event);

  /// Invalidates the capture of a stream that a call waits for, and returns the error.
  cudaError_t refuse(const StreamRef& stream);
  /// Invalidates all captures because a call waits for the whole device.
  cudaError_t refuse_for_all();
  /// Invalidates the captures with a mode that forbids calls that may wait for the device implicitly, such as
  /// cudaMalloc.
  cudaError_t refuse_unsafe();
  cudaStreamCaptureMode exchange_mode(cudaStreamCaptureMode mode);

 private:
  struct Event {
    std::shared_ptr<Capture> capture;
    std::vector<cudaGraphNode_t> nodes;
  };
  void changed() { in_use_ = !captures_.empty() || !events_.empty(); }

  std::vector<std::shared_ptr<Capture>> captures_;
  std::map<cudaEvent_t, Event> events_;
  unsigned long long n_captures_ = 0;
  std::atomic<bool> in_use_ = false;
};

Captures& captures();

/// A scope in which work that this thread enqueues becomes the draft of a node instead.
class Drafting {
 public:
  explicit Drafting(NodeDraft* draft);
  ~Drafting();
  Drafting(const Drafting&) = delete;
  Drafting& operator=(const Drafting&) = delete;
  static NodeDraft* now();
};

StreamRef ref_of(cudaStream_t stream);

// Work that graph nodes are created from explicitly. Each function enqueues it on a stream, or stores it in a draft.
cudaError_t enqueue_copy(const cudaMemcpy3DParms& copy, const char* name, const void* site);
cudaError_t enqueue_fill(const cudaMemsetParams& fill, const void* site);
cudaError_t enqueue_host_function(const cudaHostNodeParams& function, cudaStream_t stream, const void* site);

/// Captures work for a stream: returns the call's result if the work is captured or refused, or nothing if the call is
/// to perform it now. `draft()` creates the node.
template <class Draft>
std::optional<cudaError_t> captured(cudaStream_t stream, Draft draft) {
  if (NodeDraft* const wanted = Drafting::now()) {
    *wanted = draft();
    return cudaSuccess;
  }
  if (!captures().in_use()) return std::nullopt;
  const std::lock_guard lock(graphs_mutex());
  const StreamRef ref = ref_of(stream);
  if (const cudaError_t error = captures().admit(ref); error != cudaSuccess) return error;
  if (!captures().of(ref)) return std::nullopt;
  captures().add(ref, draft());
  return cudaSuccess;
}

/// Returns an error for a call that waits for a captured stream.
inline cudaError_t refused_by_capture(cudaStream_t stream) {
  return captures().in_use() ? captures().refuse(ref_of(stream)) : cudaSuccess;
}

/// Returns an error for a call that waits for the whole device while a capture is active.
inline cudaError_t refused_by_any_capture() { return captures().in_use() ? captures().refuse_for_all() : cudaSuccess; }
/// Returns an error for a call that may wait for the device while a capture forbids such calls.
inline cudaError_t unsafe_in_capture() { return captures().in_use() ? captures().refuse_unsafe() : cudaSuccess; }

}  // namespace rafter::simt

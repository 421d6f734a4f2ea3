// Stream capture: work given to a stream that is being captured becomes nodes of a graph, after those that the stream
// waits for. An event that is recorded there stands for these nodes; a stream that waits for it is captured, too.
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
  std::uint64_t origin;  // number of the stream that it began with
  std::thread::id thread;
  cudaGraph_t graph;
  bool owns_graph;
  bool is_valid = true, is_over = false;
  struct Captured {
    StreamKind kind;
    std::vector<cudaGraphNode_t> waits_for;  // what its next node comes after
  };
  std::map<std::uint64_t, Captured> streams{};
};

class Captures {
 public:
  /// Whether anything is being captured, or events of captures are left; the way of every other program is short.
  bool in_use() const { return in_use_.load(std::memory_order_relaxed); }

  cudaError_t begin(const StreamRef& stream, cudaStreamCaptureMode mode, cudaGraph_t into,
                    std::vector<cudaGraphNode_t> after);
  cudaError_t end(const StreamRef& stream, cudaGraph_t* graph);
  std::shared_ptr<Capture> of(const StreamRef& stream) const;

  /// What stands in the way of giving the stream work. The legacy default stream would wait for one being captured.
  cudaError_t admit(const StreamRef& stream);
  void add(const StreamRef& stream, NodeDraft draft);

  cudaError_t record(cudaEvent_t event, const StreamRef& stream);
  /// The call's result, when event or stream belong to a capture.
  std::optional<cudaError_t> wait(const StreamRef& stream, cudaEvent_t event, bool was_recorded);
  bool is_captured(cudaEvent_t event) const;
  /// It is recorded outside of captures, or destroyed.
  void forget(cudaEvent_t event);

  /// What this call waits for cannot happen while it is captured: the capture is over.
  cudaError_t refuse(const StreamRef& stream);
  cudaError_t refuse_for_all();
  /// A call that may wait for the device behind the scenes, as cudaMalloc.
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

/// While it lives, work that this thread gives becomes the draft of a node instead.
class Drafting {
 public:
  explicit Drafting(NodeDraft* draft);
  ~Drafting();
  Drafting(const Drafting&) = delete;
  Drafting& operator=(const Drafting&) = delete;
  static NodeDraft* now();
};

StreamRef ref_of(cudaStream_t stream);

/// For every call that gives a stream work: what it returns when it is to be captured, or cannot be given now.
/// `draft()` makes the node.
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

/// For calls that wait for a stream: an error, when that is being captured or would make it wait.
inline cudaError_t refused_by_capture(cudaStream_t stream) {
  return captures().in_use() ? captures().refuse(ref_of(stream)) : cudaSuccess;
}

/// For calls that wait for the whole device, and those that may.
inline cudaError_t refused_by_any_capture() { return captures().in_use() ? captures().refuse_for_all() : cudaSuccess; }
inline cudaError_t unsafe_in_capture() { return captures().in_use() ? captures().refuse_unsafe() : cudaSuccess; }

}  // namespace rafter::simt

// The interface by which the API reports streams, events and host waits, in the order of the host's calls. A launch or
// copy is complete when its call returns. The observer derives when a GPU may have executed it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rafter::simt {

/// The relation of a stream to the legacy default stream: it is that stream, it synchronises with it, or it does not.
enum class StreamKind : std::uint8_t { legacy, blocking, non_blocking };

struct StreamRef {
  std::uint64_t number;  // 0: legacy; others are numbered from 1 in the order of their creation
  StreamKind kind;
};
constexpr std::uint64_t first_per_thread = std::uint64_t{1} << 32;  // first number of the per-thread default streams
// Numbers of the internal streams (branches) of graphs. Those of graph 1 begin at first_branch + branches_of_graph.
constexpr std::uint64_t first_branch = std::uint64_t{1} << 48, branches_of_graph = std::uint64_t{1} << 24;
/// Returns the number of the graph that the stream is a branch of; 0 if it is not a branch.
constexpr std::uint64_t graph_of(const StreamRef& stream) {
  return stream.number < first_branch ? 0 : (stream.number - first_branch) / branches_of_graph;
}
/// Returns "the default stream", "stream 2" or "branch 2 of graph 1".
std::string name(const StreamRef& stream);

/// One call that enqueues work in a stream.
struct StreamTask {
  enum class Kind : std::uint8_t { kernel, call };

  Kind kind;
  const char* what;  // name of the kernel or the call
  StreamRef stream;
  const void* place;  // of the call
};

/// Whether the call returns when the work is complete, or when it is enqueued.
enum class HostWaits : bool { no, yes };

class StreamObserver {
 public:
  virtual ~StreamObserver() = default;

  /// Accesses of kernels and of API calls of this thread between task_began() and task_ended() belong to the task.
  virtual void task_began(const StreamTask& task) = 0;
  virtual void task_ended(HostWaits waits) = 0;

  virtual void stream_made() = 0;
  virtual void host_waited(const StreamRef& stream) = 0;
  /// Whether a query of the stream, or of an event, reports that its work is not done: the first one after new work
  /// does, so that a program that ignores the answer shows.
  virtual bool is_busy(const StreamRef& stream) = 0;
  virtual bool is_busy(const void* event) = 0;
  virtual void host_waited_for_all() = 0;

  virtual void event_recorded(const void* event, const StreamRef& stream) = 0;
  virtual void stream_waits(const StreamRef& stream, const void* event, const void* place) = 0;
  virtual void host_waits(const void* event, const void* place) = 0;
  /// The program asked for the time of an event that was never recorded.
  virtual void time_missed(const void* place) = 0;
  virtual void event_destroyed(const void* event) = 0;

  virtual void host_memory_pinned() = 0;
  /// Host memory becomes inaccessible to the device: it was unpinned or freed.
  virtual void host_memory_gone(const void* begin, std::size_t bytes, const char* how, const void* place) = 0;
  virtual void process_ends() = 0;
};

}  // namespace rafter::simt

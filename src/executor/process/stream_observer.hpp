// What the API tells of streams and of the host that gives them work, call by call in the host's order. A launch or a
// copy has happened when its call returns; when a GPU would have done it is for the observer to say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rafter::simt {

/// How a stream stands to the legacy default stream: it is that one, waits for it and is waited for, or does neither.
enum class StreamKind : std::uint8_t { legacy, blocking, non_blocking };

struct StreamRef {
  std::uint64_t number;  // 0: legacy; from 1 on: in the order they were made
  StreamKind kind;
};
constexpr std::uint64_t first_per_thread = std::uint64_t{1} << 32;  // numbers of the threads' default streams
// Numbers of a graph's own streams, its branches; of graph 1 from first_branch + branches_of_graph on.
constexpr std::uint64_t first_branch = std::uint64_t{1} << 48, branches_of_graph = std::uint64_t{1} << 24;
/// The number of the graph whose branch it is; 0: it is no graph's.
constexpr std::uint64_t graph_of(const StreamRef& stream) {
  return stream.number < first_branch ? 0 : (stream.number - first_branch) / branches_of_graph;
}
/// "the default stream", "stream 2", "branch 2 of graph 1".
std::string name(const StreamRef& stream);

/// One call that gives a stream something to do.
struct StreamTask {
  enum class Kind : std::uint8_t { kernel, call };

  Kind kind;
  const char* what;  // the kernel's name, or the call's
  StreamRef stream;
  const void* place;  // the call
};

/// Whether the host goes on when the task is done, or when it has been given.
enum class HostWaits : bool { no, yes };

class StreamObserver {
 public:
  virtual ~StreamObserver() = default;

  /// What kernels, and API calls of this thread, touch in between is the task's doing.
  virtual void task_began(const StreamTask& task) = 0;
  virtual void task_ended(HostWaits waits) = 0;

  virtual void stream_made() = 0;
  virtual void host_waited(const StreamRef& stream) = 0;
  virtual void host_waited_for_all() = 0;

  virtual void event_recorded(const void* event, const StreamRef& stream) = 0;
  virtual void stream_waits(const StreamRef& stream, const void* event, const void* place) = 0;
  virtual void host_waits(const void* event, const void* place) = 0;
  /// The time of an event was asked for that nobody has recorded.
  virtual void time_missed(const void* place) = 0;
  virtual void event_destroyed(const void* event) = 0;

  virtual void host_memory_pinned() = 0;
  /// Host memory that the device could reach is taken away: unpinned, or freed.
  virtual void host_memory_gone(const void* begin, std::size_t bytes, const char* how, const void* place) = 0;
  virtual void process_ends() = 0;
};

}  // namespace rafter::simt

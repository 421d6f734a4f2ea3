#include "executor/process/stream_observer.hpp"

namespace rafter::simt {

std::string name(const StreamRef& stream) {
  if (stream.kind == StreamKind::legacy) return "the default stream";
  if (stream.number < first_per_thread) return "stream " + std::to_string(stream.number);
  if (const std::uint64_t graph = graph_of(stream); graph != 0) {
    const std::uint64_t branch = stream.number % branches_of_graph;
    return (branch == 0 ? "" : "branch " + std::to_string(branch) + " of ") + "graph " + std::to_string(graph);
  }
  const std::uint64_t thread = stream.number - first_per_thread;
  return thread == 0 ? "the per-thread default stream" : "per-thread default stream " + std::to_string(thread + 1);
}

}  // namespace rafter::simt

#include "executor/check/streams/stream_findings.hpp"

#include <execinfo.h>

#include "executor/check/array_names.hpp"
#include "executor/check/memory_checker.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/memory/memory.hpp"
#include "executor/process/findings.hpp"

namespace rafter::simt {
namespace {

bool is_kernel(const AccessSite& site) { return site.kind == StreamTask::Kind::kernel; }

std::string actor_of(StreamTask::Kind kind, const std::string& what, const StreamRef& stream) {
  return (kind == StreamTask::Kind::kernel ? "kernel " : "") + what + " in " + name(stream);
}

const char* action(const std::string& what, Use use) {
  if (what.starts_with("cudaMalloc")) return "allocates";
  if (what.starts_with("cudaFree")) return "frees it";
  switch (use) {
    case Use::reads: return "reads";
    case Use::writes: return "writes";
    case Use::reads_atomically: return "reads atomically";
    case Use::updates: return "updates atomically";
  }
  return "?";
}

Side first_side(const StreamConflict& conflict) {
  const AccessSite& first = conflict.first;
  return {action(first.what, conflict.use),
          first.place,
          conflict.bytes.end - conflict.bytes.begin,
          {},
          {},
          actor_of(first.kind, first.what, first.stream)};
}

void add_launch(std::vector<Side>& sides, const std::string& kernel, const void* place) {
  if (place) sides.push_back({"launches " + kernel, place, 0, {}, {}});
}

std::optional<Target> target_of(Bytes bytes, const Regions& regions) {
  const auto* address = reinterpret_cast<const std::byte*>(bytes.begin);
  if (const Allocation* found = memory().find(address)) {
    Target target = of_allocation(*found, address);
    name_array(target, *found, address, bytes.end - bytes.begin, true);
    return target;
  }
  if (regions.is_variable(address)) {
    Target target = regions.describe_variable(address);
    set_element(target, bytes.end - bytes.begin);
    return target;
  }
  return Target{memory().is_registered(address) ? "pinned host memory" : "host memory"};
}

}  // namespace

Side side_of(const StreamTask& task, Use use, std::size_t bytes, const void* place) {
  Side side{action(task.what, use), place, bytes, {}, {}, actor_of(task.kind, task.what, task.stream)};
  if (rafter_simt_now.inside) {
    const Block& block = this_worker()->block();
    side.block = block.index;
    side.thread = block.thread_index(rafter_simt_now.linear);
  }
  return side;
}

void report_stream_race(const StreamConflict& conflict, const StreamTask& task, Side now, const Regions& regions) {
  const AccessSite& first = conflict.first;
  const bool is_now_kernel = task.kind == StreamTask::Kind::kernel;
  Finding finding{Kind::stream_race,
                  Space::global,
                  is_now_kernel      ? task.what
                  : is_kernel(first) ? first.what
                                     : "",
                  {std::move(now), first_side(conflict)},
                  target_of(conflict.bytes, regions),
                  ""};
  if (is_now_kernel) add_launch(finding.sides, task.what, task.place);
  add_launch(finding.sides, first.what, first.launched_at);
  const std::uint64_t graph = graph_of(task.stream);
  finding.detail = graph != 0 && graph == graph_of(first.stream)
                       ? "graph " + std::to_string(graph) + " has no path from one of them to the other"
                       : "no event and no host wait orders " + name(task.stream) + " after " + name(first.stream);
  findings().add(std::move(finding));
}

void report_host_race(const StreamConflict& conflict, Side now, const Regions& regions) {
  const AccessSite& first = conflict.first;
  Finding finding{Kind::host_race,
                  Space::global,
                  is_kernel(first) ? first.what : "",
                  {std::move(now), first_side(conflict)},
                  target_of(conflict.bytes, regions),
                  ""};
  add_launch(finding.sides, first.what, first.launched_at);
  finding.detail =
      "the host has not waited for " + name(first.stream) + "; the other access may still be pending there";
  finding.stack.resize(64);  // the tool removes findings about Thrust's host code by their call stack
  const int n = backtrace(const_cast<void**>(finding.stack.data()), static_cast<int>(finding.stack.size()));
  finding.stack.resize(static_cast<std::size_t>(n));
  findings().add(std::move(finding));
}

void report_freed_in_use(const StreamConflict& conflict, Side now, const StreamTask* task,
                         std::optional<Target> target) {
  const AccessSite& first = conflict.first;
  Finding finding{Kind::freed_in_use,
                  Space::global,
                  is_kernel(first) ? first.what : "",
                  {std::move(now), first_side(conflict)},
                  std::move(target),
                  ""};
  add_launch(finding.sides, first.what, first.launched_at);
  finding.detail =
      task ? name(task->stream) + " has not waited for " + name(first.stream) + ", which may still use it"
           : "this call does not wait for earlier work, and " + name(first.stream) + " may still use the memory";
  findings().add(std::move(finding));
}

void report_event_not_recorded(const char* action, const void* place, const char* detail) {
  findings().add({Kind::event_not_recorded, Space::none, "", {{action, place, 0, {}, {}}}, std::nullopt, detail});
}

}  // namespace rafter::simt

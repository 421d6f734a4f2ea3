// Findings about unordered work of streams and the host: both places, and the launches of the kernels among them.
#pragma once

#include <optional>

#include "executor/check/regions.hpp"
#include "executor/order/access_map.hpp"
#include "executor/order/access_sites.hpp"
#include "executor/process/finding.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {

/// An earlier access that conflicts with the current one.
struct StreamConflict {
  AccessSite first;
  Use use;
  Bytes bytes;
};

/// Returns the side of a task: the running thread of its kernel, or its call.
Side side_of(const StreamTask& task, Use use, std::size_t bytes, const void* place);

void report_stream_race(const StreamConflict& conflict, const StreamTask& task, Side now, const Regions& regions);
void report_host_race(const StreamConflict& conflict, Side now, const Regions& regions);
/// Reports memory freed by the host or, with a task, by a stream.
void report_freed_in_use(const StreamConflict& conflict, Side now, const StreamTask* task,
                         std::optional<Target> target);
void report_event_not_recorded(const char* action, const void* place, const char* detail);

}  // namespace rafter::simt

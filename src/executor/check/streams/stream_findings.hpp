// Reports of work that nothing orders: both places, and where the kernels among them were launched.
#pragma once

#include <optional>

#include "executor/check/regions.hpp"
#include "executor/order/access_map.hpp"
#include "executor/order/access_sites.hpp"
#include "executor/process/finding.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {

/// Somebody has hook_access bytes, and somebody else does so now.
struct StreamConflict {
  AccessSite first;
  Use use;
  Bytes bytes;
};

/// The side of a task: a kernel's thread, when one runs, or a call.
Side side_of(const StreamTask& task, Use use, std::size_t bytes, const void* place);

void report_stream_race(const StreamConflict& conflict, const StreamTask& task, Side now, const Regions& regions);
void report_host_race(const StreamConflict& conflict, Side now, const Regions& regions);
/// By the host, or, with a task, by a stream.
void report_freed_in_use(const StreamConflict& conflict, Side now, const StreamTask* task,
                         std::optional<Target> target);
void report_event_not_recorded(const char* action, const void* place, const char* detail);

}  // namespace rafter::simt

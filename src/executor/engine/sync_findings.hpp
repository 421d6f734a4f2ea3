// Findings about synchronisation: barriers, masks and progress.
#pragma once

#include <string>

#include "executor/engine/block.hpp"
#include "executor/engine/grid.hpp"
#include "executor/engine/workers/progress.hpp"

namespace rafter::simt {

[[gnu::cold, gnu::noinline]] void report_threads_gone(const Block& block);
/// Reports a thread that waits for the grid at another place than the block's other live threads. All of them wait for
/// the grid.
void check_grid_barrier(const Block& block);
void report_blocks_gone(const Block& block);
[[gnu::cold, gnu::noinline]] void report_deadlock(const Block& block);
[[gnu::cold, gnu::noinline]] void report_cluster_deadlock(const Cluster& cluster);
/// Reports that the running thread does not alternate between arriving at and waiting for the cluster's barrier.
[[gnu::cold, gnu::noinline]] void report_cluster_order(const Block& block, const void* place, const char* action,
                                                       const char* detail);
/// Reports an address that the running thread cannot map to another block's shared memory.
[[gnu::cold, gnu::noinline]] void report_bad_map(const Block& block, const void* place, const std::string& action,
                                                 const std::string& detail);
[[gnu::cold, gnu::noinline]] void report_no_progress(const Block& block, double limit_s);
/// Reports a block that waits for one which cannot start, because the device is full.
[[gnu::cold, gnu::noinline]] void report_too_many_blocks(const Block& block, const Grid& grid);
[[gnu::cold, gnu::noinline]] void report_timeout(const Block& block, Timeout timeout, const void* place);
[[gnu::cold, gnu::noinline]] void report_not_in_mask(const Block& block, unsigned thread, const WarpCall& call);
[[gnu::cold, gnu::noinline]] void report_unsupported(const char* what, const void* place);

}  // namespace rafter::simt

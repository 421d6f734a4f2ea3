// Synchronisation: what the engine finds wrong about barriers, masks and progress.
#pragma once

#include <string>

#include "executor/engine/block.hpp"
#include "executor/engine/workers/pace.hpp"

namespace rafter::simt {

[[gnu::cold, gnu::noinline]] void report_divergent_barrier(const Block& block, const Barrier& barrier, unsigned thread,
                                                           const Block::Arrival& arrival);
[[gnu::cold, gnu::noinline]] void report_exited_before_barrier(const Block& block, const Barrier& barrier);
[[gnu::cold, gnu::noinline]] void report_threads_gone(const Block& block);
/// All live threads of the block wait for the grid: one at another place than the rest is a finding.
void check_grid_barrier(const Block& block);
void report_blocks_gone(const Block& block);
[[gnu::cold, gnu::noinline]] void report_deadlock(const Block& block);
[[gnu::cold, gnu::noinline]] void report_cluster_deadlock(const Cluster& cluster);
/// A cluster's barrier that the running thread arrives at, or waits for, out of turn.
[[gnu::cold, gnu::noinline]] void report_cluster_turns(const Block& block, const void* place, const char* action,
                                                       const char* detail);
/// An address of shared memory that the running thread cannot map.
[[gnu::cold, gnu::noinline]] void report_bad_map(const Block& block, const void* place, const std::string& action,
                                                 const std::string& detail);
[[gnu::cold, gnu::noinline]] void report_no_progress(const Block& block, double limit_s);
[[gnu::cold, gnu::noinline]] void report_overdue(const Block& block, Overdue overdue, const void* place);
[[gnu::cold, gnu::noinline]] void report_not_in_mask(const Block& block, unsigned thread, const WarpCall& call);
[[gnu::cold, gnu::noinline]] void report_mixed_operations(const Warp& warp, const Meeting& meeting,
                                                          const WarpCall& call);
[[gnu::cold, gnu::noinline]] void report_bad_source(const Warp& warp, const Meeting& meeting, unsigned lane,
                                                    unsigned source, const void* place);
[[gnu::cold, gnu::noinline]] void report_other_mask(const Warp& warp, const Meeting& meeting, unsigned lane,
                                                    unsigned mask);
[[gnu::cold, gnu::noinline]] void report_unsupported(const char* what, const void* place);

}  // namespace rafter::simt

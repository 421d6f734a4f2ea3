// How long a launch should take, part by part, from what is known about it. The parts overlap, so the longest decides.
// It is a model: it ranks what to look at and says what removing it can be worth at most. It is no measurement.
#pragma once

#include "workbench/explain/facts.hpp"
#include "workbench/explain/gpu.hpp"
#include "workbench/explain/occupancy.hpp"

namespace rafter::explain {

enum class Part { memory, cache, access, atomics, issue, latency, starts };

struct Estimate {
  double launch_ns = 0;
  double memory_ns = 0;   ///< distinct sectors, over the memory's bandwidth
  double cache_ns = 0;    ///< sectors that leave the multiprocessors, over the L2's bandwidth
  double access_ns = 0;   ///< requests and passes over the banks, through the multiprocessors' load and store units
  double atomics_ns = 0;  ///< updates of one address, one after the other
  double issue_ns = 0;    ///< instructions, over the schedulers' slots
  double latency_ns = 0;  ///< waves of blocks, each as long as a warp takes by itself
  double starts_ns = 0;   ///< starts of blocks, one after the other

  double work_ns() const;
  double total_ns() const { return launch_ns + work_ns(); }
  Part longest() const;
};

/// How blocks are spread: as they are launched, or as if the same work were divided evenly over the whole GPU.
enum class Spread { launched, even };

Estimate estimate(const Facts& facts, const Gpu& gpu, Spread spread = Spread::launched);

/// Blocks on the multiprocessor with most of them, over the average of all multiprocessors.
double imbalance(const Facts& facts, const Gpu& gpu);

/// Sectors that loads fetch from the L2: what each block reads, once where its lines fit beside those of its neighbours
/// in the first-level cache; otherwise that keeps what threads touched of late.
double fetched_sectors(const Facts& facts, const Gpu& gpu);

/// Sectors that leave the multiprocessors: these, and all that is written.
double l2_sectors(const Facts& facts, const Gpu& gpu);

/// Whether the lines that a multiprocessor's blocks touch fit into its first-level cache.
bool block_fits_cache(const Facts& facts, const Gpu& gpu);

double estimate_ns(const CopyFacts& copy, const Gpu& gpu);

}  // namespace rafter::explain

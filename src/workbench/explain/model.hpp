// Estimates the time of a launch, part by part, from its facts. The parts overlap, so the longest decides. The model
// ranks causes and bounds what removing them is worth; it does not replace a measurement.
#pragma once

#include "workbench/explain/facts.hpp"
#include "workbench/explain/gpu.hpp"

namespace rafter::explain {

// ---- occupancy: resident blocks per multiprocessor, and the resource that limits them ----

enum class Limiter { threads, blocks, registers, shared_memory };

struct Occupancy {
  int blocks = 1;    ///< blocks per multiprocessor; 0: none fits
  double share = 1;  ///< share of the warps it can hold
  Limiter limiter = Limiter::threads;
};

struct BlockNeeds {
  int threads = 1;
  int registers = 32;  ///< registers per thread
  double shared_bytes = 0;
};

Occupancy occupancy(const BlockNeeds& needs, const Gpu& gpu);

/// Returns the resources of a block. If the code was not compiled, registers do not limit it.
BlockNeeds needs_of(const Facts& facts);

// ---- times ----

enum class Part { memory, cache, access, atomics, issue, latency, starts };

struct Estimate {
  double launch_ns = 0;
  double memory_ns = 0;   ///< distinct sectors over memory bandwidth
  double cache_ns = 0;    ///< sectors that leave the multiprocessors over L2 bandwidth
  double access_ns = 0;   ///< requests and bank passes through the load and store units
  double atomics_ns = 0;  ///< serialised updates of one address
  double issue_ns = 0;    ///< instructions over the schedulers' slots
  double latency_ns = 0;  ///< waves of blocks, each as long as a warp that runs alone
  double starts_ns = 0;   ///< serialised block starts

  double work_ns() const;
  double total_ns() const { return launch_ns + work_ns(); }
  Part longest() const;
};

/// The distribution of blocks: as launched, or as if the work were divided evenly over the GPU.
enum class Spread { launched, even };

Estimate estimate(const Facts& facts, const Gpu& gpu, Spread spread = Spread::launched);

/// Returns the least time of the additions and multiplications that the compiled code executes, of f32 and f64, with
/// all lanes active; 0 if it was not compiled.
double arithmetic_ns(const Facts& facts, const Gpu& gpu);

/// Returns the blocks on the busiest multiprocessor over the average of all multiprocessors.
double imbalance(const Facts& facts, const Gpu& gpu);

/// Returns the sectors that loads fetch from the L2. If the lines of a multiprocessor's resident blocks fit into its L1
/// cache, each block fetches a sector once; otherwise the cache keeps only recently accessed sectors.
double fetched_sectors(const Facts& facts, const Gpu& gpu);

/// Returns the sectors that leave the multiprocessors: those fetched and those written.
double l2_sectors(const Facts& facts, const Gpu& gpu);

/// Whether the lines that a multiprocessor's resident blocks access fit into its L1 cache.
bool block_fits_cache(const Facts& facts, const Gpu& gpu);

double estimate_ns(const CopyFacts& copy, const Gpu& gpu);

}  // namespace rafter::explain

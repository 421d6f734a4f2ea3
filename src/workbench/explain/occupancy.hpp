// How many blocks of a kernel a multiprocessor holds at once, and what keeps it from more.
#pragma once

#include "workbench/explain/facts.hpp"
#include "workbench/explain/gpu.hpp"

namespace rafter::explain {

enum class Limiter { threads, blocks, registers, shared_memory };

struct Occupancy {
  int blocks = 1;    ///< on a multiprocessor; 0: none fits
  double share = 1;  ///< of the warps it could hold
  Limiter limiter = Limiter::threads;
};

struct BlockNeeds {
  int threads = 1;
  int registers = 32;  ///< of a thread
  double shared_bytes = 0;
};

Occupancy occupancy(const BlockNeeds& needs, const Gpu& gpu);

/// Where the code was not compiled, as if registers were no limit.
BlockNeeds needs_of(const Facts& facts);

}  // namespace rafter::explain

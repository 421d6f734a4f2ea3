// The cost of a kernel's code for a warp: scheduler slots, and the cycles it waits when it runs alone.
#pragma once

#include <vector>

#include "workbench/explain/facts.hpp"
#include "workbench/explain/gpu.hpp"
#include "workbench/explain/ptx.hpp"

namespace rafter::explain {

/// The cycles until a result can be used, and the scheduler slots that floating-point instructions take on the GPU.
struct Latencies {
  double global = 600;
  double shared = 30;
  double local = 40;
  double fp32_slots = 1, fp64_slots = 2;
};

/// Returns the latencies that follow from the shares of loads served by each cache, according to the executor's
/// counters.
Latencies latencies_of(const Facts& facts, const Gpu& gpu);

/// Returns the code of the kernel, loop by loop. The number of executions follows from the counters of its lines: a
/// loop with n loads of one line that a warp loads N times has N / n iterations, independent of unrolling.
std::vector<CodeFacts> code_of(const PtxKernel& kernel, const Facts& facts, const Latencies& latencies);

}  // namespace rafter::explain

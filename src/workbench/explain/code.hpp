// What a warp spends on a kernel's code: slots of the scheduler, and cycles that it waits when nobody else is around.
#pragma once

#include <vector>

#include "workbench/explain/facts.hpp"
#include "workbench/explain/gpu.hpp"
#include "workbench/explain/ptx.hpp"

namespace rafter::explain {

/// Cycles until a result can be used.
struct Latencies {
  double global = 600;
  double shared = 30;
  double local = 40;
};

/// By how much of what is loaded comes from which cache, as far as the executor's counters tell.
Latencies latencies_of(const Facts& facts, const Gpu& gpu);

/// The code of the kernel, loop by loop. How often each part is passed follows from the counters of its lines: a loop
/// with n loads of one line, which a warp loads N times, goes round N / n times, however often it was unrolled.
std::vector<CodeFacts> code_of(const PtxKernel& kernel, const Facts& facts, const Latencies& latencies);

}  // namespace rafter::explain

// Whether a rung gives the right answers.
#pragma once

#include <limits>

#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

struct VerifyOptions {
  int most_sets = std::numeric_limits<int>::max();
  /// A call that takes longer is the last: the other input sets are left to who times the rung (Measurement::is_slow).
  double slow_s = std::numeric_limits<double>::infinity();
};

/// Runs the rung on every input set, or on the first few, over a poisoned output and holds the answers against the
/// reference, the guard zones and the inputs against what they were.
Measurement verify_rung(const Rung& rung, Case& work, const Stream& stream, const VerifyOptions& options = {});

/// Verifies the rungs of a case on the stream's device, all or those named in `only`, without timing any: on two input
/// sets, and off alignment, too; on the executor, which looks at every access, on one.
CaseReport verify_case(const Workload& workload, const Params& params, const Stream& stream, std::uint64_t seed,
                       const std::vector<std::string>& only = {});

/// The awkward cases that the executor, which looks at every access, runs in a moment.
std::vector<Params> executor_cases(const Workload& workload);

/// Input sets that fit in memory, at most `wanted`, each with `margin` times the bytes it needs; throws Error
/// (out_of_memory) when not even one does.
int n_input_sets_that_fit(const Workload& workload, const Params& params, Device device, int wanted, double margin = 1);

}  // namespace rafter::lab

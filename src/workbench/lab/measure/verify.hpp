// Verifies the answers of rungs.
#pragma once

#include <limits>

#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

struct VerifyOptions {
  int most_sets = std::numeric_limits<int>::max();
  /// A longer call is the last: the remaining input sets are checked when the rung is timed (Measurement::is_slow).
  double slow_s = std::numeric_limits<double>::infinity();
};

/// Runs the rung on every input set, or on the first few, with poisoned outputs. Compares the answers with the
/// reference and checks that guard zones and inputs are unchanged.
Measurement verify_rung(const Rung& rung, Case& work, const Stream& stream, const VerifyOptions& options = {});

/// Verifies the rungs of a case, all or those in `only`, on the stream's device without timing them: on two input sets,
/// and also with misaligned arrays. The executor, which checks every access, runs one aligned input set.
CaseReport verify_case(
    const Workload& workload, const Params& params, const Stream& stream, std::uint64_t seed,
    const std::vector<std::string>& only = {}, const std::function<void()>& before_rung = [] {});

/// Returns the awkward cases that are small enough for the executor, which checks every access.
std::vector<Params> executor_cases(const Workload& workload);

/// Returns the number of input sets that fit in memory, at most `wanted`, each with `margin` times the bytes it needs;
/// throws Error (out_of_memory) if not even one fits.
int n_input_sets_that_fit(const Workload& workload, const Params& params, Device device, int wanted, double margin = 1);

}  // namespace rafter::lab

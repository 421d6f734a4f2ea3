// From the user's words to cases of workloads.
#pragma once

#include <vector>

#include "cli/run/commands.hpp"

namespace rafter::cli {

/// Cases of a workload that share a table: one, or one for each value of a parameter that was given as a list.
struct Job {
  const lab::Workload* workload = nullptr;
  std::vector<lab::Params> cases{};
  const lab::Parameter* swept = nullptr;  ///< every case has a value of it; null for a single case
};

/// What `run` shall do: the workloads named, or all; their cases by --size, --set and options named as parameters, or
/// the usual ones, or the awkward ones of --check, on the executor those that it runs in a moment. Of several
/// parameters given as lists the first is swept, and each value of the others has a job. Throws Error (bad_argument)
/// that says what a workload takes.
std::vector<Job> jobs_of(const RunOptions& options, const Workloads& workloads, Device device);

}  // namespace rafter::cli

// The cases that a run measures, parsed from a request.
#pragma once

#include <vector>

#include "rafter/device.hpp"
#include "workbench/lab/workload/workload.hpp"
#include "workbench/session/request.hpp"

namespace rafter::session {

using Workloads = std::vector<const lab::Workload*>;

/// The cases of a workload that share a table: one case, or one for each value of a swept parameter.
struct Job {
  const lab::Workload* workload = nullptr;
  std::vector<lab::Params> cases{};
  const lab::Parameter* swept = nullptr;  ///< Null for a single case.
};

/// A parameter that the user set. Several values are a list, which makes a sweep.
struct Setting {
  const lab::Parameter* parameter;
  std::vector<lab::Value> values;
};

/// Applies the settings to the cases. The first setting with several values is swept; every value of the other lists
/// makes a job of its own. Equal cases are merged.
std::vector<Job> make_jobs(const lab::Workload& workload, std::vector<lab::Params> cases,
                           const std::vector<Setting>& settings);

/// Parses the workloads and cases of a request: those given by --size, --set and options named like parameters, or the
/// standard cases, or with --check the awkward ones, or on the executor those that it runs quickly. Throws Error
/// (bad_argument) that says what a workload accepts.
std::vector<Job> parse_jobs(const RunRequest& request, const Workloads& workloads, Device device);

}  // namespace rafter::session

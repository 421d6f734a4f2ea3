// `rafter tune WORKLOAD...` and `tune --check`: whether the numbers that ops launch with are the best for this GPU.
#pragma once

#include <string>
#include <vector>

#include "workbench/journal/record.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::tune {

struct OpsPlan {
  std::vector<std::string> workloads{};  ///< Empty: every workload with a tunable.
  bool check = false;                    ///< A better value makes the exit code 1.
  bool keep = false;                     ///< Write better values to the file that ops read.
  bool quick = false;
  journal::Words words{};
};

/// Measures every tunable of the workloads and returns the exit code. Throws Error: bad_argument for a workload without
/// a tunable, unsupported without a GPU.
int tune_ops(const OpsPlan& plan, const std::vector<const lab::Workload*>& workloads);

}  // namespace rafter::tune

// The counts that the executor takes of kernels, as a table and in results files, and the limits that follow from them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workbench/lab/workload/cost.hpp"

namespace rafter::bench {

/// The traffic of one launch.
struct KernelCounts {
  std::string kernel;
  double bytes_asked = 0;  ///< Global memory that lanes requested.
  double bytes_moved = 0;  ///< Sectors between the first-level cache and the second.
  double passes = 0;       ///< Passes over the banks of shared memory.
  double least_passes = 0;
  double atomics = 0;     ///< Lanes with an atomic operation.
  double contention = 0;  ///< The most lanes of a request with the same address.
  double requests = 0, lanes = 0;
  std::string worst_line{};  ///< "file.cu:12": the line with the most waste.
  std::string advice{};      ///< About that line; empty without waste.
  double estimate_ns = 0;    ///< The time that the model of `rafter explain` gives on estimate_gpu().
};

/// The GPU whose time is estimated.
const std::string& estimate_gpu();

/// Sums the counts in the executor's report of one launch.
KernelCounts counts_of(const std::string& kernel, const nlohmann::json& report);

std::string counts_table(const std::vector<KernelCounts>& all, const lab::Cost& least);
/// Compares the traffic of a kernel with the least bytes of the case and gives advice.
std::string limit_text(const KernelCounts& counts, const lab::Cost& least);

nlohmann::json to_json(const KernelCounts& counts);

/// Adds the counts and the estimate to the entry of a results file.
void add_counts(nlohmann::json& result, const KernelCounts& counts);

}  // namespace rafter::bench

// What the executor counts of kernels, one line each, and what follows from it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workbench/lab/workload/cost.hpp"

namespace rafter::bench {

/// The traffic of one launch.
struct KernelCounts {
  std::string kernel;
  double bytes_asked = 0;  ///< of global memory, by lanes
  double bytes_moved = 0;  ///< in sectors, between the first-level cache and what is behind it
  double passes = 0;       ///< over the banks of shared memory
  double least_passes = 0;
  double atomics = 0;     ///< lanes that had one
  double contention = 0;  ///< most lanes of a request whose atomics met at one address
  double requests = 0, lanes = 0;
  std::string worst_line{};  ///< "file.cu:12", where most is wasted
  std::string advice{};      ///< on that line; empty where nothing is wasted
};

/// From the executor's report of one launch.
KernelCounts counts_of(const std::string& kernel, const nlohmann::json& report);

std::string counts_table(const std::vector<KernelCounts>& all, const lab::Cost& least);
/// What the traffic of a kernel allows at most, beside the least bytes of the case; and what to do about it.
std::string limit_text(const KernelCounts& counts, const lab::Cost& least);

nlohmann::json to_json(const KernelCounts& counts);

}  // namespace rafter::bench

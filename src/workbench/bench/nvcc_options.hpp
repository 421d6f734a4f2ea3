// Options for nvcc: optimised host code, and the GPU of this machine.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "workbench/lab/machine/gpu.hpp"

namespace rafter::bench {

/// Returns the optimisation level and the target, unless `words` already have them. By default nvcc does not optimise
/// host code, which reference functions are.
inline std::vector<std::string> nvcc_defaults(const std::vector<std::string>& words) {
  std::vector<std::string> chosen;
  const bool has_level = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with("-O") || word == "-G" || word.starts_with("--optimize");
  });
  if (!has_level) chosen.emplace_back("-O3");
  const bool has_target = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with("-arch") || word.starts_with("-gencode") || word.starts_with("--gpu-arch") ||
           word.starts_with("--generate-code");
  });
  const int capability = lab::gpu_capability();  // 90a includes 90 and the features that CUTLASS uses
  if (!has_target) chosen.push_back(fmt::format("-arch=sm_{}{}", capability, capability >= 90 ? "a" : ""));
  return chosen;
}

}  // namespace rafter::bench

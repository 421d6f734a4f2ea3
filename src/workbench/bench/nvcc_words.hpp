// Words for nvcc: optimised host code, and the GPU of this machine.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "workbench/lab/machine/gpu.hpp"

namespace rafter::bench {

/// Left out where `words` choose for themselves. Without a word nvcc does not optimise host code, which references are.
inline std::vector<std::string> words_for_this_gpu(const std::vector<std::string>& words) {
  std::vector<std::string> chosen;
  const bool has_level = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with("-O") || word == "-G" || word.starts_with("--optimize");
  });
  if (!has_level) chosen.emplace_back("-O3");
  const bool has_target = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with("-arch") || word.starts_with("-gencode") || word.starts_with("--gpu-arch") ||
           word.starts_with("--generate-code");
  });
  const int capability = lab::gpu_capability();  // 90a has all of 90, and what CUTLASS uses
  if (!has_target) chosen.push_back(fmt::format("-arch=sm_{}{}", capability, capability >= 90 ? "a" : ""));
  return chosen;
}

}  // namespace rafter::bench

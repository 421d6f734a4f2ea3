// Words for nvcc that compile for the GPU of this machine.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lab/machine/gpu.hpp"

namespace rafter::bench {

/// None where `words` choose a GPU themselves.
inline std::vector<std::string> words_for_this_gpu(const std::vector<std::string>& words) {
  const bool has_target = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with("-arch") || word.starts_with("-gencode") || word.starts_with("--gpu-arch") ||
           word.starts_with("--generate-code");
  });
  if (has_target) return {};
  const int capability = lab::gpu_capability();  // 90a has all of 90, and what CUTLASS uses
  return {fmt::format("-arch=sm_{}{}", capability, capability >= 90 ? "a" : "")};
}

}  // namespace rafter::bench

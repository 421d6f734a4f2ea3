// The loop of the CPU's fully connected layer, compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"

namespace rafter::classify::lenet::cpu {

struct LenetLoops {
  /// Computes sums[i][o] = sum over k of features[i][k] * weights[o][k]. n_outputs must be a multiple of 4, n_features
  /// of 16.
  void (*products)(const float* features, std::int64_t n_images, const float* weights, std::int64_t n_outputs,
                   std::int64_t n_features, float* sums);
};

RAFTER_DECLARE_ISA_TABLE(LenetLoops, lenet_loops)

}  // namespace rafter::classify::lenet::cpu

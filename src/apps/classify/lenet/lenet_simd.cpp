// Dot products of image rows with weight rows on one thread: 4 images x 4 outputs in registers, each a vector of
// partial sums. Bound by the multiply-add units: eight loads from the L1 for sixteen multiply-adds.
#include "apps/classify/lenet/lenet_simd.hpp"

#include "library/core/cpu/float_vector.hpp"

namespace rafter::classify::lenet::cpu {

namespace {

using core::load;
using core::n_lanes;
using core::Vector;

inline float total(Vector v) {
  float sum = 0;
  for (int lane = 0; lane < n_lanes; ++lane) sum += v[lane];
  return sum;
}

template <int Images>
void block(const float* features, const float* weights, std::int64_t n_features, float* sums, std::int64_t pitch) {
  Vector partial[Images][4] = {};
  for (std::int64_t k = 0; k < n_features; k += n_lanes) {
    Vector image[Images];
    for (int i = 0; i < Images; ++i) image[i] = load(features + i * n_features + k);
    for (int o = 0; o < 4; ++o) {
      const Vector weight = load(weights + o * n_features + k);
      for (int i = 0; i < Images; ++i) partial[i][o] += image[i] * weight;
    }
  }
  for (int i = 0; i < Images; ++i) {
    for (int o = 0; o < 4; ++o) sums[i * pitch + o] = total(partial[i][o]);
  }
}

void products(const float* features, std::int64_t n_images, const float* weights, std::int64_t n_outputs,
              std::int64_t n_features, float* sums) {
  for (std::int64_t o = 0; o < n_outputs; o += 4) {
    const float* rows = weights + o * n_features;
    std::int64_t i = 0;
    for (; i + 4 <= n_images; i += 4)
      block<4>(features + i * n_features, rows, n_features, sums + i * n_outputs + o, n_outputs);
    for (; i < n_images; ++i)
      block<1>(features + i * n_features, rows, n_features, sums + i * n_outputs + o, n_outputs);
  }
}

}  // namespace

RAFTER_ISA_TABLE(LenetLoops, lenet_loops) = {products};

}  // namespace rafter::classify::lenet::cpu

// The element-wise functions between the products, and sums over the lanes of a warp.
#pragma once

#include "library/core/cuda/launch.cuh"
#include "spectral/spectral_rung.hpp"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

inline constexpr unsigned all_lanes = 0xffffffffU;

/// Returns x/2 (1 + erf(x / sqrt 2)): not the form with tanh, which differs by up to 5e-4.
__device__ inline float gelu(float x) { return 0.5F * x * (1 + erff(x * sqrt_half)); }

/// Returns, in every lane, the sum over the lanes whose numbers differ only in bits `From` to `To` / 2; the same bits
/// in all of them. Collective: all lanes of a warp.
template <int From = 1, int To = 32, class T>
__device__ inline T sum_of_lanes(T value) {
#pragma unroll
  for (int distance = To / 2; distance >= From; distance /= 2) value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
}

__device__ inline float inverse_root(float value) { return rsqrtf(value); }
__device__ inline double inverse_root(double value) { return 1 / sqrt(value); }

/// The numbers of LayerNorm: what it subtracts, and what it multiplies by.
template <class T>
struct Moments {
  T mean;
  T scale;
};

/// Returns the moments of values[0, n), in every lane. Collective: all lanes of a warp.
template <class T, class Values>
__device__ Moments<T> moments_of(const Values& values, std::int64_t n) {
  const std::int64_t lane = threadIdx.x % 32;
  const T share = 1 / static_cast<T>(n);
  T sum = 0;
  for (std::int64_t i = lane; i < n; i += 32) sum += static_cast<T>(values[i]);
  const T mean = sum_of_lanes(sum) * share;
  T squares = 0;
  for (std::int64_t i = lane; i < n; i += 32) {
    const T centred = static_cast<T>(values[i]) - mean;
    squares += centred * centred;
  }
  return {mean, inverse_root(sum_of_lanes(squares) * share + static_cast<T>(norm_epsilon))};
}

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND

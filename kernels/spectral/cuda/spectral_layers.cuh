// What the layers between the products do to a number, and sums over the lanes of a warp.
#pragma once

#include "library/core/cuda/launch.cuh"
#include "spectral/spectral_rung.hpp"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

inline constexpr unsigned all_lanes = 0xffffffffU;

/// x/2 (1 + erf(x / sqrt 2)): not the form with tanh, which is up to 5e-4 away.
__device__ inline float gelu(float x) { return 0.5F * x * (1 + erff(x * sqrt_half)); }

/// In every lane, the sum over lanes whose numbers differ in the bits from `From` to `To` / 2 only; the same bits in
/// all of them.
template <int From = 1, int To = 32, class T>
__device__ inline T sum_of_lanes(T value) {
#pragma unroll
  for (int distance = To / 2; distance >= From; distance /= 2) value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
}

__device__ inline float inverse_root(float value) { return rsqrtf(value); }
__device__ inline double inverse_root(double value) { return 1 / sqrt(value); }

/// What LayerNorm subtracts from `n` numbers, and what it multiplies them by.
template <class T>
struct Moments {
  T mean;
  T scale;
};

/// In every lane of a warp, of values[0] to values[n - 1].
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

// What the layers between the products do to a number, and sums over the lanes of a warp.
#pragma once

#include "core/launch.cuh"
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

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND

// The radial functions of one distance, as every kernel of the ladder computes them.
#pragma once

#include "library/ptx/device_build.cuh"
#include "radial/radial_rung.hpp"

namespace rafter::radial_ladder::RAFTER_BACKEND {

inline constexpr float log2_e = 1.44269504F;
inline constexpr float pi = 3.14159265F;

/// The cutoff function of a distance, (cos(pi d / cutoff) + 1) / 2, and its derivative. A NaN distance gives NaNs.
struct Envelope {
  float value;
  float slope;
};
__device__ inline Envelope envelope_of(float distance, float cutoff) {
  if (distance >= cutoff) return {0, 0};
  float sine, cosine;
  sincospif(distance / cutoff, &sine, &cosine);
  return {0.5F * cosine + 0.5F, -0.5F * pi / cutoff * sine};
}

/// Computes exp(-gamma t^2), where scale = -gamma log2(e).
__device__ inline float gaussian(float t, float scale) { return exp2f(scale * t * t); }

}  // namespace rafter::radial_ladder::RAFTER_BACKEND

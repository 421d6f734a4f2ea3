// What follows a convolution's sums: bias and ReLU. Both keep the order of numbers, as rounding does, so that pooling
// may come first and leave them less to do.
#pragma once

#include "conv/conv_rung.hpp"
#include "library/core/cuda/convert.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

template <class T>
__device__ __forceinline__ float bias_of(const ConvArgs<T>& args, std::int64_t map) {
  return args.bias != nullptr && map < args.shape.maps ? core::widen(args.bias[map]) : 0.f;
}

/// The sum with a map's bias, and without what is negative if the layer says so.
template <class T>
__device__ __forceinline__ float activated(const ConvArgs<T>& args, float sum, float bias) {
  const float value = sum + bias;
  return args.relu && value < 0 ? 0.f : value;
}

/// The same, rounded.
template <class T>
__device__ __forceinline__ T finished(const ConvArgs<T>& args, float sum, float bias) {
  return core::round_to<T>(activated(args, sum, bias));
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND

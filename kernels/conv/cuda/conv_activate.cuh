// Bias and ReLU of a convolution's sums. Both are monotonic, as rounding is, so pooling may come first and leave them
// fewer elements.
#pragma once

#include "conv/conv_rung.hpp"
#include "library/core/cuda/convert.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// The bias of a map; 0 if there is none.
template <class T>
__device__ __forceinline__ float bias_of(const ConvArgs<T>& args, std::int64_t map) {
  return args.bias != nullptr && map < args.shape.maps ? core::widen(args.bias[map]) : 0.f;
}

/// The sum plus the map's bias, after ReLU if the layer has one.
template <class T>
__device__ __forceinline__ float activated(const ConvArgs<T>& args, float sum, float bias) {
  const float value = sum + bias;
  return args.relu && value < 0 ? 0.f : value;
}

/// The activated sum, rounded to T.
template <class T>
__device__ __forceinline__ T finished(const ConvArgs<T>& args, float sum, float bias) {
  return core::round_to<T>(activated(args, sum, bias));
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND

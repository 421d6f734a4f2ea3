// Both passes in one kernel each, for any number of centres: forward a thread per value, backward a thread per edge.
// Forward: out[e][k] = exp(-gamma (d_e - centre_k)^2) * envelope(d_e). Backward: gradient[e] = sum_k g[e][k] d out / d
// d.
#pragma once

#include "library/core/cuda/launch.cuh"
#include "radial/cuda/radial_functions.cuh"

namespace rafter::radial_ladder::RAFTER_BACKEND {

inline constexpr int fused_threads = 256;

static __global__ void __launch_bounds__(fused_threads) radial_fused(RadialInput in, float* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * fused_threads + threadIdx.x;
  if (i >= in.n_edges * in.n_centres) return;
  const std::int64_t e = i / in.n_centres;
  const float d = in.distances[e];
  const Envelope envelope = envelope_of(d, in.cutoff);
  out[i] = d >= in.cutoff ? 0 : gaussian(d - in.centres[i - e * in.n_centres], -in.gamma * log2_e) * envelope.value;
}

static __global__ void __launch_bounds__(fused_threads)
    radial_gradient_fused(RadialInput in, const float* out_gradient, float* gradient) {
  const std::int64_t e = std::int64_t{blockIdx.x} * fused_threads + threadIdx.x;
  if (e >= in.n_edges) return;
  const float d = in.distances[e];
  const Envelope envelope = envelope_of(d, in.cutoff);
  float sum = 0;
  for (std::int64_t k = 0; k < in.n_centres; ++k) {
    const float t = d - in.centres[k];
    sum += out_gradient[e * in.n_centres + k] * gaussian(t, -in.gamma * log2_e) *
           (envelope.slope - 2 * in.gamma * t * envelope.value);
  }
  gradient[e] = d >= in.cutoff ? 0 : sum;
}

inline void launch_fused(const Stream& stream, const RadialArgs& args) {
  core::launch(radial_fused, ceil_div(args.in.n_values(), fused_threads), fused_threads, 0, stream, args.in, args.out);
}

inline void launch_fused(const Stream& stream, const RadialGradientArgs& args) {
  core::launch(radial_gradient_fused, ceil_div(args.in.n_edges, fused_threads), fused_threads, 0, stream, args.in,
               args.out_gradient, args.gradient);
}

}  // namespace rafter::radial_ladder::RAFTER_BACKEND

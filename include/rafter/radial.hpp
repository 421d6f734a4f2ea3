// Radial basis functions of distances: Gaussians with a cosine cutoff, as in message-passing networks.
#pragma once

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/stream.hpp"

namespace rafter::inline v1 {

/// Radial functions phi_k(d) = exp(-gamma (d - centre_k)^2) * (cos(pi d / cutoff) + 1) / 2 for d < cutoff, else 0.
struct RadialGaussians {
  DeviceSpan<const float> centres;  ///< [k], on the stream's device
  float gamma = 16;                 ///< 0 or more
  float cutoff = 5;                 ///< more than 0
};

/// Writes out[e][k] = phi_k(distances[e]). Distances are 0 or more; a NaN makes its row NaN.
///
/// `out` is [distances][centres]. The caller owns all arrays, in memory of the stream's device; `out` must not overlap
/// the others. Error: at most 2^-21 (1 + x) exp(-x) + 2^-100, where x = gamma (d - centre_k)^2.
///
/// Deterministic. One launch, no allocation, no synchronisation; may be captured in a CUDA graph. Throws Error
/// (bad_argument) when sizes do not fit, gamma or cutoff are out of range, an array is null or misaligned, or `out`
/// overlaps an input.
RAFTER_API void radial(const Stream& stream, DeviceSpan<const float> distances, const RadialGaussians& functions,
                       DeviceSpan<float> out);

/// Writes the gradient of a loss with respect to the distances, given that with respect to the result of radial():
/// gradient[e] = the sum over k of out_gradient[e][k] * phi_k'(distances[e]). Does not need the result itself.
/// Otherwise like radial().
RAFTER_API void radial_gradient(const Stream& stream, DeviceSpan<const float> distances,
                                const RadialGaussians& functions, DeviceSpan<const float> out_gradient,
                                DeviceSpan<float> gradient);

}  // namespace rafter::inline v1

// Radial functions of distances: Gaussians under a cosine cutoff, as message-passing networks have them.
#pragma once

#include <span>

#include "rafter/stream.hpp"

namespace rafter {

/// phi_k(d) = exp(-gamma (d - centre_k)^2) * (cos(pi d / cutoff) + 1) / 2 for d < cutoff, and 0 from there on.
struct RadialGaussians {
  std::span<const float> centres;  ///< [k], on the stream's device
  float gamma = 16;                ///< 0 or more
  float cutoff = 5;                ///< more than 0
};

/// Writes out[e][k] = phi_k(distances[e]). Distances are 0 or more; a NaN makes its row NaN.
///
/// `out` is [distances][centres]. Arrays are the caller's, on the stream's device, and `out` overlaps none of the
/// others. Error: at most 2^-21 (1 + x) exp(-x) + 2^-100, where x = gamma (d - centre_k)^2.
///
/// Deterministic. One launch, no allocation, no synchronisation; may be captured in a CUDA graph.
/// Throws Error (bad_argument) when sizes do not fit, gamma or cutoff are out of range, an array is null or misaligned,
/// or `out` overlaps an input.
void radial(const Stream& stream, std::span<const float> distances, const RadialGaussians& functions,
            std::span<float> out);

/// The gradient of a loss by the distances, from the one by radial()'s result: gradient[e] = the sum over k of
/// out_gradient[e][k] * phi_k'(distances[e]). Otherwise as radial(); nothing of its result is needed.
void radial_gradient(const Stream& stream, std::span<const float> distances, const RadialGaussians& functions,
                     std::span<const float> out_gradient, std::span<float> gradient);

}  // namespace rafter

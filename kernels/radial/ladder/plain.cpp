// plain: one value after the other on one thread.
// Limited by the C library's exponential, one per value.
#include <cmath>
#include <numbers>

#include "radial/radial_rung.hpp"

namespace rafter::radial_ladder::cpu {

namespace {

void run_plain(const RadialArgs& args) {
  const auto& [distances, n_edges, centres, n_centres, gamma, cutoff] = args.in;
  for (std::int64_t e = 0; e < n_edges; ++e) {
    const float d = distances[e];
    for (std::int64_t k = 0; k < n_centres; ++k) {
      const float t = d - centres[k];
      const float envelope = (std::cos(std::numbers::pi_v<float> * d / cutoff) + 1) / 2;
      args.out[e * n_centres + k] = d >= cutoff ? 0 : std::exp(-gamma * t * t) * envelope;
    }
  }
}

void run_plain(const RadialGradientArgs& args) {
  const auto& [distances, n_edges, centres, n_centres, gamma, cutoff] = args.in;
  for (std::int64_t e = 0; e < n_edges; ++e) {
    const float d = distances[e], angle = std::numbers::pi_v<float> * d / cutoff;
    const float envelope = (std::cos(angle) + 1) / 2;
    const float slope = -std::numbers::pi_v<float> / (2 * cutoff) * std::sin(angle);
    float sum = 0;
    for (std::int64_t k = 0; k < n_centres; ++k) {
      const float t = d - centres[k];
      sum += args.out_gradient[e * n_centres + k] * std::exp(-gamma * t * t) * (slope - 2 * gamma * t * envelope);
    }
    args.gradient[e] = d >= cutoff ? 0 : sum;
  }
}

}  // namespace

extern const RadialRung plain{[](const Stream&, const auto& args) { run_plain(args); }};

}  // namespace rafter::radial_ladder::cpu

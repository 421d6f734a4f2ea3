// LeNet's layers on the CPU: conv's rung, the conversion of bytes to floats, and the classifier, with groups of images
// divided among the threads. The classifier is bound by the multiply-add units (lenet_simd.cpp).
#include <algorithm>
#include <cmath>

#include "apps/classify/lenet/lenet_layers.hpp"
#include "apps/classify/lenet/lenet_simd.hpp"
#include "library/core/arithmetic.hpp"
#include "library/core/parts.hpp"

namespace rafter::conv_ladder::cpu {
extern const ConvRung vectorised;
}

namespace rafter::classify::lenet::cpu {

namespace {

constexpr std::int64_t group = 16;  // images; their features (83 KB) stay in the L2 while all weights are read

void widen(const Stream& stream, const std::uint8_t* bytes, std::int64_t n, float* out) {
  core::for_parts(stream.n_threads(), n, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) out[i] = bytes[i];
  });
}

LenetResult result_of(const float (&logits)[n_classes]) {
  LenetResult result;
  const float* largest = std::max_element(std::begin(logits), std::end(logits));
  float sum = 0;
  for (std::size_t c = 0; c < n_classes; ++c) sum += result.probabilities[c] = std::exp(logits[c] - *largest);
  for (float& probability : result.probabilities) probability = std::isnan(sum) ? sum : probability / sum;
  result.label = std::isnan(sum) ? -1 : static_cast<std::int32_t>(largest - logits);
  return result;
}

/// Computes the result of an image from the sums of its hidden values.
LenetResult finish(const float* sums, const LenetWeights& weights) {
  float hidden[n_hidden];
  for (std::size_t h = 0; h < n_hidden; ++h) {
    const float sum = sums[h] + weights.fc1_bias[h];
    hidden[h] = sum < 0 ? 0.f : sum;
  }
  float logits[n_classes];
  for (std::size_t c = 0; c < n_classes; ++c) {
    logits[c] = weights.fc2_bias[c];
    for (std::size_t h = 0; h < n_hidden; ++h) logits[c] += hidden[h] * weights.fc2[c * n_hidden + h];
  }
  return result_of(logits);
}

void classify(const Stream& stream, const ClassifierArgs& args) {
  core::for_each_part(stream, ceil_div(args.n, group), [&](std::int64_t index) {
    const std::int64_t first = index * group;
    const std::int64_t n = std::min(group, args.n - first);
    float sums[group * n_hidden];
    lenet_loops().products(args.features + first * n_features, n, args.weights->fc1.data(), n_hidden, n_features, sums);
    for (std::int64_t i = 0; i < n; ++i) args.results[first + i] = finish(sums + i * n_hidden, *args.weights);
  });
}

}  // namespace

extern const Layers layers{conv_ladder::cpu::vectorised, widen, classify};

}  // namespace rafter::classify::lenet::cpu

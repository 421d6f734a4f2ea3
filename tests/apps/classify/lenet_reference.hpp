// LeNet by its definition in float64, with an error bound on every value for float32 and the reduced precisions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "apps/classify/lenet/lenet.hpp"

namespace rafter::classify {

struct Bounded {
  double value = 0;
  double error = 0;  ///< the bound on a computed value's error
  double most() const { return std::abs(value) + error; }
};

/// Returns the error bound of a sum of n products beyond its factors' errors (rafter/conv.hpp). `size` and `factors`
/// are the sums of the magnitudes of all products and of all factors.
inline double rounding_of(ConvPrecision precision, double n, double size, double factors) {
  const double sums = n * 0x1p-23 * size;
  switch (precision) {
    case ConvPrecision::fp32: return sums;
    case ConvPrecision::tf32: return sums + 0x1.01p-10 * size;
    case ConvPrecision::fp16: return sums + 0x1.01p-10 * size + 0x1p-24 * factors;
    case ConvPrecision::split_fp16: return sums + 0x1p-20 * size + 0x1p-34 * factors;
  }
  return 0;
}

/// A sum of products and its error bound.
class BoundedSum {
 public:
  void add(const Bounded& factor, double weight) {
    value_ += factor.value * weight;
    error_ += factor.error * std::abs(weight);
    size_ += factor.most() * std::abs(weight);
    factors_ += factor.most() + std::abs(weight);
    ++n_;
  }
  Bounded with_bias(double bias, ConvPrecision precision) const {
    const double error = error_ + rounding_of(precision, n_, size_, factors_);
    const double value = value_ + bias;
    return {value, error + 0x1p-24 * (std::abs(value) + error)};
  }

 private:
  double value_ = 0, error_ = 0, size_ = 0, factors_ = 0, n_ = 0;
};

inline Bounded relu(const Bounded& x) { return {std::max(x.value, 0.), x.error}; }

/// Computes [channels][side][side] -> [maps][pooled][pooled]: 7 x 7 kernels, bias, ReLU, max pool of stride `pool` in
/// ceil mode.
template <class Kernels, class Bias>
std::vector<Bounded> reference_conv(const std::vector<Bounded>& in, std::size_t channels, std::size_t side,
                                    const Kernels& kernels, const Bias& bias, std::size_t pool,
                                    ConvPrecision precision) {
  const std::size_t out = side - 6, pooled = (out + pool - 1) / pool;
  std::vector<Bounded> result(bias.size() * pooled * pooled);  // a ReLU's result is 0 or more
  for (std::size_t m = 0; m < bias.size(); ++m) {
    for (std::size_t y = 0; y < out; ++y) {
      for (std::size_t x = 0; x < out; ++x) {
        BoundedSum sum;
        for (std::size_t i = 0; i < channels * 49; ++i)
          sum.add(in[(i / 49 * side + y + i / 7 % 7) * side + x + i % 7], kernels[m * channels * 49 + i]);
        const Bounded here = relu(sum.with_bias(bias[m], precision));
        Bounded& largest = result[(m * pooled + y / pool) * pooled + x / pool];
        largest = {std::max(largest.value, here.value), std::max(largest.error, here.error)};
      }
    }
  }
  return result;
}

template <class Weights, class Bias>
std::vector<Bounded> reference_product(const std::vector<Bounded>& in, const Weights& weights, const Bias& bias) {
  std::vector<Bounded> out;
  for (std::size_t o = 0; o < bias.size(); ++o) {
    BoundedSum sum;
    for (std::size_t i = 0; i < in.size(); ++i) sum.add(in[i], weights[o * in.size() + i]);
    out.push_back(sum.with_bias(bias[o], ConvPrecision::fp32));
  }
  return out;
}

struct LenetReference {
  std::size_t label = 0;
  double margin = 0;  ///< between the largest two logits
  double doubt = 0;   ///< the error bound of the margin: the label is certain if the margin is larger
  std::array<Bounded, 10> probabilities{};
};

inline LenetReference reference_softmax(const std::vector<Bounded>& logits) {
  const auto before = [](const Bounded& a, const Bounded& b) { return a.value < b.value; };
  const auto largest = std::max_element(logits.begin(), logits.end(), before);
  LenetReference result{.label = static_cast<std::size_t>(largest - logits.begin()), .margin = INFINITY};
  double sum = 0, error = 0;
  for (const Bounded& logit : logits) {
    sum += std::exp(logit.value - largest->value);
    error = std::max(error, logit.error);
    if (&logit != &*largest) result.margin = std::min(result.margin, largest->value - logit.value);
  }
  result.doubt = 2 * error;
  for (std::size_t c = 0; c < logits.size(); ++c) {
    const double below = logits[c].value - largest->value, p = std::exp(below) / sum;
    // Each exponent is off by at most `doubt` and a rounding; exp, nine additions and a division are a few roundings.
    const double relative = std::expm1(2 * (result.doubt + 0x1p-24 * (20 - below)));
    result.probabilities[c] = {p, p * relative + 0x1p-126};
  }
  return result;
}

inline LenetReference reference_classifier(const std::vector<Bounded>& features, const LenetWeights& weights) {
  auto hidden = reference_product(features, weights.fc1, weights.fc1_bias);
  for (Bounded& x : hidden) x = relu(x);
  return reference_softmax(reference_product(hidden, weights.fc2, weights.fc2_bias));
}

template <class Pixel>
LenetReference reference_lenet(const Pixel* image, const LenetWeights& weights, ConvPrecision precision) {
  std::vector<Bounded> pixels(Lenet::image_pixels);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i].value = static_cast<double>(image[i]);
  const auto conv1 = reference_conv(pixels, 1, 86, weights.conv1, weights.conv1_bias, 2, precision);
  const auto conv2 = reference_conv(conv1, 4, 40, weights.conv2, weights.conv2_bias, 4, precision);
  return reference_classifier(conv2, weights);
}

/// Returns random weights for which the layers' values neither vanish nor grow. With `lowest` = -1 half of the weights
/// are negative and sums cancel; for values closer to 0, error bounds are small compared with the sums.
inline LenetWeights random_weights(unsigned seed, double lowest) {
  LenetWeights weights;
  std::mt19937 random(seed);
  const auto fill = [&](auto& values, double low, double high) {
    std::uniform_real_distribution<double> uniform(low, high);
    for (float& value : values) value = static_cast<float>(uniform(random));
  };
  const double scale = lowest < -0.5 ? 3 : 1;
  fill(weights.conv1, lowest * 0.02 * scale, 0.02 * scale);
  fill(weights.conv1_bias, -1, 1);
  fill(weights.conv2, lowest * 0.002 * scale, 0.002 * scale);
  fill(weights.conv2_bias, -1, 1);
  fill(weights.fc1, lowest * 0.001 * scale * scale, 0.001 * scale * scale);
  fill(weights.fc1_bias, -1, 1);
  fill(weights.fc2, -0.2, 0.2);
  fill(weights.fc2_bias, -1, 1);
  return weights;
}

/// Returns images of noise, each with its own brightness and gradient.
inline std::vector<std::uint8_t> random_images(std::size_t n, unsigned seed) {
  std::vector<std::uint8_t> images(n * static_cast<std::size_t>(Lenet::image_pixels));
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < n; ++i) {
    const auto across = static_cast<double>(random() % 256), down = static_cast<double>(random() % 256);
    for (std::size_t k = 0; k < Lenet::image_pixels; ++k) {
      const double slope = (across * static_cast<double>(k % 86) + down * static_cast<double>(k / 86)) / 172;
      images[i * Lenet::image_pixels + k] = static_cast<std::uint8_t>(slope / 2 + static_cast<double>(random() % 128));
    }
  }
  return images;
}

}  // namespace rafter::classify

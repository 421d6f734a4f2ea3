// The reference of conv: every output element, computed in float64 from the generators of its inputs.
#pragma once

#include "conv/conv_rung.hpp"
#include "conv/conv_winograd_transforms.hpp"
#include "library/core/dtype.hpp"
#include "workbench/lab/data/comparator.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::conv_ladder {

/// An element of an array, rounded to its type.
template <class T>
constexpr double element_of(const lab::Generator& generator, std::int64_t index) {
  return static_cast<double>(static_cast<T>(generator(index)));
}

constexpr double magnitude(double x) { return x < 0 ? -x : x; }

/// The expected value of an output element, with an error bound for the case's precision that holds for any order of
/// summation.
template <class T>
struct ConvAnswer {
  static constexpr bool has_device_code = true;
  lab::Generator in;
  lab::Generator kernels;
  lab::Generator bias;
  ConvShape shape;
  ConvPrecision precision;
  bool has_bias;
  bool relu;
  MaxPool pool;
  bool winograd;

  constexpr lab::Expectation operator()(std::int64_t index) const {
    const std::int64_t height = shape.out_height(), width = shape.out_width();
    const std::int64_t pooled_width = pool.out(width), pooled = pool.out(height) * pooled_width;
    const std::int64_t plane = index / pooled, at = index % pooled;
    const std::int64_t y0 = at / pooled_width * pool.stride, x0 = at % pooled_width * pool.stride;
    lab::Expectation largest{-std::numeric_limits<double>::infinity(), 0};
    for (std::int64_t y = y0; y < y0 + pool.size && y < height; ++y) {
      for (std::int64_t x = x0; x < x0 + pool.size && x < width; ++x) {
        const lab::Expectation here = pixel(plane / shape.maps, plane % shape.maps, y, x);
        if (here.value > largest.value) largest.value = here.value;
        if (here.bound > largest.bound) largest.bound = here.bound;
      }
    }
    largest.bound += core::rounding_error<T>(magnitude(largest.value) + largest.bound);
    return largest;
  }

  /// Whether all inputs and weights are whole numbers. Then a missing or wrong product changes the sum by 1 or more.
  constexpr bool is_whole() const {
    return in.kind == lab::Generator::Kind::whole && kernels.kind == lab::Generator::Kind::whole;
  }

  /// The pixel (y, x) of channel c of image b; 0 outside.
  constexpr double input(std::int64_t b, std::int64_t c, std::int64_t y, std::int64_t x) const {
    if (y < 0 || y >= shape.height || x < 0 || x >= shape.width) return 0;
    return element_of<T>(in, ((b * shape.channels + c) * shape.height + y) * shape.width + x);
  }

  constexpr lab::Expectation pixel(std::int64_t b, std::int64_t m, std::int64_t y, std::int64_t x) const {
    double sum = 0;
    double size = 0;     // the sum of the magnitudes of all products
    double factors = 0;  // the sum of the magnitudes of all factors
    for (std::int64_t c = 0; c < shape.channels; ++c) {
      for (std::int64_t p = 0; p < shape.kernel_height; ++p) {
        for (std::int64_t q = 0; q < shape.kernel_width; ++q) {
          const double factor = input(b, c, y + p - shape.pad_height, x + q - shape.pad_width);
          const double weight =
              element_of<T>(kernels, ((m * shape.channels + c) * shape.kernel_height + p) * shape.kernel_width + q);
          sum += factor * weight;
          size += magnitude(factor * weight);
          factors += magnitude(factor) + magnitude(weight);
        }
      }
    }
    const double offset = has_bias ? element_of<T>(bias, m) : 0;
    double error = bound_of_sum(size, factors);
    if (may_winograd()) {
      const double by_winograd = winograd_bound(b, m, y, x);
      if (by_winograd > error) error = by_winograd;
    }
    if (has_bias) error += 0x1p-24 * (magnitude(sum + offset) + error);
    if (is_whole() && error > 0.25) error = 0.25;
    const double value = sum + offset;
    return {relu && value < 0 ? 0 : value, error};
  }

 private:
  constexpr bool may_winograd() const {
    return winograd && precision == ConvPrecision::fp32 && shape.kernel_height == 3 && shape.kernel_width == 3;
  }

  constexpr double winograd_bound(std::int64_t b, std::int64_t m, std::int64_t y, std::int64_t x) const {
    const auto row = static_cast<int>(y % 2), col = static_cast<int>(x % 2);
    double size = 0;
    for (std::int64_t c = 0; c < shape.channels; ++c) {
      double d[4][4]{};
      double g[3][3]{};
      for (int i = 0; i < 16; ++i)
        d[i / 4][i % 4] = magnitude(input(b, c, y - row + i / 4 - shape.pad_height, x - col + i % 4 - shape.pad_width));
      for (int i = 0; i < 9; ++i) g[i / 3][i % 3] = magnitude(element_of<T>(kernels, (m * shape.channels + c) * 9 + i));
      size += winograd_magnitude(d, g, row, col);
    }
    return (static_cast<double>(shape.channels) + 32) * 0x1p-23 * size;
  }

  constexpr double bound_of_sum(double size, double factors) const {
    const double sums = static_cast<double>(shape.kernel()) * 0x1p-23 * size;
    switch (precision) {
      case ConvPrecision::fp32: return sums;
      case ConvPrecision::tf32: return sums + 0x1.01p-10 * size;
      case ConvPrecision::fp16: return sums + 0x1.01p-10 * size + 0x1p-24 * factors;
      case ConvPrecision::split_fp16: return sums + 0x1p-20 * size + 0x1p-34 * factors;
    }
    return 0;
  }
};

}  // namespace rafter::conv_ladder

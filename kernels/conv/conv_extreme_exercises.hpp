// Cases of the convolution exercises beyond ordinary numbers and sizes: more elements than 32 bits can count, and
// numbers that show whether an output was computed by Winograd's algorithm.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "library/core/arithmetic.hpp"
#include "rafter/conv.hpp"
#include "workbench/lab/workload/exercise.hpp"

namespace rafter::conv_ladder {

/// The arguments of a launch after the three arrays, and its grid. Both depend on the exercise.
struct ConvLaunch {
  std::function<lab::Extents(const ConvShape&)> grid;
  std::function<std::vector<lab::ExerciseArgument>(const ConvShape&)> sizes;
  std::int64_t side;  ///< a thread has side x side outputs
};

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Computes an output of an image of one batch entry with the weights of one map, by the definition.
inline double convolved(const ConvShape& s, std::span<const float> image, std::span<const float> weights,
                        std::int64_t y, std::int64_t x) {
  double sum = 0;
  for (std::int64_t i = 0; i < s.kernel(); ++i) {
    const std::int64_t n_taps = s.kernel_height * s.kernel_width, c = i / n_taps, tap = i % n_taps;
    const std::int64_t row = y + tap / s.kernel_width - s.pad_height, col = x + tap % s.kernel_width - s.pad_width;
    if (row < 0 || row >= s.height || col < 0 || col >= s.width) continue;
    sum += static_cast<double>(image[at((c * s.height + row) * s.width + col)]) * static_cast<double>(weights[at(i)]);
  }
  return sum;
}

/// Makes a case where only the first and the last plane of the outputs have numbers, of which the first and the last
/// block compute some.
inline lab::ExerciseCase ends_case(const ConvShape& s, const lab::CaseRequest& request, const ConvLaunch& launch) {
  const auto whole = [&](std::int64_t n, std::uint64_t array) {
    std::vector<float> values;
    for (const float x : lab::eighths(n, request.of(array))) values.push_back(std::round(x));
    return values;
  };
  const std::int64_t rows = s.out_height(), cols = s.out_width(), n_planes = s.batch * s.maps;
  std::vector<lab::FloatPiece> images{{0, whole(s.image(), 51)}}, kernels{{0, whole(s.kernel(), 53)}};
  if (s.batch > 1) images.push_back({(s.batch - 1) * s.image(), whole(s.image(), 52)});
  if (s.maps > 1) kernels.push_back({(s.maps - 1) * s.kernel(), whole(s.kernel(), 54)});
  const std::vector<float> unset(at(rows * cols), -0.5F);
  const std::vector<lab::FloatPiece> before{{0, unset}, {(n_planes - 1) * rows * cols, unset}};
  const std::int64_t tall = request.block.y * launch.side, wide = request.block.x * launch.side;
  std::vector<lab::Expectation> expected;
  for (const bool is_first : {true, false}) {
    for (std::int64_t i = 0; i < rows * cols; ++i) {
      const std::int64_t y = i / cols, x = i % cols;
      const bool is_own =
          is_first ? y < tall && x < wide : y >= (rows - 1) / tall * tall && x >= (cols - 1) / wide * wide;
      expected.push_back({-0.5, 0});
      if (!is_own) continue;
      const auto& image = is_first ? images.front() : images.back();
      const auto& weights = is_first ? kernels.front() : kernels.back();
      expected.back() = {convolved(s, image.values, weights.values, y, x), 0.25};
    }
  }
  std::vector<lab::ExerciseArgument> arguments{lab::huge_input(s.batch * s.image(), images),
                                               lab::huge_input(s.maps * s.kernel(), kernels),
                                               lab::huge_output(n_planes * rows * cols, before)};
  for (const lab::ExerciseArgument& size : launch.sizes(s)) arguments.push_back(size);
  return {.text = fmt::format("inp={}x{}x{}x{} maps={} ksize={}", s.batch, s.channels, s.height, s.width, s.maps,
                              s.kernel_height),
          .grid = launch.grid(s),
          .block = request.block,
          .arguments = arguments,
          .check =
              [expected](const lab::ArraysAfter& after) {
                return lab::compare_within_bounds("the first and the last plane: dest", after[2], expected);
              },
          .ends_only = true};
}

/// Many images, and many weights. Both have a small version.
inline std::vector<lab::ExerciseCase> huge_cases(const lab::CaseRequest& request, const ConvLaunch& launch,
                                                 std::int64_t ksize) {
  constexpr std::int64_t most_blocks = 65535;  // in z
  const std::int64_t n_channels = (std::int64_t{1} << 32) / (most_blocks * ksize * ksize) + 2;
  const ConvShape images{most_blocks, 1, 260, 261, 1, 3, 3, 0, 0},
      weights{1, n_channels, ksize, ksize, most_blocks, ksize, ksize, 0, 0};
  std::vector<lab::ExerciseCase> all;
  for (const ConvShape& shape : {images, weights}) {
    ConvShape small = shape;
    (shape.batch > 1 ? small.batch : small.maps) = 3;
    all.push_back(ends_case(shape, request, launch));
    all.back().rehearsal = std::make_shared<lab::ExerciseCase>(ends_case(small, request, launch));
  }
  return all;
}

/// Makes a case in which a few pixels are 1 and their neighbours but one 2^25, and one weight is 1. The sum of products
/// has the 1; Winograd's transform of the pixels subtracts one from the other in 32 bits and loses it.
inline lab::ExerciseCase method_case(const ConvShape& s, const lab::CaseRequest& request, const ConvLaunch& launch) {
  std::vector<float> image(at(s.batch * s.image())), weights(at(s.maps * s.kernel()));
  const auto channel = static_cast<std::int64_t>(request.seed % static_cast<std::uint64_t>(s.channels));
  for (std::int64_t m = 0; m < s.maps; ++m) weights[at((m * s.channels + channel) * 9)] = 1;
  std::vector<std::int64_t> shows;
  for (std::int64_t y = 4; y + 2 < s.out_height(); y += 6) {
    for (std::int64_t x = 4; x + 4 < s.out_width(); x += 8) {
      const std::int64_t pixel = (channel * s.height + y - s.pad_height) * s.width + x - s.pad_width;
      image[at(pixel)] = 1;
      image[at(pixel + 2)] = 0x1p25F;
      shows.push_back(y * s.out_width() + x);
    }
  }
  std::vector<lab::ExerciseArgument> arguments{lab::input(image), lab::input(weights),
                                               lab::unwritten(s.batch * s.maps * s.out_height() * s.out_width())};
  for (const lab::ExerciseArgument& size : launch.sizes(s)) arguments.push_back(size);
  return {.text = fmt::format("inp={}x{}x{}x{} maps={} pad={} with 1 beside 2^25", s.batch, s.channels, s.height,
                              s.width, s.maps, s.pad_height),
          .grid = launch.grid(s),
          .block = request.block,
          .arguments = arguments,
          .check = [shows](const lab::ArraysAfter& after) -> std::string {
            const std::vector<float> now = lab::floats(after[2]);
            for (const std::int64_t i : shows) {
              if (lab::is_unwritten(now[at(i)])) return fmt::format("dest[{}] was never written", i);
              if (std::abs(now[at(i)]) < 0.5F) continue;
              return fmt::format(
                  "dest[{}] is {}, but Winograd's transform of its pixels, (1 - 2^25) in 32 bits, loses "
                  "the 1: it is not the sum of 16 products of transformed pixels and weights",
                  i, now[at(i)]);
            }
            return "";
          }};
}

}  // namespace rafter::conv_ladder

// Explains a wrong result of a learner's convolution: recognises common mistakes by the numbers they produce.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "conv/conv_answers.hpp"

namespace rafter::conv_ladder {

/// The position of an output.
struct Output {
  std::int64_t image, map, y, x;
};

inline Output output_at(const ConvShape& shape, std::int64_t index) {
  const std::int64_t x = index % shape.out_width(), y = index / shape.out_width() % shape.out_height();
  const std::int64_t plane = index / (shape.out_width() * shape.out_height());
  return {plane / shape.maps, plane % shape.maps, y, x};
}

/// A common mistake, described by the pixel and the weight that it multiplies.
struct Mistake {
  std::string sentence;
  std::int64_t shift = 0;       ///< added to the row and the column of the pixel
  std::int64_t n_channels = 0;  ///< channels that are summed
  bool rotated = false;         ///< kernels are rotated by 180 degrees
  bool transposed = false;      ///< rows and columns of kernels are exchanged
  bool repeated = false;        ///< padding repeats the edge pixels
};

inline double sum_of(const Mistake& mistake, const ConvAnswer<float>& answer, const Output& at) {
  const ConvShape& shape = answer.shape;
  const std::int64_t side = shape.kernel_height;
  double sum = 0;
  for (std::int64_t i = 0; i < mistake.n_channels * side * side; ++i) {
    const std::int64_t c = i / (side * side), p = i / side % side, q = i % side;
    std::int64_t y = at.y + p - shape.pad_height + mistake.shift, x = at.x + q - shape.pad_width + mistake.shift;
    if (mistake.repeated) {
      y = std::clamp<std::int64_t>(y, 0, shape.height - 1);
      x = std::clamp<std::int64_t>(x, 0, shape.width - 1);
    }
    std::int64_t tap = mistake.transposed ? q * side + p : p * side + q;
    if (mistake.rotated) tap = side * side - 1 - tap;
    sum += answer.input(at.image, c, y, x) *
           element_of<float>(answer.kernels, (at.map * shape.channels + c) * side * side + tap);
  }
  return sum;
}

inline std::vector<Mistake> classic_mistakes(const ConvShape& shape) {
  const std::int64_t all = shape.channels;
  std::vector<Mistake> mistakes{
      {.sentence = "that is the result of kernels rotated by 180 degrees: weight [p][q] is multiplied by pixel "
                   "[y+p-pad][x+q-pad]",
       .n_channels = all,
       .rotated = true},
      {.sentence = "that is the result of kernels with rows and columns exchanged: p is a kernel's row, q its column",
       .n_channels = all,
       .transposed = true}};
  if (all > 1) mistakes.push_back({.sentence = "that is the sum over the first channel only", .n_channels = 1});
  for (const std::int64_t shift : {shape.pad_height, std::int64_t{1}, std::int64_t{-1}}) {
    if (shift == 0) continue;
    mistakes.push_back({.sentence = fmt::format("dest[b][m][y][x] has the value of [y{0:+}][x{0:+}]: output [y][x] "
                                                "begins at pixel [y-pad][x-pad]",
                                                shift),
                        .shift = shift,
                        .n_channels = all});
  }
  if (shape.pad_height > 0)
    mistakes.push_back({.sentence = "that is the result of padding with the edge pixels: the padding is zeros",
                        .n_channels = all,
                        .repeated = true});
  return mistakes;
}

/// Describes the position of the first wrong element, and the mistake that explains all elements, if there is one.
inline std::string explain_mistake(const ConvAnswer<float>& answer, std::span<const float> dest,
                                   std::span<const lab::Expectation> expected) {
  const auto is = [&](std::size_t i, double value) {
    return lab::share_of_bound(static_cast<double>(dest[i]), {value, expected[i].bound}) <= 1;
  };
  std::size_t first = 0;
  while (is(first, expected[first].value)) ++first;
  const Output at = output_at(answer.shape, static_cast<std::int64_t>(first));
  std::string text =
      fmt::format("; dest[{}] is image {}, map {}, row {}, column {}", first, at.image, at.map, at.y, at.x);
  constexpr std::size_t enough = 16;  // fewer elements could fit a mistake by chance
  if (dest.size() < enough) return text;
  for (const Mistake& mistake : classic_mistakes(answer.shape)) {
    bool fits = true;
    for (std::size_t i = 0; i < dest.size() && fits; ++i)
      fits = is(i, sum_of(mistake, answer, output_at(answer.shape, static_cast<std::int64_t>(i))));
    if (fits) return text + "; " + mistake.sentence;
  }
  return text;
}

}  // namespace rafter::conv_ladder

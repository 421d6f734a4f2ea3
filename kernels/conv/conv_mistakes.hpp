// What a learner's convolution did where it is wrong: the mistakes that many make, told by the numbers they give.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "conv/conv_answers.hpp"

namespace rafter::conv_ladder {

/// Where an output is.
struct Output {
  std::int64_t image, map, y, x;
};

inline Output output_at(const ConvShape& shape, std::int64_t index) {
  const std::int64_t x = index % shape.out_width(), y = index / shape.out_width() % shape.out_height();
  const std::int64_t plane = index / (shape.out_width() * shape.out_height());
  return {plane / shape.maps, plane % shape.maps, y, x};
}

/// A mistake that many make, as the taps that it sums up: the pixel and the weight that meet.
struct Mistake {
  std::string sentence;
  std::int64_t shift = 0;  ///< of rows and columns
  std::int64_t n_channels = 0;
  bool turned = false, exchanged = false, repeated = false;
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
    std::int64_t tap = mistake.exchanged ? q * side + p : p * side + q;
    if (mistake.turned) tap = side * side - 1 - tap;
    sum += answer.input(at.image, c, y, x) *
           element_of<float>(answer.kernels, (at.map * shape.channels + c) * side * side + tap);
  }
  return sum;
}

inline std::vector<Mistake> classic_mistakes(const ConvShape& shape) {
  const std::int64_t all = shape.channels;
  std::vector<Mistake> mistakes{
      {.sentence = "that is what kernels turned by 180 degrees give: weight [p][q] goes with pixel [y+p-pad][x+q-pad]",
       .n_channels = all,
       .turned = true},
      {.sentence = "that is what kernels with rows and columns exchanged give: p is a kernel's row, q its column",
       .n_channels = all,
       .exchanged = true}};
  if (all > 1) mistakes.push_back({.sentence = "that is the sum over the first channel alone", .n_channels = 1});
  for (const std::int64_t shift : {shape.pad_height, std::int64_t{1}, std::int64_t{-1}}) {
    if (shift == 0) continue;
    mistakes.push_back({.sentence = fmt::format("dest[b][m][y][x] is what belongs to [y{0:+}][x{0:+}]: output [y][x] "
                                                "begins at pixel [y-pad][x-pad]",
                                                shift),
                        .shift = shift,
                        .n_channels = all});
  }
  if (shape.pad_height > 0)
    mistakes.push_back({.sentence = "that is what comes when pixels of the edge stand around the image: zeros do",
                        .n_channels = all,
                        .repeated = true});
  return mistakes;
}

/// Where the first wrong element is, and the mistake that explains all of them, if there is one.
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
  constexpr std::size_t enough = 16;  // that no chance makes them fit
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

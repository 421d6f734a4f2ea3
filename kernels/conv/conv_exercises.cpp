// The exercises conv (one output per thread), conv_tiled (pixels from a tile in shared memory) and winograd (2 x 2
// outputs per thread, with 16 products instead of 36).
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "conv/conv_answers.hpp"
#include "conv/conv_extreme_exercises.hpp"
#include "conv/conv_mistakes.hpp"
#include "library/core/arithmetic.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::conv_ladder {

namespace {

using namespace lab;
using FloatArgs = ConvArgs<float>;

enum class Algorithm { direct, winograd };

/// A convolution with square kernels and the same padding on all sides.
struct Problem {
  std::int64_t batch, channels, height, width, maps, ksize, pad;
  Generator::Kind numbers = Generator::Kind::whole;
  bool has_infinity = false;  ///< in two corners of the first image

  ConvShape shape() const { return {batch, channels, height, width, maps, ksize, ksize, pad, pad}; }
  ConvAnswer<float> answer(Algorithm algorithm, const CaseRequest& request) const {
    return {
        {numbers, request.of(21)},       {numbers, request.of(22)}, {}, shape(), ConvPrecision::fp32, false, false, {},
        algorithm == Algorithm::winograd};
  }
  std::int64_t n_outputs() const { return batch * maps * shape().out_height() * shape().out_width(); }
  std::string text(Algorithm algorithm) const {
    return fmt::format("inp={}x{}x{}x{} maps={} {}pad={}{}", batch, channels, height, width, maps,
                       algorithm == Algorithm::direct ? fmt::format("ksize={} ", ksize) : "", pad,
                       numbers == Generator::Kind::bell ? " with fractions"
                       : has_infinity                   ? " with infinities"
                                                        : "");
  }
};

std::vector<float> made(const Generator& generator, std::int64_t n) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(static_cast<float>(generator(i)));
  return values;
}

/// The grid of blocks over all output planes, if a thread has `side` x `side` outputs.
Extents grid_for(const ConvShape& shape, const Extents& block, std::int64_t side) {
  return {ceil_div(shape.out_width(), block.x * side), ceil_div(shape.out_height(), block.y * side),
          shape.batch * shape.maps};
}

ConvLaunch launch_of(const Extents& block, Algorithm algorithm) {
  const std::int64_t side = algorithm == Algorithm::winograd ? 2 : 1;
  return {.grid = [=](const ConvShape& shape) { return grid_for(shape, block, side); },
          .sizes =
              [=](const ConvShape& s) {
                std::vector<ExerciseArgument> sizes;
                for (const std::int64_t n : {s.channels, s.height, s.width, s.maps}) sizes.push_back(scalar_i32(n));
                if (algorithm == Algorithm::direct) sizes.push_back(scalar_i32(s.kernel_height));
                sizes.push_back(scalar_i32(s.pad_height));
                return sizes;
              },
          .side = side};
}

/// Makes the first weight 0, of the only channel of the only image: its product with an infinity is NaN.
void put_zero(const Problem& problem, std::span<const float> pixels, std::vector<float>& weights,
              std::vector<Expectation>& expected) {
  const ConvShape s = problem.shape();
  for (std::int64_t i = 0; i < s.out_height() * s.out_width(); ++i) {
    const std::int64_t row = i / s.out_width() - problem.pad, col = i % s.out_width() - problem.pad;
    if (row < 0 || col < 0 || row >= s.height || col >= s.width) continue;
    const float pixel = pixels[static_cast<std::size_t>(row * s.width + col)];
    expected[static_cast<std::size_t>(i)].value -= static_cast<double>(pixel) * static_cast<double>(weights[0]);
  }
  weights[0] = 0;
}

/// Puts infinities in the first and the last pixel of the first image, and in the outputs that use them. All numbers
/// are whole.
void put_infinities(const Problem& problem, std::vector<float>& pixels, std::span<const float> weights,
                    std::vector<Expectation>& expected) {
  const ConvShape s = problem.shape();
  const std::int64_t n_plane = s.out_height() * s.out_width();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [row, col] : {std::pair(std::int64_t{0}, std::int64_t{0}), std::pair(s.height - 1, s.width - 1)}) {
    pixels[static_cast<std::size_t>(row * s.width + col)] = std::numeric_limits<float>::infinity();
    for (std::int64_t i = 0; i < s.maps * n_plane; ++i) {
      const std::int64_t p = row + problem.pad - i % n_plane / s.out_width(), q = col + problem.pad - i % s.out_width();
      if (p < 0 || q < 0 || p >= problem.ksize || q >= problem.ksize) continue;
      const float weight = weights[static_cast<std::size_t>(i / n_plane * s.kernel() + p * problem.ksize + q)];
      expected[static_cast<std::size_t>(i)].value += weight > 0 ? infinity : weight < 0 ? -infinity : std::nan("");
    }
  }
}

ExerciseCase make_case(const Problem& problem, const CaseRequest& request, Algorithm algorithm) {
  const ConvShape shape = problem.shape();
  const ConvAnswer<float> answer = problem.answer(algorithm, request);
  const ConvLaunch launch = launch_of(request.block, algorithm);
  std::vector<Expectation> expected;
  for (std::int64_t i = 0; i < problem.n_outputs(); ++i) expected.push_back(answer(i));
  const std::int64_t n_most = 8 * launch.side * launch.side;  // outputs of a thread
  std::vector<float> pixels = made(answer.in, shape.batch * shape.image());
  std::vector<float> weights = made(answer.kernels, shape.maps * shape.kernel());
  if (problem.has_infinity) put_zero(problem, pixels, weights, expected);
  if (problem.has_infinity) put_infinities(problem, pixels, weights, expected);
  std::vector<ExerciseArgument> arguments{input(pixels), input(weights), unwritten(problem.n_outputs())};
  for (const ExerciseArgument& size : launch.sizes(shape)) arguments.push_back(size);
  return {.text = problem.text(algorithm),
          .grid = launch.grid(shape),
          .block = request.block,
          .arguments = arguments,
          .check =
              [=](const ArraysAfter& after) {
                const std::string text = compare_within_bounds("dest", after[2], expected);
                return text.empty() || problem.has_infinity
                           ? text
                           : text + explain_mistake(answer, floats(after[2]), expected);
              },
          .method = {.n_independent = shape.out_width() >= 16 ? problem.n_outputs() : 0,
                     .share = share_of_results(n_most, 2 * 4 * shape.kernel(), 4, request.block)}};
}

/// The first problem has several images, channels and maps, and partial tiles. The others have kernels as large as the
/// image, of one pixel and of an even side, more padding than pixels, many channels and none, fractional numbers, and
/// infinities.
constexpr Problem direct_problems[] = {{2, 2, 20, 33, 3, 7, 0},
                                       {1, 1, 1, 1, 1, 1, 0},
                                       {1, 1, 7, 7, 2, 7, 0},
                                       {1, 3, 17, 18, 2, 3, 1},
                                       {3, 1, 5, 40, 1, 5, 2},
                                       {1, 2, 16, 17, 2, 2, 1},
                                       {2, 1, 32, 16, 1, 1, 0},
                                       {1, 2, 4, 3, 1, 7, 3},
                                       {1, 2, 9, 20, 2, 3, 1, Generator::Kind::bell},
                                       {1, 17, 9, 20, 2, 4, 2, Generator::Kind::bell},
                                       {1, 2, 6, 5, 2, 3, 8},
                                       {1, 0, 5, 6, 2, 3, 1},
                                       {1, 300, 3, 3, 1, 3, 1},
                                       {1, 1, 2, 300, 1, 1, 0},
                                       {1, 1, 18, 19, 2, 3, 1, Generator::Kind::whole, true}};

/// Problems with one output, one tile, odd sides, much padding, many channels and none, and fractional numbers, which
/// are rounded.
constexpr Problem winograd_problems[] = {{2, 4, 20, 37, 3, 3, 1},
                                         {1, 1, 3, 3, 1, 3, 0},
                                         {1, 1, 4, 4, 2, 3, 0},
                                         {1, 2, 5, 3, 1, 3, 1},
                                         {2, 3, 9, 12, 2, 3, 0},
                                         {1, 1, 1, 1, 1, 3, 1},
                                         {1, 3, 6, 7, 2, 3, 5},
                                         {1, 0, 5, 6, 2, 3, 1},
                                         {1, 300, 3, 3, 1, 3, 1},
                                         {1, 33, 10, 11, 2, 3, 1, Generator::Kind::bell},
                                         {1, 80, 6, 7, 2, 3, 2, Generator::Kind::bell}};

std::vector<ExerciseCase> direct_cases(const CaseRequest& request) {
  std::vector<ExerciseCase> all;
  for (const Problem& problem : direct_problems) all.push_back(make_case(problem, request, Algorithm::direct));
  return all;
}

/// The cases of one thread per output, whose kernels may be large.
std::vector<ExerciseCase> untiled_cases(const CaseRequest& request) {
  std::vector<ExerciseCase> all = direct_cases(request);
  all.push_back(make_case({1, 1, 14, 30, 1, 11, 0}, request, Algorithm::direct));
  return all;
}

std::int64_t n_warps(const Extents& block) { return ceil_div(block.count(), 32); }

std::vector<ExerciseCase> tiled_cases(const CaseRequest& request) {
  const Extents& block = request.block;
  std::vector<ExerciseCase> all = direct_cases(request);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Problem& problem = direct_problems[i];
    // Twice a block's pixels, and each weight once per warp, whose lanes share it.
    const std::int64_t pixels = (block.x + problem.ksize - 1) * (block.y + problem.ksize - 1);
    const std::int64_t weights = problem.ksize * problem.ksize * n_warps(block);
    all[i].loads = {
        .bytes = 4 * all[i].grid.count() * problem.channels * (2 * pixels + weights),
        .what_to_do =
            "Load the pixels of all outputs of the block into a __shared__ tile once, one channel at a time, "
            "and read them from there."};
    all[i].method.uses_shared = problem.channels > 0 && problem.ksize > 1;
  }
  return all;
}

std::vector<ExerciseCase> winograd_cases(const CaseRequest& request) {
  const Extents& block = request.block;
  std::vector<ExerciseCase> all;
  for (const Problem& problem : winograd_problems) {
    all.push_back(make_case(problem, request, Algorithm::winograd));
    // 4 x 4 pixels per thread plus a quarter, and each weight once per warp.
    const std::int64_t pixels = 20 * block.count(), weights = 9 * n_warps(block);
    all.back().loads = {.bytes = 4 * all.back().grid.count() * problem.channels * (pixels + weights),
                        .what_to_do =
                            "A thread's 2 x 2 outputs need 4 x 4 pixels of each channel: load them once, into "
                            "registers."};
  }
  for (const Problem& problem : winograd_problems) {
    const ConvShape shape = problem.shape();
    const bool has_inner_tile = shape.pad_height < 4 && shape.out_height() > 6 && shape.out_width() > 8;
    if (has_inner_tile) all.push_back(method_case(shape, request, launch_of(block, Algorithm::winograd)));
  }
  return all;
}

std::vector<ExerciseCase> huge_direct_cases(const CaseRequest& request) {
  return huge_cases(request, launch_of(request.block, Algorithm::direct), 7);
}

std::vector<ExerciseCase> huge_winograd_cases(const CaseRequest& request) {
  return huge_cases(request, launch_of(request.block, Algorithm::winograd), 3);
}

Params params_of(const Problem& problem) {
  return {{"batch", problem.batch}, {"channels", problem.channels},     {"maps", problem.maps},
          {"size", problem.height}, {"kernel", problem.ksize},          {"width", problem.width},
          {"pad", problem.pad},     {"precision", std::string("fp32")}, {"dtype", std::string("float32")}};
}

std::any direct_rung(const std::shared_ptr<const LearnerKernel>& kernel) {
  return RungFunction<FloatArgs>([kernel](const Stream& stream, const FloatArgs& args) {
    const ConvShape& s = args.shape;
    const KernelValue values[] = {args.in, args.kernels, args.out,        s.channels,  s.height,
                                  s.width, s.maps,       s.kernel_height, s.pad_height};
    kernel->launch(stream, grid_for(s, kernel->block(), 1), kernel->block(), values);
  });
}

std::any winograd_rung(const std::shared_ptr<const LearnerKernel>& kernel) {
  return RungFunction<FloatArgs>([kernel](const Stream& stream, const FloatArgs& args) {
    const ConvShape& s = args.shape;
    const KernelValue values[] = {args.in, args.kernels, args.out, s.channels, s.height, s.width, s.maps, s.pad_height};
    kernel->launch(stream, grid_for(s, kernel->block(), 2), kernel->block(), values);
  });
}

std::vector<ExerciseParameter> parameters(Algorithm algorithm) {
  std::vector<ExerciseParameter> all{{"const float*", "inp"}, {"const float*", "kernels"}, {"float*", "dest"},
                                     {"int", "channels"},     {"int", "height"},           {"int", "width"},
                                     {"int", "maps"}};
  if (algorithm == Algorithm::direct) all.push_back({"int", "ksize"});
  all.push_back({"int", "pad"});
  return all;
}

const std::string definition =
    "dest[b][m][y][x] = sum over c, p, q of inp[b][c][y+p-pad][x+q-pad] * kernels[m][c][p][q]";
constexpr const char* promise =
    "inp is [b][channels][height][width], and is 0 outside; kernels is [maps][channels][ksize][ksize]; dest is "
    "[b][maps][height+2*pad-ksize+1][width+2*pad-ksize+1], uninitialised. blockIdx.z is b * maps + m. Each "
    "array may have more elements than an int can count.";

}  // namespace

std::vector<Exercise> exercises() {
  constexpr Problem lenet{10000, 1, 86, 86, 4, 7, 0};
  constexpr Problem many_channels{64, 64, 56, 56, 64, 3, 1};
  return {{.workload = "conv",
           .kernel = "conv",
           .parameters = parameters(Algorithm::direct),
           .title = "a convolution, one output per thread",
           .computes = definition + ", one output per thread",
           .promise = promise,
           .block = {16, 16},
           .grid = "one block per 16 x 16 outputs",
           .cases = untiled_cases,
           .huge_cases = huge_direct_cases,
           .ladder_case = params_of(direct_problems[0]),
           .timed_case = params_of(lenet),
           .as_rung = direct_rung},
          {.workload = "conv",
           .kernel = "conv_tiled",
           .parameters = parameters(Algorithm::direct),
           .title = "a convolution from a tile in shared memory",
           .computes = definition + ", from a tile of pixels in shared memory",
           .promise = std::string(promise) + " ksize is at most 7.",
           .block = {16, 16},
           .grid = "one block per 16 x 16 outputs",
           .cases = tiled_cases,
           .huge_cases = huge_direct_cases,
           .ladder_case = params_of(direct_problems[0]),
           .timed_case = params_of(lenet),
           .as_rung = direct_rung},
          {.workload = "conv",
           .kernel = "winograd",
           .parameters = parameters(Algorithm::winograd),
           .title = "a convolution with fewer products: Winograd's F(2x2,3x3)",
           .computes = definition + ", 2 x 2 outputs per thread by Winograd's F(2x2,3x3)",
           .promise = std::string(promise) + " ksize is 3.",
           .block = {16, 16},
           .grid = "one block per 32 x 32 outputs",
           .cases = winograd_cases,
           .huge_cases = huge_winograd_cases,
           .ladder_case = params_of(winograd_problems[0]),
           .timed_case = params_of(many_channels),
           .as_rung = winograd_rung}};
}

}  // namespace rafter::conv_ladder

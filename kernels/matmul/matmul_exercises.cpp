// The exercises matmul and matmul_tiled: the product of two matrices, by the definition and from tiles in shared
// memory. There is no matmul family, so they have no ladder.
#include <fmt/format.h>

#include "library/core/arithmetic.hpp"
#include "workbench/lab/workload/exercise.hpp"

namespace rafter::matmul_ladder {

namespace {

using namespace lab;

/// The shape of a product: a is [m][k], b is [k][n], c is [m][n].
struct Shape {
  std::int64_t m, n, k;

  std::string text() const { return fmt::format("m={} n={} k={}", m, n, k); }
};

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Computes the product by the definition, with the first `n_terms` terms and with elements of b as `second` gives
/// them, to recognise a typical wrong result by its numbers.
template <class Second>
std::vector<double> product(const Shape& s, std::int64_t n_terms, std::span<const float> a, Second second) {
  std::vector<double> c(index(s.m * s.n));
  for (std::int64_t i = 0; i < s.m * s.n; ++i) {
    const std::int64_t row = i / s.n, col = i % s.n;
    for (std::int64_t q = 0; q < n_terms; ++q)
      c[index(i)] += static_cast<double>(a[index(row * s.k + q)]) * second(q, col);
  }
  return c;
}

std::string check(const Shape& s, std::span<const float> a, std::span<const float> b,
                  std::span<const std::byte> after) {
  const auto by_rows = [&](std::int64_t q, std::int64_t col) { return static_cast<double>(b[index(q * s.n + col)]); };
  const auto by_cols = [&](std::int64_t q, std::int64_t col) { return static_cast<double>(b[index(col * s.k + q)]); };
  const std::vector<double> expected = product(s, s.k, a, by_rows);
  const std::string text = compare_floats("c", after, expected);
  if (text.empty()) return text;
  const auto is = [&](const std::vector<double>& other) { return compare_floats("c", after, other).empty(); };
  if (is(product(s, s.k, a, by_cols))) return text + "; that is the product with b read by columns";
  if (is(product(s, s.k - 1, a, by_rows))) return text + "; that is the sum without its last term";
  const std::vector<float> now = floats(after);
  for (std::int64_t i = 0; i < s.m * s.n; ++i) {
    if (static_cast<double>(now[index(i)]) != expected[index(i)])
      return text + fmt::format("; c[{}] is row {}, column {}", i, i / s.n, i % s.n);
  }
  return text;
}

Extents grid_for(const Shape& s, const Extents& block) { return {ceil_div(s.n, block.x), ceil_div(s.m, block.y)}; }

std::vector<ExerciseArgument> sizes(std::vector<ExerciseArgument> arguments, const Shape& s) {
  for (const std::int64_t size : {s.m, s.n, s.k}) arguments.push_back(scalar_i32(size));
  return arguments;
}

ExerciseCase make_case(const Shape& s, const Extents& block) {
  const std::vector<float> a = eighths(s.m * s.k, 31), b = eighths(s.k * s.n, 33);
  return {s.text(), grid_for(s, block), block, sizes({input(a), input(b), unwritten(s.m * s.n)}, s),
          [=](const ArraysAfter& after) { return check(s, a, b, after[2]); }};
}

/// Shapes around multiples of a tile, long and flat ones, and a single element.
constexpr Shape shapes[] = {{64, 48, 80}, {1, 1, 1}, {16, 16, 16}, {17, 33, 5}, {1, 100, 7}, {40, 1, 50}, {31, 15, 33}};

std::vector<ExerciseCase> cases(const Extents& block) {
  std::vector<ExerciseCase> all;
  for (const Shape& shape : shapes) all.push_back(make_case(shape, block));
  return all;
}

std::vector<ExerciseCase> tiled_cases(const Extents& block) {
  std::vector<ExerciseCase> all = cases(block);
  // For each of the k terms a block needs a column of a and a row of b; the limit is twice that.
  all[0].loads = {.bytes = 4 * all[0].grid.count() * shapes[0].k * 2 * (block.x + block.y),
                  .what_to_do = "Load a tile of a and a tile of b into __shared__ memory, and read both from there."};
  return all;
}

/// Makes a case whose b may have more than 2^31 elements. Only the columns of the first and the last block are filled.
ExerciseCase ends_case(const Shape& s, const Extents& block) {
  const std::int64_t n_last = (s.n - 1) % block.x + 1;
  const std::vector<float> a = eighths(s.m * s.k, 31);
  std::vector<FloatPiece> b, before;
  std::vector<double> expected(index(s.m * (block.x + n_last)));
  for (std::int64_t q = 0; q < s.k; ++q) {
    b.push_back({q * s.n, eighths(block.x, static_cast<std::uint64_t>(40 + q))});
    b.push_back({q * s.n + s.n - n_last, eighths(n_last, static_cast<std::uint64_t>(80 + q))});
  }
  for (std::int64_t row = 0; row < s.m; ++row) {
    before.push_back({row * s.n, std::vector<float>(index(block.x), -1)});
    before.push_back({row * s.n + s.n - n_last, std::vector<float>(index(n_last), -1)});
    for (std::int64_t col = 0; col < block.x + n_last; ++col) {
      for (std::int64_t q = 0; q < s.k; ++q) {
        const bool is_first = col < block.x;
        const std::vector<float>& values = b[index(2 * q + (is_first ? 0 : 1))].values;
        expected[index(row * (block.x + n_last) + col)] +=
            static_cast<double>(a[index(row * s.k + q)]) *
            static_cast<double>(values[index(is_first ? col : col - block.x)]);
      }
    }
  }
  return {.text = s.text(),
          .grid = grid_for(s, block),
          .block = block,
          .arguments = sizes({input(a), huge_input(s.k * s.n, b), huge_output(s.m * s.n, before)}, s),
          .check = [=, width = block.x + n_last](const ArraysAfter& after) -> std::string {
            const std::vector<float> now = floats(after[2]);
            for (std::int64_t i = 0; i < std::ssize(now); ++i) {
              if (static_cast<double>(now[index(i)]) == expected[index(i)]) continue;
              const std::int64_t col = i % width;
              return fmt::format("c in row {}, column {}: expected {}, got {}", i / width,
                                 col < block.x ? col : s.n - width + col, expected[index(i)], now[index(i)]);
            }
            return "";
          },
          .ends_only = true};
}

std::vector<ExerciseCase> huge_cases(const Extents& block) {
  const std::int64_t m = block.y, k = 20;
  ExerciseCase huge = ends_case({m, (1 << 27) + 5, k}, block);
  huge.rehearsal = std::make_shared<ExerciseCase>(ends_case({m, 64 * block.x + 5, k}, block));
  return {huge};
}

Exercise exercise(const char* kernel, const char* title, const std::string& computes,
                  std::vector<ExerciseCase> (*made)(const Extents&)) {
  return {.workload = "matmul",
          .kernel = kernel,
          .parameters =
              {{"const float*", "a"}, {"const float*", "b"}, {"float*", "c"}, {"int", "m"}, {"int", "n"}, {"int", "k"}},
          .title = title,
          .computes = computes,
          .promise =
              "a is [m][k], b is [k][n] and c is [m][n]; c is uninitialised. Each of them may have more elements than "
              "an int can count.",
          .block = {16, 16},
          .grid = "n / 16 x m / 16 blocks, rounded up",
          .cases = made,
          .huge_cases = huge_cases};
}

}  // namespace

std::vector<Exercise> exercises() {
  const std::string definition = "c[y][x] = sum over q < k of a[y][q] * b[q][x], one element per thread";
  return {exercise("matmul", "the product of two matrices, one element per thread", definition, cases),
          exercise("matmul_tiled", "the product of two matrices from tiles in shared memory",
                   definition + ", from tiles of a and b in shared memory", tiled_cases)};
}

}  // namespace rafter::matmul_ladder

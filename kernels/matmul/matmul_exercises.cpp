// The exercises matmul and matmul_tiled: the product of two matrices, by the definition and from tiles in shared
// memory. There is no matmul family, so they have no ladder.
#include <fmt/format.h>

#include <cmath>
#include <limits>

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

enum class Numbers { eighths, fractions, infinite };

/// The error bounds of an exact answer: 0 for sums of eighths, otherwise for any order of 32-bit additions.
std::vector<Expectation> bounded(const Shape& s, std::span<const float> a, std::span<const float> b,
                                 const std::vector<double>& exact, Numbers numbers) {
  std::vector<Expectation> all;
  for (std::int64_t i = 0; i < std::ssize(exact); ++i) {
    double size = 0;
    for (std::int64_t q = 0; q < s.k && numbers == Numbers::fractions; ++q)
      size +=
          std::abs(static_cast<double>(a[index(i / s.n * s.k + q)]) * static_cast<double>(b[index(q * s.n + i % s.n)]));
    all.push_back({exact[index(i)], static_cast<double>(s.k + 1) * 0x1p-24 * size});
  }
  return all;
}

std::string check(const Shape& s, std::span<const float> a, std::span<const float> b, Numbers numbers,
                  std::span<const std::byte> after) {
  const auto by_rows = [&](std::int64_t q, std::int64_t col) { return static_cast<double>(b[index(q * s.n + col)]); };
  const auto by_cols = [&](std::int64_t q, std::int64_t col) { return static_cast<double>(b[index(col * s.k + q)]); };
  const std::vector<double> expected = product(s, s.k, a, by_rows);
  const std::string text = compare_within_bounds("c", after, bounded(s, a, b, expected, numbers));
  if (text.empty() || numbers != Numbers::eighths || s.k == 0) return text;
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

Extents grid_for(const Shape& s, const Extents& block) {
  return {blocks_for(s.n, block.x).x, blocks_for(s.m, block.y).x};
}

std::vector<ExerciseArgument> sizes(std::vector<ExerciseArgument> arguments, const Shape& s) {
  for (const std::int64_t size : {s.m, s.n, s.k}) arguments.push_back(scalar_i32(size));
  return arguments;
}

struct Product {
  Shape shape;
  Numbers numbers = Numbers::eighths;

  std::string text() const {
    constexpr const char* words[] = {"", " with fractions", " with infinities"};
    return shape.text() + words[static_cast<int>(numbers)];
  }
};

ExerciseCase make_case(const Product& product, const CaseRequest& request) {
  const Shape& s = product.shape;
  const auto made = product.numbers == Numbers::fractions ? fractions : eighths;
  std::vector<float> a = made(s.m * s.k, request.of(31)), b = made(s.k * s.n, request.of(33));
  if (product.numbers == Numbers::infinite) {  // in one row and one column, at the end of each
    a[index(s.k * 2 - 1)] = std::numeric_limits<float>::infinity();
    b.back() = -std::numeric_limits<float>::infinity();
    a[index(s.k - 1)] = 0;  // times an infinity is NaN
  }
  return {
      .text = product.text(),
      .grid = grid_for(s, request.block),
      .block = request.block,
      .arguments = sizes({input(a), input(b), unwritten(s.m * s.n)}, s),
      .check = [=, numbers = product.numbers](const ArraysAfter& after) { return check(s, a, b, numbers, after[2]); },
      .method = {.n_independent = s.n >= 16 ? s.m * s.n : 0, .share = share_of_results(8, 8 * s.k, 4, request.block)}};
}

/// Shapes around multiples of a tile, long and flat ones, a single element, none, and no terms.
constexpr Product products[] = {{{64, 48, 80}},
                                {{1, 1, 1}},
                                {{16, 16, 16}},
                                {{17, 33, 5}},
                                {{1, 100, 7}},
                                {{40, 1, 50}},
                                {{31, 15, 33}},
                                {{18, 20, 300}},
                                {{20, 19, 0}},
                                {{0, 5, 3}},
                                {{5, 0, 3}},
                                {{19, 20, 21}, Numbers::fractions},
                                {{21, 18, 19}, Numbers::infinite}};

std::vector<ExerciseCase> cases(const CaseRequest& request) {
  std::vector<ExerciseCase> all;
  for (const Product& product : products) all.push_back(make_case(product, request));
  all.push_back(make_case({{2, 3, 70000}}, request));
  return all;
}

std::vector<ExerciseCase> tiled_cases(const CaseRequest& request) {
  std::vector<ExerciseCase> all;
  for (const Product& product : products) {
    const auto [m, n, k] = product.shape;
    all.push_back(make_case(product, request));
    // For each of the k terms a block needs a column of a and a row of b; the limit is twice that.
    all.back().loads = {
        .bytes = 4 * all.back().grid.count() * k * 2 * (request.block.x + request.block.y),
        .what_to_do = "Load a tile of a and a tile of b into __shared__ memory, and read both from there."};
    all.back().method.uses_shared = m >= 16 && n >= 15 && k >= 5;
  }
  return all;
}

/// Makes a case whose b may have more than 2^31 elements. Only the columns of the first and the last block are filled.
ExerciseCase ends_case(const Shape& s, const CaseRequest& request) {
  const Extents& block = request.block;
  const std::int64_t n_last = (s.n - 1) % block.x + 1;
  const std::vector<float> a = eighths(s.m * s.k, request.of(31));
  std::vector<FloatPiece> b, before;
  std::vector<double> expected(index(s.m * (block.x + n_last)));
  for (std::int64_t q = 0; q < s.k; ++q) {
    b.push_back({q * s.n, eighths(block.x, request.of(static_cast<std::uint64_t>(40 + q)))});
    b.push_back({q * s.n + s.n - n_last, eighths(n_last, request.of(static_cast<std::uint64_t>(80 + q)))});
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

/// Makes a case whose a may have more than 2^32 elements. c has one block in a row, and the rows of the first and the
/// last block are filled.
ExerciseCase tall_case(const Shape& s, const CaseRequest& request) {
  const std::int64_t n_rows = request.block.y, last = s.m - n_rows;
  const std::vector<FloatPiece> a{{0, eighths(n_rows * s.k, request.of(31))},
                                  {last * s.k, eighths(n_rows * s.k, request.of(32))}};
  const std::vector<float> b = eighths(s.k * s.n, request.of(33)), unset(index(n_rows * s.n), -1);
  std::vector<double> expected;
  for (const FloatPiece& rows : a) {
    const std::vector<double> part =
        product({n_rows, s.n, s.k}, s.k, rows.values,
                [&](std::int64_t q, std::int64_t col) { return static_cast<double>(b[index(q * s.n + col)]); });
    expected.insert(expected.end(), part.begin(), part.end());
  }
  return {.text = s.text(),
          .grid = grid_for(s, request.block),
          .block = request.block,
          .arguments = sizes({huge_input(s.m * s.k, a), input(b),
                              huge_output(s.m * s.n, std::vector<FloatPiece>{{0, unset}, {last * s.n, unset}})},
                             s),
          .check =
              [expected](const ArraysAfter& after) {
                return compare_floats("the first and the last rows: c", after[2], expected);
              },
          .ends_only = true};
}

std::vector<ExerciseCase> huge_cases(const CaseRequest& request) {
  const std::int64_t n_rows = request.block.y, width = request.block.x, k = 20;
  ExerciseCase wide = ends_case({n_rows, (1 << 28) + 5, k}, request);
  wide.rehearsal = std::make_shared<ExerciseCase>(ends_case({n_rows, 64 * width + 5, k}, request));
  const std::int64_t m = 65535 * n_rows, most = (std::int64_t{1} << 32) / m + 2;
  ExerciseCase tall = tall_case({m, width, most}, request);
  tall.rehearsal = std::make_shared<ExerciseCase>(tall_case({64 * n_rows, width, 40}, request));
  return {wide, tall};
}

Exercise exercise(const char* kernel, const char* title, const std::string& computes,
                  std::vector<ExerciseCase> (*made)(const CaseRequest&)) {
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

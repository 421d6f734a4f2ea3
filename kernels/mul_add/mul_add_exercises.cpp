// mul_add's exercise: one block, one thread per element.
#include <array>
#include <cmath>
#include <limits>

#include "workbench/lab/workload/exercise.hpp"

namespace rafter::mul_add_ladder {

namespace {

using namespace lab;

enum class Numbers { eighths, fractions, special };

/// Returns the arrays a, b and c. The special ones have NaN, infinities and zeros, each of them next to ordinary
/// factors and next to each other.
std::array<std::vector<float>, 3> arrays(Numbers kind, std::int64_t n, const CaseRequest& request) {
  if (kind == Numbers::eighths)
    return {with_special(eighths(n, request.of(1))), eighths(n, request.of(2)), eighths(n, request.of(4))};
  std::array<std::vector<float>, 3> all{fractions(n, request.of(1)), fractions(n, request.of(2)),
                                        fractions(n, request.of(4))};
  if (kind == Numbers::fractions) return all;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float special[] = {0, -0.F, infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 1};
  constexpr std::size_t n_special = std::size(special);
  for (std::size_t i = 0; i < all[0].size(); ++i) {  // every triple of the special numbers, as far as elements suffice
    for (std::size_t k = 0, at = i; k < all.size(); ++k, at /= n_special)
      all[(k + request.seed) % 3][i] = special[at % n_special];
  }
  return all;
}

std::vector<ExerciseCase> cases(const CaseRequest& request) {
  struct Shape {
    std::int64_t n;
    Numbers numbers;
  };
  std::vector<ExerciseCase> all;
  for (const auto& [n, kind] : {Shape{request.block.x, Numbers::eighths},
                                {1, Numbers::eighths},
                                {33, Numbers::eighths},
                                {1000, Numbers::fractions},
                                {216, Numbers::special}}) {
    const auto [a, b, c] = arrays(kind, n, request);
    std::vector<Expectation> expected;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double product = static_cast<double>(a[i]) * static_cast<double>(b[i]),
                   sum = product + static_cast<double>(c[i]);
      // One rounding, or two.
      expected.push_back({sum, kind == Numbers::fractions ? 0x1.01p-24 * (std::abs(product) + std::abs(sum)) : 0});
    }
    constexpr const char* words[] = {"", " with fractions", " with NaN and infinities"};
    all.push_back(
        {.text = "n=" + std::to_string(n) + words[static_cast<int>(kind)],
         .grid = {1},
         .block = {n},
         .arguments = {unwritten(n), input(a), input(b), input(c)},
         .check = [expected](const ArraysAfter& after) { return compare_within_bounds("dest", after[0], expected); },
         .method = {.n_independent = n, .share = share_of_results(8, 12, 4, {n})}});
  }
  return all;
}

}  // namespace

std::vector<Exercise> exercises() {
  return {{.workload = "mul_add",
           .kernel = "mul_add",
           .parameters = {{"float*", "dest"}, {"const float*", "a"}, {"const float*", "b"}, {"const float*", "c"}},
           .title = "the product of two arrays and the sum with a third",
           .computes = "dest[i] = a[i] * b[i] + c[i], i = threadIdx.x",
           .promise = "All arrays have as many elements as the block has threads; dest is uninitialised.",
           .block = {128},
           .grid = "one block",
           .cases = cases,
           .ladder_case = Params{{"n", std::int64_t{128}}, {"dtype", std::string("float32")}}}};
}

}  // namespace rafter::mul_add_ladder

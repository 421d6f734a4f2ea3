// gather's exercise, `index`: an out-of-range index (including negative ones) is printed and its output left alone.
#include <fmt/format.h>

#include <bit>

#include "gather/gather_rung.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::gather_ladder {

namespace {

using namespace lab;
using FloatArgs = GatherArgs<core::BitsOf<float>, std::int64_t>;  // rungs move bits without interpreting them

struct Shape {
  std::int64_t n_from, n_indices;
  bool has_bad;  ///< some indices are out of range
};

bool is_bad(std::int64_t index, std::int64_t n_from) { return index < 0 || index >= n_from; }

/// Returns the indices. Bad ones are negative, too large, or in range only if truncated to 32 bits.
std::vector<std::int64_t> indices(const Shape& shape) {
  std::vector<std::int64_t> made;
  for (std::int64_t i = 0; i < shape.n_indices; ++i) {
    const std::int64_t good = random_below(5, i, shape.n_from);
    const std::int64_t bad[] = {-1 - i, shape.n_from + i, good + (std::int64_t{1} << 32), shape.n_from};
    made.push_back(shape.has_bad && i % 25 == 3 ? bad[i / 25 % 4] : good);
  }
  return made;
}

/// Whether a text contains the number, not as part of a longer one.
bool has_number(const std::string& text, std::int64_t number) {
  const std::string digits = std::to_string(number);
  const auto is_part = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  for (std::size_t at = text.find(digits); at != std::string::npos; at = text.find(digits, at + 1)) {
    if (!is_part(at + digits.size()) && (at == 0 || !is_part(at - 1))) return true;
  }
  return false;
}

/// Checks that every bad index was printed, by its value or by its position.
std::string check_printed(const std::vector<std::int64_t>& at, std::int64_t n_from, const std::string& printed) {
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (!is_bad(at[i], n_from) || has_number(printed, at[i]) || has_number(printed, static_cast<std::int64_t>(i)))
      continue;
    const bool silent = printed.find_first_not_of(" \n") == std::string::npos;
    return fmt::format("b[{}] = {} is out of range, and {}", i, at[i],
                       silent ? "nothing was printed" : "what was printed does not name it");
  }
  return "";
}

std::string check(const std::vector<std::int64_t>& at, std::span<const float> expected, std::int64_t n_from,
                  std::span<const float> now) {
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (bits(now[i]) == bits(expected[i])) continue;
    if (is_bad(at[i], n_from))
      return fmt::format("dest[{0}] was written, but b[{0}] = {1} is out of range: leave such elements alone", i,
                         at[i]);
    if (now[i] == 99)
      return fmt::format(
          "dest[{0}] was never written: it still holds its initial value, and b[{0}] = {1} is in "
          "range",
          i, at[i]);
    return fmt::format("dest[{0}]: expected a[b[{0}]] = a[{1}] = {2}, got {3}", i, at[i], expected[i], now[i]);
  }
  return "";
}

ExerciseCase make_case(const Shape& shape, const Extents& block) {
  const std::vector<float> from = with_special(eighths(shape.n_from, 11));
  const std::vector<std::int64_t> at = indices(shape);
  std::vector<float> expected;
  for (const std::int64_t i : at) expected.push_back(is_bad(i, shape.n_from) ? 99 : from[static_cast<std::size_t>(i)]);
  return {.text = fmt::format("aSize={} bSize={}{}", shape.n_from, shape.n_indices,
                              shape.has_bad ? ", some out of range" : ""),
          .grid = blocks_for(shape.n_indices, block.x),
          .block = block,
          .arguments = {output(std::vector<float>(at.size(), 99)), input(from), input(at), scalar(shape.n_from),
                        scalar(shape.n_indices)},
          .check = [=](const ArraysAfter& after) { return check(at, expected, shape.n_from, floats(after[0])); },
          .check_printed = [=](const std::string& printed) { return check_printed(at, shape.n_from, printed); }};
}

std::vector<ExerciseCase> cases(const Extents& block) {
  std::vector<ExerciseCase> all;
  for (const Shape& shape :
       {Shape{10, 100, false}, {10, 100, true}, {1, 1, false}, {100, 511, false}, {7, 513, true}, {5000, 3000, true}})
    all.push_back(make_case(shape, block));
  return all;
}

/// A table with more elements than 32 bits can count; the indices select a few of them, far apart.
std::vector<ExerciseCase> huge_exercise_cases(const Extents& block) {
  constexpr std::int64_t n_from = (std::int64_t{1} << 32) + 100;
  const std::vector<std::int64_t> at{0, 5, 1 << 20, (1LL << 31) - 1, 1LL << 31, (1LL << 32) + 5, n_from - 1};
  std::vector<FloatPiece> from;
  std::vector<float> expected;
  for (const std::int64_t i : at) {
    expected.push_back(static_cast<float>(expected.size()) + 0.5F);
    from.push_back({i, {expected.back()}});
  }
  return {{.text = fmt::format("aSize={} bSize={}", n_from, at.size()),
           .grid = blocks_for(std::ssize(at), block.x),
           .block = block,
           .arguments = {output(std::vector<float>(at.size(), 99)), huge_input(n_from, from), input(at), scalar(n_from),
                         scalar(std::ssize(at))},
           .check = [=](const ArraysAfter& after) { return check(at, expected, n_from, floats(after[0])); }}};
}

/// The case of the ladder: all indices are good, and the ladder's rungs check them, too.
Params zeroing(std::int64_t n_table, std::int64_t n) {
  return {{"table", n_table}, {"n", n}, {"index", std::string("int64")}, {"bounds", std::string("zero")}};
}

std::any rung(const std::shared_ptr<const LearnerKernel>& kernel) {
  return RungFunction<FloatArgs>([kernel](const Stream& stream, const FloatArgs& args) {
    const std::int64_t n_table = std::ssize(args.table);
    const std::int64_t n = std::ssize(args.indices);
    const KernelValue values[] = {args.out.data(), args.table.data(), args.indices.data(), n_table, n};
    kernel->launch(stream, blocks_for(n, kernel->block().x), kernel->block(), values);
  });
}

}  // namespace

std::vector<Exercise> exercises() {
  return {{.workload = "gather",
           .kernel = "index",
           .parameters = {{"float*", "dest"},
                          {"const float*", "a"},
                          {"const int64_t*", "b"},
                          {"int64_t", "aSize"},
                          {"int64_t", "bSize"}},
           .title = "elements by index, where indices may be out of range",
           .computes = "dest[i] = a[b[i]] for i < bSize; where b[i] is out of range: print it, leave dest[i] alone",
           .promise = "Indices may be negative or too large; dest holds other numbers before.",
           .block = {512},
           .grid = "bSize / 512 blocks, rounded up",
           .cases = cases,
           .huge_cases = huge_exercise_cases,
           .ladder_case = zeroing(10, 100),
           .timed_case = zeroing(std::int64_t{1} << 24, std::int64_t{1} << 26),
           .as_rung = rung}};
}

}  // namespace rafter::gather_ladder

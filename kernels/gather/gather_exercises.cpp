// gather's exercise, `index`: an out-of-range index (including negative ones) is printed and its output left alone.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "gather/gather_rung.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/workload/exercise.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::gather_ladder {

namespace {

using namespace lab;
using FloatArgs = GatherArgs<core::BitsOf<float>, std::int64_t>;  // rungs move bits without interpreting them

constexpr float usual = 99;  ///< what dest holds before

struct Shape {
  std::int64_t n_from, n_indices;
  bool has_bad;  ///< some indices are out of range
  float before = usual;
};

bool is_bad(std::int64_t index, std::int64_t n_from) { return index < 0 || index >= n_from; }

/// Returns the indices. Bad ones are negative, too large, the extremes of 64 bits, or in range only if truncated to 32
/// bits.
std::vector<std::int64_t> indices(const Shape& shape, const CaseRequest& request) {
  constexpr std::int64_t two_to_32 = std::int64_t{1} << 32;
  std::vector<std::int64_t> made;
  for (std::int64_t i = 0; i < shape.n_indices; ++i) {
    const std::int64_t good = random_below(request.of(5), i, std::max<std::int64_t>(shape.n_from, 1));
    const std::int64_t bad[] = {-1 - i,
                                shape.n_from + i,
                                good + two_to_32,
                                shape.n_from,
                                good - two_to_32,
                                std::numeric_limits<std::int64_t>::min(),
                                std::numeric_limits<std::int64_t>::max(),
                                -1,
                                good + 5 * two_to_32};
    made.push_back(shape.has_bad && (i % 25 == 3 || shape.n_from == 0) ? bad[i / 25 % 9] : good);
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
  const auto n_bad = std::count_if(at.begin(), at.end(), [&](std::int64_t i) { return is_bad(i, n_from); });
  const auto n_lines = std::count(printed.begin(), printed.end(), '\n');
  constexpr std::int64_t n_few = 50;  // lines that may be about anything
  if (n_lines > 2 * n_bad + n_few)
    return fmt::format("{} indices are out of range, but {} lines were printed: print no others", n_bad, n_lines);
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
                  std::span<const float> now, float before) {
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (bits(now[i]) == bits(expected[i])) continue;
    if (is_bad(at[i], n_from))
      return fmt::format("dest[{0}] was written, but b[{0}] = {1} is out of range: leave such elements alone", i,
                         at[i]);
    if (bits(now[i]) == bits(before))
      return fmt::format(
          "dest[{0}] was never written: it still holds its initial value, and b[{0}] = {1} is in "
          "range",
          i, at[i]);
    return fmt::format("dest[{0}]: expected a[b[{0}]] = a[{1}] = {2}, got {3}", i, at[i], expected[i], now[i]);
  }
  return "";
}

ExerciseCase make_case(const Shape& shape, const CaseRequest& request) {
  const std::vector<float> from = with_special(eighths(shape.n_from, request.of(11)));
  const std::vector<std::int64_t> at = indices(shape, request);
  std::vector<float> expected;
  for (const std::int64_t i : at)
    expected.push_back(is_bad(i, shape.n_from) ? shape.before : from[static_cast<std::size_t>(i)]);
  return {
      .text = fmt::format("aSize={} bSize={}{}{}", shape.n_from, shape.n_indices,
                          shape.has_bad ? ", some out of range" : "",
                          std::isnan(shape.before) ? ", NaN in dest"
                          : shape.before == 0      ? ", -0 in dest"
                                                   : ""),
      .grid = blocks_for(shape.n_indices, request.block.x),
      .block = request.block,
      .arguments = {output(std::vector<float>(at.size(), shape.before)), input(from), input(at), scalar(shape.n_from),
                    scalar(shape.n_indices)},
      .check =
          [=](const ArraysAfter& after) { return check(at, expected, shape.n_from, floats(after[0]), shape.before); },
      .check_printed = [=](const std::string& printed) { return check_printed(at, shape.n_from, printed); },
      .method = {.n_independent = shape.n_indices, .share = share_of_results(64, 16, 4, request.block)}};
}

std::vector<ExerciseCase> cases(const CaseRequest& request) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<ExerciseCase> all;
  for (const Shape& shape : {Shape{10, 100, false},
                             {10, 100, true},
                             {1, 1, false},
                             {100, 511, false},
                             {7, 513, true},
                             {5000, 3000, true},
                             {10, 0, false},
                             {0, 120, true},
                             {40, 700, true, nan},
                             {40, 600, true, -0.F}})
    all.push_back(make_case(shape, request));
  return all;
}

constexpr std::int64_t two_to_32 = std::int64_t{1} << 32;

/// A table with more elements than 32 bits can count; the indices select a few of them, far apart.
ExerciseCase huge_table(const CaseRequest& request) {
  constexpr std::int64_t n_from = two_to_32 + 100;
  const std::vector<std::int64_t> at{0, 5, 1 << 20, two_to_32 / 2 - 1, two_to_32 / 2, two_to_32 + 5, n_from - 1};
  const std::vector<float> expected = eighths(std::ssize(at), request.of(13));
  std::vector<FloatPiece> from;
  for (std::size_t i = 0; i < at.size(); ++i) from.push_back({at[i], {expected[i]}});
  return {.text = fmt::format("aSize={} bSize={}", n_from, at.size()),
          .grid = blocks_for(std::ssize(at), request.block.x),
          .block = request.block,
          .arguments = {output(std::vector<float>(at.size(), usual)), huge_input(n_from, from), input(at),
                        scalar(n_from), scalar(std::ssize(at))},
          .check = [=](const ArraysAfter& after) { return check(at, expected, n_from, floats(after[0]), usual); }};
}

/// More indices than 32 bits can count, of which the first and the last block have other values than 0.
ExerciseCase many_indices(std::int64_t n, const CaseRequest& request, std::int64_t n_each) {
  const std::vector<float> from = eighths(50, request.of(11));
  const std::int64_t n_block = request.block.x * n_each, n_last = (n - 1) % n_block + 1;
  std::vector<HugePiece<std::int64_t>> at;
  std::vector<FloatPiece> before;
  std::vector<float> expected;
  for (const auto& [first, size] : {std::pair(std::int64_t{0}, n_block), std::pair(n - n_last, n_last)}) {
    at.push_back({first, {}});
    before.push_back({first, std::vector<float>(static_cast<std::size_t>(size), usual)});
    for (std::int64_t i = 0; i < size; ++i) {
      at.back().values.push_back(random_below(request.of(5), first + i, std::ssize(from)));
      expected.push_back(from[static_cast<std::size_t>(at.back().values.back())]);
    }
  }
  return {.text = fmt::format("aSize={} bSize={}", from.size(), n),
          .grid = blocks_for(n, n_block),
          .block = request.block,
          .arguments = {huge_output(n, before), input(from), huge_input(n, at), scalar(std::ssize(from)), scalar(n)},
          .check =
              [expected](const ArraysAfter& after) {
                return compare_moved("the first and the last elements: dest", after[0], expected);
              },
          .ends_only = true};
}

std::vector<ExerciseCase> huge_exercise_cases(const CaseRequest& request) {
  std::shared_ptr<const ExerciseCase> widest;
  for (const std::int64_t n_each : {16, 8, 4, 2, 1}) {
    ExerciseCase huge = many_indices(two_to_32 + 700, request, n_each);
    huge.rehearsal = std::make_shared<ExerciseCase>(many_indices(64 * request.block.x * n_each + 7, request, n_each));
    huge.wider = widest;
    widest = std::make_shared<ExerciseCase>(huge);
  }
  return {huge_table(request), *widest};
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
  return {
      {.workload = "gather",
       .kernel = "index",
       .parameters = {{"float*", "dest"},
                      {"const float*", "a"},
                      {"const int64_t*", "b"},
                      {"int64_t", "aSize"},
                      {"int64_t", "bSize"}},
       .title = "elements by index, where indices may be out of range",
       .computes = "dest[i] = a[b[i]] for i < bSize; where b[i] is out of range: print it, leave dest[i] alone",
       .promise = "Indices may be negative or too large, as any number of 64 bits; dest holds other numbers before.",
       .block = {512},
       .grid = "bSize / 512 blocks, rounded up",
       .cases = cases,
       .huge_cases = huge_exercise_cases,
       .ladder_case = zeroing(10, 100),
       .timed_case = zeroing(std::int64_t{1} << 24, std::int64_t{1} << 26),
       .as_rung = rung}};
}

}  // namespace rafter::gather_ladder

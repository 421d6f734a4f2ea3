#include "workbench/lab/workload/exercise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>

#include "workbench/lab/data/generate.hpp"

namespace rafter::lab {

namespace {

template <class T>
std::vector<std::byte> bytes_of(std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

template <class T>
std::vector<T> elements(std::span<const std::byte> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

template <class T>
ExerciseArgument number(const char* type, T value) {
  return {ArgumentRole::scalar, type, bytes_of(std::span<const T>(&value, 1))};
}

template <class T>
ExerciseArgument huge(ArgumentRole role, std::int64_t n_elements, const std::vector<HugePiece<T>>& pieces) {
  constexpr std::int64_t size = sizeof(T);
  ExerciseArgument made{.role = role, .type = std::is_same_v<T, float> ? "f32" : size == 2 ? "f16" : "i64"};
  made.huge_bytes = n_elements * size;
  for (const HugePiece<T>& piece : pieces) {
    const auto bytes = std::as_bytes(std::span(piece.values));
    made.bytes.insert(made.bytes.end(), bytes.begin(), bytes.end());
    made.pieces.push_back({piece.first * size, std::ssize(bytes)});
  }
  return made;
}

std::string range(const std::string& name, std::size_t first, std::size_t last) {
  return first == last ? fmt::format("{}[{}]", name, first) : fmt::format("{}[{}..{}]", name, first, last);
}

template <class T>
bool are_whole(std::span<const T> values) {
  const bool are_zero = std::all_of(values.begin(), values.end(), [](T x) { return x == 0; });
  return !are_zero &&
         std::all_of(values.begin(), values.end(), [](T x) { return !(std::abs(x) < T{1e9}) || x == std::trunc(x); });
}

/// Describes the wrong elements of an array, or returns "". Unwritten elements are wrong and are named as such.
std::string describe_wrong(const std::string& name, std::span<const float> actual, std::span<const double> expected,
                           const std::function<bool(std::size_t)>& is_right) {
  std::size_t n_wrong = 0, first = 0, n_unwritten = 0, first_unwritten = 0, last_unwritten = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const bool unwritten = is_unwritten(actual[i]);
    if (!unwritten && is_right(i)) continue;
    if (n_wrong++ == 0) first = i;
    if (!unwritten) continue;
    if (n_unwritten++ == 0) first_unwritten = i;
    last_unwritten = i;
  }
  if (n_wrong == 0) return "";
  std::string text;
  if (n_unwritten > 0) {
    const bool together = last_unwritten - first_unwritten + 1 == n_unwritten;
    text = together ? fmt::format("{} {} never written", range(name, first_unwritten, last_unwritten),
                                  n_unwritten == 1 ? "was" : "were")
                    : fmt::format("{} of the {} elements of {} were never written, the first is {}[{}]", n_unwritten,
                                  actual.size(), name, name, first_unwritten);
    text += n_unwritten == 1 ? ": it still holds its initial value" : ": they still hold their initial values";
    if (n_unwritten == n_wrong) return text;
    text += "; ";
    while (is_unwritten(actual[first]) || is_right(first)) ++first;
  }
  text += fmt::format("{}[{}]: expected {}, got {}", name, first, static_cast<float>(expected[first]), actual[first]);
  if (actual.size() > 1) text += fmt::format(" ({} of {} elements are wrong)", n_wrong - n_unwritten, actual.size());
  constexpr std::size_t no_accident = 8;  // this many elements are not all integers by chance
  const bool is_cut = actual.size() >= no_accident && are_whole(actual) && !are_whole(expected);
  return text + (is_cut ? "; all results are whole numbers: is a value converted to int?" : "");
}

}  // namespace

std::int64_t element_bytes(const std::string& type) {
  const std::size_t digits = type.find_first_of("0123456789");
  return digits == std::string::npos ? 1 : std::max(8, std::atoi(type.c_str() + digits)) / 8;
}

std::string Extents::text() const {
  if (z > 1) return fmt::format("{} x {} x {}", x, y, z);
  return y > 1 ? fmt::format("{} x {}", x, y) : fmt::format("{}", x);
}

std::string Exercise::signature() const {
  std::string text = kernel + "(";
  for (const auto& [type, name] : parameters) text += (text.ends_with("(") ? "" : ", ") + type + " " + name;
  return text + ")";
}

ExerciseArgument input(std::span<const float> values) { return {ArgumentRole::input, "f32", bytes_of(values)}; }
ExerciseArgument input(std::span<const std::int64_t> values) { return {ArgumentRole::input, "i64", bytes_of(values)}; }
ExerciseArgument unwritten(std::int64_t n_floats) {
  return {ArgumentRole::output, "f32", std::vector(static_cast<std::size_t>(n_floats) * 4, std::byte{0xff}), false};
}
ExerciseArgument input(std::span<const Half> values) { return {ArgumentRole::input, "f16", bytes_of(values)}; }
ExerciseArgument unwritten_halves(std::int64_t n) {
  return {ArgumentRole::output, "f16", std::vector(static_cast<std::size_t>(n) * 2, std::byte{0xff}), false};
}
ExerciseArgument output(std::span<const float> values) { return {ArgumentRole::output, "f32", bytes_of(values)}; }
ExerciseArgument output(std::span<const std::int32_t> values) {
  return {ArgumentRole::output, "i32", bytes_of(values)};
}
ExerciseArgument scalar(std::int64_t value) { return number("i64", value); }
ExerciseArgument scalar_i32(std::int64_t value) { return number("i32", static_cast<std::int32_t>(value)); }
ExerciseArgument scalar(float value) { return number("f32", value); }

bool is_unwritten(float value) { return std::bit_cast<std::uint32_t>(value) == 0xffffffff; }

template <class T>
std::vector<T> elements_in(std::span<const std::byte> bytes) {
  return elements<T>(bytes);
}
template std::vector<float> elements_in(std::span<const std::byte>);
template std::vector<Half> elements_in(std::span<const std::byte>);
template std::vector<std::int32_t> elements_in(std::span<const std::byte>);

std::vector<float> floats(std::span<const std::byte> bytes) { return elements<float>(bytes); }
std::vector<Half> halves(std::span<const std::byte> bytes) { return elements<Half>(bytes); }
std::vector<std::int32_t> ints(std::span<const std::byte> bytes) { return elements<std::int32_t>(bytes); }

template <class T>
ExerciseArgument huge_input(std::int64_t n_elements, const std::vector<HugePiece<T>>& pieces) {
  return huge(ArgumentRole::input, n_elements, pieces);
}
template <class T>
ExerciseArgument huge_output(std::int64_t n_elements, const std::vector<HugePiece<T>>& pieces) {
  return huge(ArgumentRole::output, n_elements, pieces);
}
template ExerciseArgument huge_input(std::int64_t, const std::vector<HugePiece<float>>&);
template ExerciseArgument huge_input(std::int64_t, const std::vector<HugePiece<Half>>&);
template ExerciseArgument huge_input(std::int64_t, const std::vector<HugePiece<std::int64_t>>&);
template ExerciseArgument huge_output(std::int64_t, const std::vector<HugePiece<float>>&);
template ExerciseArgument huge_output(std::int64_t, const std::vector<HugePiece<Half>>&);

std::vector<float> eighths(std::int64_t n, std::uint64_t seed) {
  const Generator whole{Generator::Kind::whole, seed};
  std::vector<float> values(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
    values[static_cast<std::size_t>(i)] =
        static_cast<float>(whole(i)) + static_cast<float>(random_below(seed + 1, i, 8)) / 8;
  return values;
}

std::vector<float> fractions(std::int64_t n, std::uint64_t seed) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t bits = random_bits(seed, i);
    const float size = std::bit_cast<float>(static_cast<std::uint32_t>(bits & 0x7fffff) | 0x3f800000u);  // [1, 2)
    const int exponent = static_cast<int>(bits >> 24 & 0xff) % 13 - 6;
    values.push_back(std::ldexp((bits >> 32 & 1) != 0 ? size : -size, exponent));
  }
  return values;
}

Expectation sum_of(std::span<const float> values) {
  Expectation sum;
  for (const float x : values) {
    sum.value += static_cast<double>(x);
    sum.bound += std::abs(static_cast<double>(x));
  }
  sum.bound *= static_cast<double>(values.size()) * 0x1p-24;
  return sum;
}

std::vector<float> with_special(std::vector<float> values) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::bit_cast<float>(0x7fc01234U);  // a payload, which a move preserves
  const float special[] = {-0.F, nan, infinity, -infinity, 1e-40F};
  for (std::size_t i = 0; i < std::size(special) && 7 * i + 3 < values.size(); ++i) values[7 * i + 3] = special[i];
  return values;
}

std::string compare_floats(const std::string& name, std::span<const std::byte> after,
                           std::span<const double> expected) {
  std::vector<Expectation> answers;
  for (const double value : expected) answers.push_back({value, 0});
  return compare_within_bounds(name, after, answers);
}

std::string compare_within_bounds(const std::string& name, std::span<const std::byte> after,
                                  std::span<const Expectation> expected) {
  const std::vector<float> actual = floats(after);
  std::vector<double> values;
  for (const Expectation& one : expected) values.push_back(one.value);
  return describe_wrong(name, actual, values, [&](std::size_t i) {
    return share_of_bound(static_cast<double>(actual[i]), expected[i]) <= 1;
  });
}

std::string compare_halves(const std::string& name, std::span<const std::byte> after, std::span<const Half> expected) {
  std::vector<float> actual;
  std::vector<double> values;
  for (const Half x : halves(after)) {  // keeps the pattern of unwritten elements
    actual.push_back(x.bits == 0xffff ? std::bit_cast<float>(0xffffffffu) : static_cast<float>(x));
  }
  for (const Half x : expected) values.push_back(static_cast<double>(x));
  return describe_wrong(name, actual, values, [&](std::size_t i) {
    return share_of_bound(static_cast<double>(actual[i]), {values[i], 0}) <= 1;
  });
}

std::string compare_moved(const std::string& name, std::span<const std::byte> after, std::span<const float> expected) {
  const std::vector<float> actual = floats(after);
  const std::vector<double> values(expected.begin(), expected.end());
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  return describe_wrong(name, actual, values, [&](std::size_t i) { return bits(actual[i]) == bits(expected[i]); });
}

ThreadShare share_of_loads(std::int64_t n, std::int64_t bytes, const Extents& grid, const Extents& block) {
  constexpr std::int64_t n_warp = 32, n_few = 512, fewest_threads = 64;
  if (block.count() < n_warp || n < n_few) return {};
  const std::int64_t most = std::max(block.count() / 4, fewest_threads * n / (grid.count() * block.count()));
  return {.global_loads = most * bytes, .shared_loads = 2 * most * bytes};
}

ThreadShare share_of_results(std::int64_t n_most, std::int64_t bytes_loaded, std::int64_t bytes_stored,
                             const Extents& block) {
  constexpr std::int64_t n_warp = 32;
  if (block.count() < n_warp) return {};
  return {.global_loads = n_most * bytes_loaded, .global_stores = n_most * bytes_stored};
}

Extents blocks_for(std::int64_t n, std::int64_t per_block) {
  return {std::max<std::int64_t>(1, (n + per_block - 1) / per_block)};
}

}  // namespace rafter::lab

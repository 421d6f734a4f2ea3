#include "lab/workload/exercise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "lab/data/generate.hpp"

namespace rafter::lab {

namespace {

constexpr double course_tolerance = 1e-4;  // of each expected value

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

bool is_pattern(const float& value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits == 0xffffffff;  // a NaN that no arithmetic gives
}

std::string range(const std::string& name, std::size_t first, std::size_t last) {
  return first == last ? fmt::format("{}[{}]", name, first) : fmt::format("{}[{}..{}]", name, first, last);
}

}  // namespace

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
ExerciseArgument output(std::span<const float> values) { return {ArgumentRole::output, "f32", bytes_of(values)}; }
ExerciseArgument output(std::span<const std::int32_t> values) {
  return {ArgumentRole::output, "i32", bytes_of(values)};
}
ExerciseArgument scalar(std::int64_t value) { return number("i64", value); }
ExerciseArgument scalar_i32(std::int64_t value) { return number("i32", static_cast<std::int32_t>(value)); }
ExerciseArgument scalar(float value) { return number("f32", value); }

std::vector<float> floats(std::span<const std::byte> bytes) { return elements<float>(bytes); }
std::vector<std::int32_t> ints(std::span<const std::byte> bytes) { return elements<std::int32_t>(bytes); }

std::vector<float> whole_numbers(std::int64_t n, std::uint64_t seed) {
  const Generator generator{Generator::Kind::whole, seed};
  std::vector<float> values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(generator(static_cast<std::int64_t>(i)));
  return values;
}

std::string compare_floats(const std::string& name, std::span<const std::byte> after,
                           std::span<const double> expected) {
  std::vector<Expectation> answers;
  for (const double value : expected) answers.push_back({value, course_tolerance * std::abs(value)});
  return compare_within_bounds(name, after, answers);
}

std::string compare_within_bounds(const std::string& name, std::span<const std::byte> after,
                                  std::span<const Expectation> expected) {
  const std::vector<float> actual = floats(after);
  const auto is_right = [&](std::size_t i) { return share_of_bound(static_cast<double>(actual[i]), expected[i]) <= 1; };
  std::size_t n_wrong = 0, first = 0, n_unwritten = 0, first_unwritten = 0, last_unwritten = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (is_right(i)) continue;
    if (n_wrong++ == 0) first = i;
    if (!is_pattern(actual[i])) continue;
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
    text += n_unwritten == 1 ? ": it still holds what was there before" : ": they still hold what was there before";
    if (n_unwritten == n_wrong) return text;
    text += "; ";
    while (is_pattern(actual[first]) || is_right(first)) ++first;
  }
  text += fmt::format("{}[{}]: expected {:g}, got {:g}", name, first, expected[first].value, actual[first]);
  if (actual.size() > 1) text += fmt::format(" ({} of {} elements are wrong)", n_wrong - n_unwritten, actual.size());
  return text;
}

Extents blocks_for(std::int64_t n, std::int64_t per_block) {
  return {std::max<std::int64_t>(1, (n + per_block - 1) / per_block)};
}

}  // namespace rafter::lab

// Holds an output against its reference, element by element.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace rafter::lab {

/// One element that is not what it should be.
struct Mismatch {
  std::int64_t index = -1;
  double actual = 0;
  double expected = 0;
  double bound = 0;
};

struct Comparison {
  std::int64_t n_compared = 0;
  std::int64_t n_wrong = 0;
  Mismatch first;          ///< of the wrong ones, by index
  Mismatch worst;          ///< of the wrong ones, by error over bound; NaN is worse than any number
  double worst_share = 0;  ///< the largest error over its bound among the right ones
  std::string complaint;   ///< what else is wrong: a damaged guard zone, a changed input, nothing compared

  /// Takes in what was found in a part that comes after those it has seen.
  void add(const Comparison& later);

  bool ok() const noexcept { return n_wrong == 0 && complaint.empty() && n_compared > 0; }
  /// One sentence for people: "3 of 1000 wrong, first at [17]: ..." or "1000 right, at most 0.3 of the bound".
  std::string text() const;
};

/// Compares `actual` with `expected`; |actual - expected| must not exceed bound(index).
///
/// Written so that NaN fails: where NaN is expected it must come, and an expected infinity must come with its sign.
/// An empty comparison is not ok: nothing was checked.
/// Elements are float, double, int32 or int64. `first` is the index of actual[0] where only a part is compared.
template <class T>
Comparison compare(std::span<const T> actual, std::span<const double> expected,
                   const std::function<double(std::int64_t)>& bound, std::int64_t first = 0);

/// What an element should be, and how far from it it may be.
struct Expectation {
  double value = 0;
  double bound = 0;
};

/// As compare(), with `expected(index)`, an Expectation, asked for each element; large arrays by all threads.
template <class T, class Expected>
Comparison compare_near(std::span<const T> actual, const Expected& expected);

/// Compares every element with `expected(index)`, a T of any kind, which must have come bit by bit (any NaN for a NaN).
/// Large arrays are compared by all threads.
template <class T, class Expected>
Comparison compare_equal(std::span<const T> actual, const Expected& expected);

/// For outputs that have no elements: nothing to compare, and that is right.
Comparison nothing_to_compare();

/// An element as a number that can be shown: itself, or its first bytes.
template <class T>
double shown_number(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(value);
  } else {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, std::min(sizeof value, sizeof bits));
    return static_cast<double>(bits);
  }
}

template <class T>
bool is_same_element(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a && b != b) return true;
  }
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T, class Expected>
Comparison compare_near(std::span<const T> actual, const Expected& expected) {
  constexpr std::int64_t part_elements = 65536;
  const std::int64_t n = std::ssize(actual);
  const std::int64_t n_parts = std::max((n + part_elements - 1) / part_elements, std::int64_t{1});
  std::vector<Comparison> parts(static_cast<std::size_t>(n_parts));
#pragma omp parallel for schedule(dynamic) if (n_parts > 1)
  for (std::int64_t part = 0; part < n_parts; ++part) {
    const std::int64_t first = part * part_elements;
    const auto count = static_cast<std::size_t>(std::min(part_elements, n - first));
    std::vector<double> values(count);
    std::vector<double> bounds(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Expectation here = expected(first + static_cast<std::int64_t>(i));
      values[i] = here.value;
      bounds[i] = here.bound;
    }
    parts[static_cast<std::size_t>(part)] = compare<T>(
        actual.subspan(static_cast<std::size_t>(first), count), values,
        [&](std::int64_t index) { return bounds[static_cast<std::size_t>(index - first)]; }, first);
  }
  Comparison result = std::move(parts.front());
  for (std::size_t part = 1; part < parts.size(); ++part) result.add(parts[part]);
  return result;
}

template <class T, class Expected>
Comparison compare_equal(std::span<const T> actual, const Expected& expected) {
  const std::int64_t n = std::ssize(actual);
  std::int64_t n_wrong = 0;
  std::int64_t first = n;
#pragma omp parallel for schedule(static) reduction(+ : n_wrong) reduction(min : first) if (n > 65536)
  for (std::int64_t i = 0; i < n; ++i) {
    if (is_same_element<T>(actual[static_cast<std::size_t>(i)], expected(i))) continue;
    ++n_wrong;
    first = std::min(first, i);
  }
  Comparison result{.n_compared = n, .n_wrong = n_wrong, .first = {}, .worst = {}, .complaint = {}};
  if (n_wrong > 0) {
    result.first = {first, shown_number(actual[static_cast<std::size_t>(first)]), shown_number<T>(expected(first)), 0};
    result.worst = result.first;
  }
  if (n == 0) result.complaint = "nothing was compared";
  return result;
}

}  // namespace rafter::lab

// Compares an output with its reference, element by element.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include "workbench/lab/data/parallel.hpp"

namespace rafter::lab {

/// One element that differs from its expected value by more than its bound.
struct Mismatch {
  std::int64_t index = -1;
  double actual = 0;
  double expected = 0;
  double bound = 0;
};

/// The expected value of an element and the largest error allowed.
struct Expectation {
  double value = 0;
  double bound = 0;
};

/// Returns the error divided by the bound: at most 1 is correct; infinity if no bound allows the value.
///
/// NaN fails unless NaN is expected. An expected infinity must have the same sign.
constexpr double share_of_bound(double actual, const Expectation& expected) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto [value, bound] = expected;
  if (value != value) return actual != actual ? 0 : infinity;
  if (value == infinity || value == -infinity) return actual == value ? 0 : infinity;
  const double error = actual < value ? value - actual : actual - value;
  if (!(error < infinity)) return infinity;  // no bound allows an infinity where a number belongs
  if (bound > 0) return error / bound;
  return error == 0 && bound == 0 ? 0 : infinity;
}

/// The result of comparing some elements.
struct Tally {
  std::int64_t n_compared = 0;
  std::int64_t n_wrong = 0;
  Mismatch first{};        ///< the wrong element with the smallest index
  Mismatch worst{};        ///< the wrong element with the largest error over bound; NaN is worse than any number
  double worst_share = 0;  ///< the largest error over bound among the correct elements

  /// Adds an element with an error of `share` times its bound.
  constexpr void take(const Mismatch& here, double share) {
    ++n_compared;
    if (share <= 1) {
      if (share > worst_share) worst_share = share;
      return;
    }
    if (n_wrong++ == 0) first = here;
    if (n_wrong == 1 || is_worse(here, share)) worst = here;
  }

  /// Adds the tally of a part that comes after the elements seen so far.
  constexpr void add(const Tally& later) {
    n_compared += later.n_compared;
    if (later.worst_share > worst_share) worst_share = later.worst_share;
    if (later.n_wrong == 0) return;
    if (n_wrong == 0) first = later.first;
    const double share = share_of_bound(later.worst.actual, {later.worst.expected, later.worst.bound});
    if (n_wrong == 0 || is_worse(later.worst, share)) worst = later.worst;
    n_wrong += later.n_wrong;
  }

 private:
  constexpr bool is_worse(const Mismatch& here, double share) const {
    const double before = share_of_bound(worst.actual, {worst.expected, worst.bound});
    return share > before || (share == before && here.actual != here.actual && worst.actual == worst.actual);
  }
};

/// A tally, with any other problem found.
struct Comparison : Tally {
  std::string complaint;  ///< another problem: a damaged guard zone, a changed input, nothing compared

  Comparison() = default;
  explicit Comparison(const Tally& tally) : Tally(tally) {}

  void add(const Comparison& later);

  bool ok() const noexcept { return n_wrong == 0 && complaint.empty() && n_compared > 0; }
  /// One sentence for the user: "3 of 1000 wrong, first at [17]: ..." or "1000 correct, errors up to 0.3 of the ...".
  std::string text() const;
};

/// The comparison of an output that has no elements: ok, although nothing was compared.
Comparison nothing_to_compare();

/// Returns the element as a number to print: its value, or its first bytes.
template <class T>
constexpr double shown_number(const T& value) {
  if constexpr (std::is_constructible_v<double, T>) {
    return static_cast<double>(value);
  } else {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value < sizeof bits ? sizeof value : sizeof bits);
    return static_cast<double>(bits);
  }
}

template <class T>
constexpr bool has_same_bits(const T& a, const T& b) {
  using Word = std::conditional_t<sizeof(T) % 8 == 0, std::uint64_t,
                                  std::conditional_t<sizeof(T) % 4 == 0, std::uint32_t, unsigned char>>;
  using Words = std::array<Word, sizeof(T) / sizeof(Word)>;
  const Words x = std::bit_cast<Words>(a);
  const Words y = std::bit_cast<Words>(b);
  for (std::size_t i = 0; i < x.size(); ++i) {  // std::array's == calls functions that device code lacks
    if (x[i] != y[i]) return false;
  }
  return true;
}

/// Whether the two have the same bits or are both NaN.
template <class T>
constexpr bool is_same_element(const T& a, const T& b) {
  if constexpr (std::is_constructible_v<double, T>) {
    const auto x = static_cast<double>(a);
    const auto y = static_cast<double>(b);
    if (x != x && y != y) return true;
  }
  return has_same_bits(a, b);
}

/// Adds an element that must equal `expected` bit by bit (any NaN matches a NaN).
template <class T>
constexpr void compare_element(Tally& tally, std::int64_t index, const T& actual, const T& expected) {
  if (is_same_element<T>(actual, expected)) return tally.take({}, 0);
  tally.take({index, shown_number(actual), shown_number(expected), 0}, std::numeric_limits<double>::infinity());
}

/// Adds an element that must be within `expected.bound` of `expected.value`.
template <class T>
constexpr void compare_element(Tally& tally, std::int64_t index, const T& actual, const Expectation& expected) {
  const auto value = static_cast<double>(actual);
  tally.take({index, value, expected.value, expected.bound}, share_of_bound(value, expected));
}

/// Reads expectations that were stored in the memory where results are compared.
struct KeptExpectation {
  static constexpr bool has_device_code = true;
  const Expectation* expectations;
  constexpr Expectation operator()(std::int64_t i) const { return expectations[i]; }
};

/// Stores the value of `expected(i)`, so that it is computed once.
template <class Expected>
struct KeepExpectation {
  static constexpr bool has_device_code = DeviceFunction<Expected>;
  Expected expected;
  Expectation* expectations;
  constexpr void operator()(std::int64_t i) const { expectations[i] = expected(i); }
};

/// Compares a part of an array with `expected(index)`: an Expectation, or a T to match bit by bit.
template <class T, class Expected>
struct ComparePart {
  static constexpr bool has_device_code = DeviceFunction<Expected>;

  const T* actual;
  std::int64_t n;
  Expected expected;
  std::int64_t elements;  ///< elements per part

  constexpr Tally operator()(std::int64_t part) const {
    Tally tally;
    const std::int64_t end = (part + 1) * elements < n ? (part + 1) * elements : n;
    for (std::int64_t i = part * elements; i < end; ++i) compare_element<T>(tally, i, actual[i], expected(i));
    return tally;
  }
};

/// Returns the number of elements per part. A GPU has one thread per part, so parts are small enough to use all of its
/// threads.
inline std::int64_t elements_of_part(const Stream& stream, std::int64_t n) {
  constexpr std::int64_t most = 4096, n_gpu_threads = 1 << 18;
  return stream.device() == Device::cuda ? std::clamp<std::int64_t>(n / n_gpu_threads, 1, most) : most;
}

/// Adds up the tallies that `tally_part` returns for all parts, which together have `n` elements.
template <class TallyPart>
Comparison compare_parts(const Stream& stream, std::int64_t n, std::int64_t n_parts, const TallyPart& tally_part) {
  Tally all;
  for (const Tally& part : map_indices(stream, n_parts, tally_part)) all.add(part);
  Comparison result(all);
  if (all.n_compared != n)
    result.complaint = std::to_string(all.n_compared) + " of " + std::to_string(n) + " elements were compared";
  return result;
}

/// Compares `n` elements in the memory of the stream's device, where `expected` can be called.
///
/// An empty comparison is not ok, because nothing was checked.
template <class T, class Expected>
Comparison compare_elements(const Stream& stream, const T* actual, std::int64_t n, const Expected& expected) {
  const std::int64_t elements = elements_of_part(stream, n);
  const std::int64_t n_parts = (n + elements - 1) / elements;
  Comparison result = compare_parts(stream, n, n_parts, ComparePart<T, Expected>{actual, n, expected, elements});
  if (n == 0) result.complaint = "nothing was compared";
  return result;
}

/// Compares elements in host memory.
template <class T, class Expected>
Comparison compare_elements(std::span<const T> actual, const Expected& expected) {
  return compare_elements(Stream::cpu(), actual.data(), std::ssize(actual), expected);
}

/// Compares with an array in host memory: |actual - expected| must not exceed bound(index).
template <class T>
Comparison compare(std::span<const T> actual, std::span<const double> expected,
                   const std::function<double(std::int64_t)>& bound) {
  if (actual.size() == expected.size()) {
    return compare_elements(actual, [&](std::int64_t i) -> Expectation {
      return {expected[static_cast<std::size_t>(i)], bound(i)};
    });
  }
  Comparison result;
  result.complaint = std::to_string(actual.size()) + " elements, expected " + std::to_string(expected.size());
  return result;
}

}  // namespace rafter::lab

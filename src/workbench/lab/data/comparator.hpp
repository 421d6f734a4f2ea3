// Holds an output against its reference, element by element.
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

/// One element that is not what it should be.
struct Mismatch {
  std::int64_t index = -1;
  double actual = 0;
  double expected = 0;
  double bound = 0;
};

/// What an element should be, and how far from it it may be.
struct Expectation {
  double value = 0;
  double bound = 0;
};

/// Error over bound: up to 1 is right; infinity for what no bound allows.
///
/// Written so that NaN fails: where NaN is expected it must come, and an expected infinity must come with its sign.
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

/// What was found in the elements compared so far.
struct Tally {
  std::int64_t n_compared = 0;
  std::int64_t n_wrong = 0;
  Mismatch first{};        ///< of the wrong ones, by index
  Mismatch worst{};        ///< of the wrong ones, by error over bound; NaN is worse than any number
  double worst_share = 0;  ///< the largest error over its bound among the right ones

  /// Takes in an element that errs by so much of its bound.
  constexpr void take(const Mismatch& here, double share) {
    ++n_compared;
    if (share <= 1) {
      if (share > worst_share) worst_share = share;
      return;
    }
    if (n_wrong++ == 0) first = here;
    if (n_wrong == 1 || is_worse(here, share)) worst = here;
  }

  /// Takes in what was found in a part that comes after those it has seen.
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

struct Comparison : Tally {
  std::string complaint;  ///< what else is wrong: a damaged guard zone, a changed input, nothing compared

  Comparison() = default;
  explicit Comparison(const Tally& tally) : Tally(tally) {}

  void add(const Comparison& later);

  bool ok() const noexcept { return n_wrong == 0 && complaint.empty() && n_compared > 0; }
  /// One sentence for people: "3 of 1000 wrong, first at [17]: ..." or "1000 right, at most 0.3 of the bound".
  std::string text() const;
};

/// For outputs that have no elements: nothing to compare, and that is right.
Comparison nothing_to_compare();

/// An element as a number that can be shown: itself, or its first bytes.
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
  for (std::size_t i = 0; i < x.size(); ++i) {  // not ==, which calls what GPUs do not have
    if (x[i] != y[i]) return false;
  }
  return true;
}

/// The same bits, or any two NaN.
template <class T>
constexpr bool is_same_element(const T& a, const T& b) {
  if constexpr (std::is_constructible_v<double, T>) {
    const auto x = static_cast<double>(a);
    const auto y = static_cast<double>(b);
    if (x != x && y != y) return true;
  }
  return has_same_bits(a, b);
}

/// Takes in an element that must be a T of any kind, bit by bit (any NaN for a NaN).
template <class T>
constexpr void compare_element(Tally& tally, std::int64_t index, const T& actual, const T& expected) {
  if (is_same_element<T>(actual, expected)) return tally.take({}, 0);
  tally.take({index, shown_number(actual), shown_number(expected), 0}, std::numeric_limits<double>::infinity());
}

/// Takes in an element that must be near a number.
template <class T>
constexpr void compare_element(Tally& tally, std::int64_t index, const T& actual, const Expectation& expected) {
  const auto value = static_cast<double>(actual);
  tally.take({index, value, expected.value, expected.bound}, share_of_bound(value, expected));
}

/// Expectations in the memory where results are compared.
struct KeptExpectation {
  static constexpr bool has_device_code = true;
  const Expectation* expectations;
  constexpr Expectation operator()(std::int64_t i) const { return expectations[i]; }
};

/// Asks a function of an index once.
template <class Expected>
struct KeepExpectation {
  static constexpr bool has_device_code = DeviceFunction<Expected>;
  Expected expected;
  Expectation* expectations;
  constexpr void operator()(std::int64_t i) const { expectations[i] = expected(i); }
};

/// Holds a part of an array against `expected(index)`: an Expectation, or a T that must have come.
template <class T, class Expected>
struct ComparePart {
  static constexpr bool has_device_code = DeviceFunction<Expected>;

  const T* actual;
  std::int64_t n;
  Expected expected;
  std::int64_t elements;  ///< of a part

  constexpr Tally operator()(std::int64_t part) const {
    Tally tally;
    const std::int64_t end = (part + 1) * elements < n ? (part + 1) * elements : n;
    for (std::int64_t i = part * elements; i < end; ++i) compare_element<T>(tally, i, actual[i], expected(i));
    return tally;
  }
};

/// Elements of a part: on a GPU, where each has a thread, few enough for all of its threads.
inline std::int64_t elements_of_part(const Stream& stream, std::int64_t n) {
  constexpr std::int64_t most = 4096, n_gpu_threads = 1 << 18;
  return stream.device() == Device::cuda ? std::clamp<std::int64_t>(n / n_gpu_threads, 1, most) : most;
}

/// What a function that gives the tally of a part finds in all of them, `n` elements together.
template <class TallyPart>
Comparison compare_parts(const Stream& stream, std::int64_t n, std::int64_t n_parts, const TallyPart& tally_part) {
  Tally all;
  for (const Tally& part : map_indices(stream, n_parts, tally_part)) all.add(part);
  Comparison result(all);
  if (all.n_compared != n)
    result.complaint = "of " + std::to_string(n) + " elements " + std::to_string(all.n_compared) + " were compared";
  return result;
}

/// Compares `n` elements in the memory of the stream's device, where `expected` can be asked.
///
/// An empty comparison is not ok: nothing was checked.
template <class T, class Expected>
Comparison compare_elements(const Stream& stream, const T* actual, std::int64_t n, const Expected& expected) {
  const std::int64_t elements = elements_of_part(stream, n);
  const std::int64_t n_parts = (n + elements - 1) / elements;
  Comparison result = compare_parts(stream, n, n_parts, ComparePart<T, Expected>{actual, n, expected, elements});
  if (n == 0) result.complaint = "nothing was compared";
  return result;
}

/// The same of elements in host memory.
template <class T, class Expected>
Comparison compare_elements(std::span<const T> actual, const Expected& expected) {
  return compare_elements(Stream::cpu(), actual.data(), std::ssize(actual), expected);
}

/// Against an array in host memory: |actual - expected| must not exceed bound(index).
template <class T>
Comparison compare(std::span<const T> actual, std::span<const double> expected,
                   const std::function<double(std::int64_t)>& bound) {
  if (actual.size() == expected.size()) {
    return compare_elements(actual, [&](std::int64_t i) -> Expectation {
      return {expected[static_cast<std::size_t>(i)], bound(i)};
    });
  }
  Comparison result;
  result.complaint =
      std::to_string(actual.size()) + " elements came, " + std::to_string(expected.size()) + " were expected";
  return result;
}

}  // namespace rafter::lab

// Sums over ranges of an input, as exactly as double can say: what sum, scan and their like are held against.
#pragma once

#include "lab/data/compensated_sum.hpp"
#include "lab/data/generate.hpp"

namespace rafter::lab {

/// The sum of some elements, and of their magnitudes.
struct ExactSum {
  CompensatedSum sum;
  CompensatedSum magnitude;

  constexpr void add(double x) {
    sum.add(x);
    magnitude.add(x < 0 ? -x : x);
  }
  constexpr void add(const ExactSum& other) {
    sum.add(other.sum);
    magnitude.add(other.magnitude);
  }
};

/// An input of T, in parts.
template <class T>
struct InputParts {
  static constexpr std::int64_t elements = 4096;  // of a part

  Generator in;
  std::int64_t n;

  constexpr std::int64_t count() const { return (n + elements - 1) / elements; }
  constexpr std::int64_t first(std::int64_t part) const { return part * elements; }
  constexpr std::int64_t end(std::int64_t part) const { return first(part + 1) < n ? first(part + 1) : n; }
  constexpr double element(std::int64_t i) const { return static_cast<double>(static_cast<T>(in(i))); }
};

/// The sum of a part.
template <class T>
struct SumPart {
  static constexpr bool has_device_code = true;
  InputParts<T> parts;

  constexpr ExactSum operator()(std::int64_t part) const {
    ExactSum sum;
    if (parts.in.kind == Generator::Kind::whole) return whole_sum(part);
    for (std::int64_t i = parts.first(part); i < parts.end(part); ++i) sum.add(parts.element(i));
    return sum;
  }

 private:
  /// Whole numbers need no care: sums of so few are exact.
  constexpr ExactSum whole_sum(std::int64_t part) const {
    double sum = 0;
    double magnitude = 0;
    for (std::int64_t i = parts.first(part); i < parts.end(part); ++i) {
      const double x = parts.element(i);
      sum += x;
      magnitude += x < 0 ? -x : x;
    }
    ExactSum exact;
    exact.sum.add(sum);
    exact.magnitude.add(magnitude);
    return exact;
  }
};

}  // namespace rafter::lab

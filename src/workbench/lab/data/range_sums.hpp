// Sums over ranges of an input in compensated double precision: the reference of sum, scan and similar ops.
#pragma once

#include "workbench/lab/data/compensated_sum.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::lab {

/// Returns |x| without a branch, which random signs would make unpredictable.
constexpr double magnitude(double x) { return __builtin_fabs(x); }

/// The sum of some elements and the sum of their magnitudes.
struct ExactSum {
  CompensatedSum sum;
  CompensatedSum magnitude;

  constexpr void add(double x) {
    sum.add(x);
    magnitude.add(lab::magnitude(x));
  }
  constexpr void add(const ExactSum& other) {
    sum.add(other.sum);
    magnitude.add(other.magnitude);
  }
};

/// An input of T, divided into parts.
template <class T>
struct InputParts {
  static constexpr std::int64_t elements = 4096;  // per part

  Generator in;
  std::int64_t n;

  constexpr std::int64_t count() const { return (n + elements - 1) / elements; }
  constexpr std::int64_t first(std::int64_t part) const { return part * elements; }
  constexpr std::int64_t end(std::int64_t part) const { return first(part + 1) < n ? first(part + 1) : n; }
  constexpr double element(std::int64_t i) const { return static_cast<double>(static_cast<T>(in(i))); }
};

/// Computes the sum of a part.
template <class T>
struct SumPart {
  static constexpr bool has_device_code = true;
  InputParts<T> parts;

  constexpr ExactSum operator()(std::int64_t part) const {
    if (parts.in.kind == Generator::Kind::whole) return whole_sum(part);
    ExactSum sums[4];  // four chains: a compensated addition has a long latency
    std::int64_t i = parts.first(part);
    for (; i + 4 <= parts.end(part); i += 4) {
      for (int k = 0; k < 4; ++k) sums[k].add(parts.element(i + k));
    }
    for (; i < parts.end(part); ++i) sums[0].add(parts.element(i));
    for (int k = 1; k < 4; ++k) sums[0].add(sums[k]);
    return sums[0];
  }

 private:
  /// Sums integers without compensation: sums of so few are exact.
  constexpr ExactSum whole_sum(std::int64_t part) const {
    double sum = 0;
    double magnitude = 0;
    for (std::int64_t i = parts.first(part); i < parts.end(part); ++i) {
      const double x = parts.element(i);
      sum += x;
      magnitude += lab::magnitude(x);
    }
    ExactSum exact;
    exact.sum.add(sum);
    exact.magnitude.add(magnitude);
    return exact;
  }
};

}  // namespace rafter::lab

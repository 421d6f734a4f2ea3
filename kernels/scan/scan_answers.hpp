// The reference of scan, in float64: the sums before each part of the array, then element by element within it.
#pragma once

#include "lab/cases/comparator.hpp"
#include "lab/cases/compensated_sum.hpp"
#include "lab/cases/generate.hpp"
#include "scan/scan_rung.hpp"

namespace rafter::lab {

inline constexpr std::int64_t scan_part_elements = 4096;

/// The sum of an array and of its magnitudes up to a place, as exactly as double can say.
struct ScanPlace {
  CompensatedSum sum;
  CompensatedSum magnitude;

  constexpr void add(double x) {
    sum.add(x);
    magnitude.add(x < 0 ? -x : x);
  }
  constexpr void add(const ScanPlace& other) {
    sum.add(other.sum);
    magnitude.add(other.magnitude);
  }
};

/// An input, in parts.
template <class T>
struct ScanParts {
  Generator in;
  std::int64_t n;

  constexpr std::int64_t end(std::int64_t part) const {
    return (part + 1) * scan_part_elements < n ? (part + 1) * scan_part_elements : n;
  }
  constexpr double element(std::int64_t i) const { return static_cast<double>(static_cast<T>(in(i))); }
};

/// What a part adds.
template <class T>
struct SumScanPart {
  static constexpr bool has_device_code = true;
  ScanParts<T> parts;

  constexpr ScanPlace operator()(std::int64_t part) const {
    ScanPlace sum;
    for (std::int64_t i = part * scan_part_elements; i < parts.end(part); ++i) sum.add(parts.element(i));
    return sum;
  }
};

/// Holds a part of the result against the sums, within `factor` of the magnitudes so far.
template <class T>
struct CompareScanPart {
  static constexpr bool has_device_code = true;
  ScanParts<T> parts;
  scan_ladder::ScanKind kind;
  double factor;
  const ScanPlace* before;  // [n_parts]
  const T* out;             // [n]

  constexpr Tally operator()(std::int64_t part) const {
    ScanPlace place = before[part];
    Tally tally;
    for (std::int64_t i = part * scan_part_elements; i < parts.end(part); ++i) {
      const double exclusive = place.sum.value();
      place.add(parts.element(i));
      const double expected = kind == scan_ladder::ScanKind::exclusive ? exclusive : place.sum.value();
      compare_element<T>(tally, i, out[i], Expectation{expected, factor * place.magnitude.value()});
    }
    return tally;
  }
};

}  // namespace rafter::lab

// The reference of scan in float64: the sums before each part of the array, then element by element within the part.
#pragma once

#include "scan/scan_rung.hpp"
#include "workbench/lab/data/comparator.hpp"
#include "workbench/lab/data/range_sums.hpp"

namespace rafter::scan_ladder {

/// Compares a part of the result with the exact running sums, within `factor` times the sum of magnitudes so far.
template <class T>
struct CompareScanPart {
  static constexpr bool has_device_code = true;
  lab::InputParts<T> parts;
  ScanKind kind;
  double factor;
  const lab::ExactSum* before;  // [parts.count()]
  const T* out;                 // [n]

  constexpr lab::Tally operator()(std::int64_t part) const {
    lab::ExactSum place = before[part];
    lab::Tally tally;
    for (std::int64_t i = parts.first(part); i < parts.end(part); ++i) {
      const double exclusive = place.sum.value();
      place.add(parts.element(i));
      const double expected = kind == ScanKind::exclusive ? exclusive : place.sum.value();
      lab::compare_element<T>(tally, i, out[i], lab::Expectation{expected, factor * place.magnitude.value()});
    }
    return tally;
  }
};

}  // namespace rafter::scan_ladder

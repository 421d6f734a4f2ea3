// Holds an output against its reference, element by element.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

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

  bool ok() const noexcept { return n_wrong == 0 && complaint.empty() && n_compared > 0; }
  /// One sentence for people: "3 of 1000 wrong, first at [17]: ..." or "1000 right, at most 0.3 of the bound".
  std::string text() const;
};

/// Compares `actual` with `expected`; |actual - expected| must not exceed bound(index).
///
/// Written so that NaN fails: where NaN is expected it must come, and an expected infinity must come with its sign.
/// An empty comparison is not ok: nothing was checked.
template <class T>
Comparison compare(std::span<const T> actual, std::span<const double> expected,
                   const std::function<double(std::int64_t)>& bound);

/// For outputs that have no elements: nothing to compare, and that is right.
Comparison nothing_to_compare();

}  // namespace rafter::lab

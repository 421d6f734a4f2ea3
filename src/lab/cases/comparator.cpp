#include "lab/cases/comparator.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace rafter::lab {

namespace {

constexpr std::int64_t no_elements = std::numeric_limits<std::int64_t>::max();  // stands for "right, and empty"

/// Error over bound: up to 1 is right; infinity for what no bound allows.
double share_of_bound(double actual, double expected, double bound) {
  constexpr double never = std::numeric_limits<double>::infinity();
  if (std::isnan(expected)) return std::isnan(actual) ? 0 : never;
  if (std::isinf(expected)) return actual == expected ? 0 : never;
  const double error = std::abs(actual - expected);
  if (!std::isfinite(error)) return never;  // no bound allows an infinity where a number belongs
  if (!(error <= bound)) return bound > 0 ? error / bound : never;
  return bound > 0 ? error / bound : 0;
}

std::string element(const Mismatch& m) {
  return fmt::format("[{}]: expected {:.9g}, got {:.9g}, allowed error {:.3g}", m.index, m.expected, m.actual, m.bound);
}

}  // namespace

template <class T>
Comparison compare(std::span<const T> actual, std::span<const double> expected,
                   const std::function<double(std::int64_t)>& bound, std::int64_t first) {
  Comparison result;
  if (actual.size() != expected.size()) {
    result.complaint = fmt::format("{} elements came, {} were expected", actual.size(), expected.size());
    return result;
  }
  if (actual.empty()) {
    result.complaint = "nothing was compared";
    return result;
  }
  double worst = -1;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const std::int64_t index = first + static_cast<std::int64_t>(i);
    const Mismatch here{index, static_cast<double>(actual[i]), expected[i], bound(index)};
    const double share = share_of_bound(here.actual, here.expected, here.bound);
    if (share <= 1) {
      result.worst_share = std::max(result.worst_share, share);
      continue;
    }
    if (result.n_wrong++ == 0) result.first = here;
    const bool nan_beats_number = std::isnan(here.actual) && !std::isnan(result.worst.actual);
    if (share > worst || (share == worst && nan_beats_number)) {
      worst = share;
      result.worst = here;
    }
  }
  result.n_compared = static_cast<std::int64_t>(actual.size());
  return result;
}

#define RAFTER_COMPARE(T)                                                     \
  template Comparison compare<T>(std::span<const T>, std::span<const double>, \
                                 const std::function<double(std::int64_t)>&, std::int64_t)
RAFTER_COMPARE(float);
RAFTER_COMPARE(double);
RAFTER_COMPARE(std::int32_t);
RAFTER_COMPARE(std::int64_t);

void Comparison::add(const Comparison& later) {
  n_compared += later.n_compared;
  if (n_wrong == 0) first = later.first;
  const double now = n_wrong == 0 ? -1 : share_of_bound(worst.actual, worst.expected, worst.bound);
  const double then =
      later.n_wrong == 0 ? -1 : share_of_bound(later.worst.actual, later.worst.expected, later.worst.bound);
  if (then > now || (then == now && std::isnan(later.worst.actual) && !std::isnan(worst.actual))) worst = later.worst;
  n_wrong += later.n_wrong;
  worst_share = std::max(worst_share, later.worst_share);
  if (complaint.empty()) complaint = later.complaint;
}

Comparison nothing_to_compare() {
  Comparison result;
  result.n_compared = no_elements;
  return result;
}

std::string Comparison::text() const {
  if (n_wrong > 0) {
    std::string text = fmt::format("{} of {} wrong, first at {}", n_wrong, n_compared, element(first));
    if (worst.index != first.index) text += fmt::format("; worst at {}", element(worst));
    return complaint.empty() ? text : text + "; " + complaint;
  }
  if (!complaint.empty()) return complaint;
  if (n_compared == no_elements) return "no elements, as it should be";
  return fmt::format("{} right, at most {:.2g} of the allowed error", n_compared, worst_share);
}

}  // namespace rafter::lab

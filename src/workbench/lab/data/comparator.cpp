#include "workbench/lab/data/comparator.hpp"

#include <fmt/format.h>

#include <limits>

namespace rafter::lab {

namespace {

constexpr std::int64_t no_elements = std::numeric_limits<std::int64_t>::max();  // marks a correct, empty output

std::string element(const Mismatch& m) {
  return fmt::format("[{}]: expected {:.9g}, got {:.9g}, allowed error {:.3g}", m.index, m.expected, m.actual, m.bound);
}

}  // namespace

void Comparison::add(const Comparison& later) {
  Tally::add(later);
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
  if (n_compared == no_elements) return "no elements, as expected";
  return fmt::format("{} correct, errors up to {:.2g} of the allowed error", n_compared, worst_share);
}

}  // namespace rafter::lab

// Compares the rungs of two sets of results.
#pragma once

#include "workbench/compare/results.hpp"
#include "workbench/lab/measure/statistics.hpp"

namespace rafter::compare {

/// A rung that both results have.
struct ComparedRung {
  TimedRung before{}, after{};
  double before_ns = 0, after_ns = 0;  ///< medians; 0 if not verified
  lab::Versus versus{};                ///< above 1: faster than before

  /// Whether both sides have counts and neither has times.
  bool is_counted() const {
    return before.is_counted() && after.is_counted() && before.samples_ns.empty() && after.samples_ns.empty();
  }
  bool is_newly_wrong() const { return before.is_verified && !after.is_verified; }
  bool is_slower() const { return versus.verdict == lab::Verdict::slower; }
};

struct Comparison {
  std::vector<ComparedRung> rungs{};
  std::vector<std::string> only_before{}, only_after{};  ///< rungs that the other results lack

  bool any_worse() const;  ///< slower, or wrong and correct before
};

/// Compares two files measured at different times: the interval combines those of both medians. Throws Error
/// (bad_argument) if they have no rung in common.
Comparison compare(const Results& before, const Results& after);

/// Compares rounds in which both were measured: rounds[i] has the results of round i.
Comparison compare_rounds(const std::vector<std::pair<Results, Results>>& rounds);

}  // namespace rafter::compare

// What became of each rung from one set of results to another.
#pragma once

#include "workbench/compare/results.hpp"
#include "workbench/lab/measure/statistics.hpp"

namespace rafter::compare {

/// A rung that both have.
struct ComparedRung {
  TimedRung before{}, after{};
  double before_ns = 0, after_ns = 0;  ///< medians; 0 where it was not verified
  lab::Versus versus{};                ///< above 1: faster than before

  bool is_newly_wrong() const { return before.is_verified && !after.is_verified; }
  bool is_slower() const { return versus.verdict == lab::Verdict::slower; }
};

struct Comparison {
  std::vector<ComparedRung> rungs{};
  std::vector<std::string> only_before{}, only_after{};  ///< rungs that the other one does not have

  bool any_worse() const;  ///< slower, or wrong where it was right
};

/// Of two files, measured at different times: the interval is as wide as those of both medians make it. Throws Error
/// (bad_argument) when they have no rung in common.
Comparison compare(const Results& before, const Results& after);

/// The same of rounds in which both were measured: pairs[i] is what round i gave.
Comparison compare_rounds(const std::vector<std::pair<Results, Results>>& rounds);

}  // namespace rafter::compare

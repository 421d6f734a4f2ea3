// The columns of a ladder's table: which there are, and how wide.
#pragma once

#include <span>
#include <string>

#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

/// A width of 0 leaves a column out.
struct Columns {
  int value = 0;     ///< of a swept parameter
  int name = 19;     ///< of rungs
  int launches = 0;  ///< where a rung has several
  int interval = 6;
  int rate = 10;
  int bar = 12;

  int width() const;  ///< of a whole line
};

/// What stands in the first column: "peer cub_reduce".
std::string label_of(const Measurement& m);

/// What stands there for the floor of a sweep's value.
std::string floor_label(const CaseReport& report);

/// What the swept parameter is in this case.
std::string value_text(const CaseReport& report, const Parameter& swept);

/// Names are never cut. Where lines would be longer than `width`, first the space behind names goes, then the bars, the
/// launches, the intervals and the rates.
Columns columns_for(std::span<const CaseReport> reports, const Parameter* swept, int width);

}  // namespace rafter::lab

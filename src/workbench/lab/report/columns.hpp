// The columns of a ladder's table and their widths.
#pragma once

#include <span>
#include <string>

#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

/// Widths of columns; a column of width 0 is omitted.
struct Columns {
  int value = 0;     ///< swept parameter
  int name = 19;     ///< rung
  int launches = 0;  ///< if a rung has several
  int interval = 6;
  int rate = 10;
  int bar = 12;

  int width() const;  ///< width of a line
};

/// Returns the text of the first column: "peer cub_reduce".
std::string label_of(const Measurement& m);

/// Returns the text of the first column for the floor of a sweep's value.
std::string floor_label(const CaseReport& report);

/// Returns the value of the swept parameter in this case.
std::string value_text(const CaseReport& report, const Parameter& swept);

/// Chooses the columns for lines of up to `width` characters. Names are never cut. If lines are too long, the padding
/// of names goes first, followed by the bars, the launches, the intervals and the rates.
Columns columns_for(std::span<const CaseReport> reports, const Parameter* swept, int width);

}  // namespace rafter::lab

// The causes that diagnose() checks one after the other. Each examines the facts and, if it applies, returns a finding:
// its worth follows from the model's estimate without the cause.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workbench/explain/diagnose.hpp"

namespace rafter::explain {

/// The input of every cause.
struct Question {
  const Facts& facts;
  const Gpu& gpu;
  Estimate now;
  Occupancy held;

  /// Returns the speedup of the work with these facts in place of the actual ones.
  double worth(const Facts& without) const;
  double worth(Spread spread) const;
};

using CauseCheck = std::optional<Finding> (*)(const Question&);

std::vector<CauseCheck> memory_causes();
std::vector<CauseCheck> code_causes();
std::vector<CauseCheck> launch_causes();

/// Returns a finding with the advice and the example rung of a cause.
Finding finding_of(Cause cause);

/// Returns a count as text: "12", "541 k".
std::string count_text(double n);

/// Returns the line as text: "transpose.cu:12".
std::string place(const SourceLine& at);

}  // namespace rafter::explain

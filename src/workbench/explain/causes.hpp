// The causes that diagnose() asks one after the other. Each looks at the facts and, where it applies, says what the
// launch would take without it: a finding, whose worth follows from the model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workbench/explain/diagnose.hpp"

namespace rafter::explain {

/// What every cause is asked with.
struct Question {
  const Facts& facts;
  const Gpu& gpu;
  Estimate now;
  Occupancy held;

  /// How many times faster the work would be with these facts in place of what is.
  double worth(const Facts& without) const;
  double worth(Spread spread) const;
};

using Ask = std::optional<Finding> (*)(const Question&);

std::vector<Ask> memory_causes();
std::vector<Ask> code_causes();
std::vector<Ask> launch_causes();

/// What to try, and who shows it, for a cause; a finding starts from it.
Finding finding_of(Cause cause);

/// "line 12", or "transpose.cu:12" with more than one file.
std::string place(const SourceLine& at);

}  // namespace rafter::explain

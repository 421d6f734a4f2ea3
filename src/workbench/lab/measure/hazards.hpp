// The verdict on a rung whose answers are right although the checker reports findings.
#pragma once

#include <string>
#include <vector>

#include "workbench/lab/workload/workload.hpp"

namespace rafter::lab {

/// Returns the kinds in the text of findings, "race, kernel sum [race], 3 times": one for each finding.
std::vector<std::string> finding_kinds(const std::string& findings);

/// Separates the comparison from the accepted races in the reason of a verified rung.
inline constexpr const char* allowed_words = "; allowed: ";

/// Judges findings about a rung with right answers, which `answers` describes. Races that are all in `allowed` are
/// accepted and stay in the reason. Other races are a hazard: the answers may be wrong on another GPU or at another
/// time. Any other finding makes the rung wrong.
RungStatus judge_findings(const std::string& findings, const std::vector<std::string>& allowed,
                          const std::string& answers);

}  // namespace rafter::lab

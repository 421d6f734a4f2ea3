// Findings for people: what is wrong, both places with their lines, who it was, and the memory it is about.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace rafter::simt::report {

/// Leaves out what host code touched inside of Thrust, whose algorithms run on the host here.
void drop_library_touches(nlohmann::json& report);
/// Puts findings of the same kind, kernel and lines together (an optimiser may have copied the code).
void merge_findings(nlohmann::json& report);

std::string findings_text(const nlohmann::json& report);
/// "nothing found in 2 kernels, ..." or "3 findings (2 race, 1 out_of_bounds) in ..."; a line on what only --strict
/// would find, and one when more threads touched a word than are remembered.
std::string summary_text(const nlohmann::json& report);

/// Whether anything is wrong, whether a launch was refused or did not end well, whether something was met that the
/// executor cannot do, and whether any kernel ran.
bool has_findings(const nlohmann::json& report);
bool has_failures(const nlohmann::json& report);
bool met_unsupported(const nlohmann::json& report);
bool has_launches(const nlohmann::json& report);

}  // namespace rafter::simt::report

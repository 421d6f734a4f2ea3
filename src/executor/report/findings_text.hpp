// Findings as text: what is wrong, both places with their source lines and threads, and the memory.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace rafter::simt::report {

/// Removes host accesses to device memory inside of Thrust: its algorithms run on the host here.
void drop_library_accesses(nlohmann::json& report);
/// Merges findings of the same kind, kernel and lines: the optimiser may have duplicated code.
void merge_findings(nlohmann::json& report);

/// Adds what another run of the program found, with the seed of its schedule, which a finding that is new keeps.
void add_schedule(nlohmann::json& report, const nlohmann::json& other, int seed);

/// Returns the text of one finding or note.
std::string finding_text(const nlohmann::json& finding);
std::string findings_text(const nlohmann::json& report);
/// Returns the launches that failed or were refused, one per line.
std::string failures_text(const nlohmann::json& report);
/// Returns what a plain run shows: findings and failures if a launch failed, and results that rely on lockstep.
std::string plain_run_text(const nlohmann::json& report);
/// Returns "nothing found in 2 kernels, ..." or "3 findings (2 race, 1 out_of_bounds) in ...", a line about what only
/// --strict finds, and one if more threads accessed a word than are recorded. If the report's `complete` is false, the
/// program was stopped before its end.
std::string summary_text(const nlohmann::json& report);

/// Whether there is a finding other than an unsupported feature.
bool has_findings(const nlohmann::json& report);
/// Whether a launch was refused or failed.
bool has_failures(const nlohmann::json& report);
/// Whether the program used a feature that the executor does not support.
bool met_unsupported(const nlohmann::json& report);
/// Whether a kernel ran.
bool has_launches(const nlohmann::json& report);

}  // namespace rafter::simt::report

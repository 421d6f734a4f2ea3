// The report of an executor process, ready to be shown, and the compiler's findings that are added to it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "executor/build/unset_locals.hpp"

namespace rafter::simt::report {

/// Parses a report. Resolves its places to source lines outside of `own_headers` and merges findings at the same lines.
/// Returns null unless the text is a report.
nlohmann::json parse_report(const std::string& text, const std::filesystem::path& own_headers);

/// Parses the report in a file. Returns null if the file is missing: the process ended before its first finding or
/// launch.
nlohmann::json read_report(const std::filesystem::path& file, const std::filesystem::path& own_headers);

enum class Weight { note, finding };

/// Adds locals that are used before they have a value, which the compiler reports and no run can: those that are
/// certain, in kernels that ran and in functions they may call.
void add_unset_locals(nlohmann::json& report, const std::vector<build::UnsetLocal>& locals, Weight weight);

/// Returns an uninitialised local as a finding, for findings_text.
nlohmann::json finding_of(const build::UnsetLocal& local);

}  // namespace rafter::simt::report

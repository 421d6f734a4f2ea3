// Reports for CI systems: SARIF 2.1.0, which code hosts show next to the source, and JUnit's XML.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rafter::simt::report {

/// The subject of a report: the tool's version, the program, whether it ran to its end, and the check's exit code.
struct CheckedProgram {
  std::string version, name;
  bool is_complete = true;
  int exit_code = 0;
};

/// Returns the findings, notes and suppressed findings as SARIF. Files are relative to the current folder.
std::string sarif_of(const nlohmann::json& report, const CheckedProgram& program);

/// Returns the findings as JUnit's XML: one test for each kernel, and one for the host code and the program.
std::string junit_of(const nlohmann::json& report, const CheckedProgram& program);

/// The kinds that make a check fail (--fail-on).
class FailOn {
 public:
  /// Parses a list of kinds, `findings`, `notes` and `unused_suppression`, separated by commas; or `none`. Empty:
  /// `findings`. Throws Error (bad_argument) for other words.
  explicit FailOn(const std::string& list);

  /// Whether the report has something that makes the check fail.
  bool is_met(const nlohmann::json& report) const;
  /// Whether all findings count, as without the option.
  bool counts_all_findings() const { return all_findings_; }

 private:
  std::vector<std::string> kinds_;
  bool all_findings_ = false, all_notes_ = false, unused_ = false;
};

}  // namespace rafter::simt::report

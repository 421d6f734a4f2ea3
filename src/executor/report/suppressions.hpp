// Suppressions: a file that names findings which are accepted, each with its reason.
//
//   # comment
//   race kernel=histogram file=src/*.cu line=41 -- counts may be off by one, see issue 17
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rafter::simt::report {

struct Suppression {
  std::string kind;    // "*": all
  std::string kernel;  // a pattern with `*`; empty: any
  std::string file;    // a pattern for a source of the finding, or for the end of its path; empty: any
  int line = 0;        // of that source; 0: any
  std::string reason;
  std::string place;  // in the file of suppressions: FILE:LINE
};

/// Parses a file of suppressions. Throws Error (bad_argument) if an entry is malformed, has an unknown kind or no
/// reason.
std::vector<Suppression> parse_suppressions(const std::string& text, const std::string& file);

/// Moves the findings and notes that an entry matches to `suppressed`, each with its `reason`, and lists the entries
/// that match nothing as `unused_suppressions`.
void suppress(nlohmann::json& report, const std::vector<Suppression>& entries);

}  // namespace rafter::simt::report

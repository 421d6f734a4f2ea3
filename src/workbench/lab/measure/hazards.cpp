#include "workbench/lab/measure/hazards.hpp"

#include <algorithm>
#include <sstream>

namespace rafter::lab {

namespace {

bool is_race(const std::string& kind) { return kind == "race" || kind == "same_value_race"; }

/// Returns the kind in the title of a finding, "unknown" if it has none; "" for a line that is no title. Titles are not
/// indented, and notes are no findings.
std::string kind_in(const std::string& line) {
  if (line.empty() || line.front() == ' ' || line.starts_with("note: ")) return "";
  const std::size_t open = line.rfind('['), close = line.rfind(']');
  const bool has_kind = line.find(", kernel ") < open && open < close && close != std::string::npos;
  return has_kind ? line.substr(open + 1, close - open - 1) : "unknown";
}

std::string titles_of(const std::string& findings) {
  std::istringstream lines(findings);
  std::string titles;
  for (std::string line; std::getline(lines, line);) {
    if (!kind_in(line).empty()) titles += (titles.empty() ? "" : "; ") + line;
  }
  return titles;
}

}  // namespace

std::vector<std::string> finding_kinds(const std::string& findings) {
  std::istringstream lines(findings);
  std::vector<std::string> kinds;
  for (std::string line; std::getline(lines, line);) {
    if (std::string kind = kind_in(line); !kind.empty()) kinds.push_back(std::move(kind));
  }
  return kinds;
}

RungStatus judge_findings(const std::string& findings, const std::vector<std::string>& allowed,
                          const std::string& answers) {
  const std::vector<std::string> kinds = finding_kinds(findings);
  const auto is_allowed = [&](const std::string& kind) {
    return std::find(allowed.begin(), allowed.end(), kind) != allowed.end();
  };
  if (kinds.empty() || !std::all_of(kinds.begin(), kinds.end(), is_race)) return {Status::wrong, findings};
  if (std::all_of(kinds.begin(), kinds.end(), is_allowed))
    return {Status::verified, answers + allowed_words + titles_of(findings)};
  const bool is_same_value = std::find(kinds.begin(), kinds.end(), "race") == kinds.end();
  return {Status::hazard, std::string("right values, hazard found; '--allow ") +
                              (is_same_value ? "same_value_race" : "race") + "' accepts it and is recorded\n" +
                              findings};
}

}  // namespace rafter::lab

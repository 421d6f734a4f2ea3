#include "executor/report/suppressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "executor/report/kinds.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::report {
namespace {

using nlohmann::json;

/// Whether a text matches a pattern, in which `*` matches any characters.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool matches_path(const std::string& pattern, const std::string& path) {
  return matches(pattern, path) || matches("*/" + pattern, path);
}

/// Whether the name of a kernel, or its last component without template arguments, matches.
bool matches_kernel(const std::string& pattern, const std::string& kernel) {
  std::string_view plain = std::string_view(kernel).substr(0, kernel.find('<'));
  if (const std::size_t colons = plain.rfind("::"); colons != std::string_view::npos) plain.remove_prefix(colons + 2);
  return matches(pattern, kernel) || matches(pattern, plain);
}

bool matches_place(const Suppression& entry, const json& finding) {
  if (entry.file.empty() && entry.line == 0) return true;
  const json sides = finding.value("sides", json::array());
  return std::any_of(sides.begin(), sides.end(), [&](const json& side) {
    const json& place = side["place"];
    if (!place.is_object() || !place.contains("file")) return false;
    return (entry.file.empty() || matches_path(entry.file, place["file"])) &&
           (entry.line == 0 || place["line"] == entry.line);
  });
}

bool matches(const Suppression& entry, const json& finding) {
  return (entry.kind == "*" || finding["kind"] == entry.kind) &&
         (entry.kernel.empty() || matches_kernel(entry.kernel, finding["kernel"])) && matches_place(entry, finding);
}

[[noreturn]] void refuse(const Suppression& entry, const std::string& why) {
  throw Error(ErrorCode::bad_argument,
              fmt::format("{}: {}; expected KIND [kernel=NAME] [file=PATH] [line=N] -- REASON", entry.place, why));
}

void set(Suppression& entry, const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals), value = equals == word.npos ? "" : word.substr(equals + 1);
  if (value.empty()) refuse(entry, fmt::format("'{}' has no value", word));
  if (name == "kernel") {
    entry.kernel = value;
  } else if (name == "file") {
    entry.file = value;
  } else if (name == "line") {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), entry.line);
    if (error != std::errc{} || *end != '\0' || entry.line <= 0) refuse(entry, fmt::format("'{}' is no line", value));
  } else {
    refuse(entry, fmt::format("there is no property '{}'", name));
  }
}

}  // namespace

std::vector<Suppression> parse_suppressions(const std::string& text, const std::string& file) {
  std::vector<Suppression> entries;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    Suppression entry{.kind = "", .kernel = "", .file = "", .reason = "", .place = fmt::format("{}:{}", file, number)};
    const std::size_t dashes = line.find(" -- ");
    const std::size_t begin = dashes == line.npos ? line.npos : line.find_first_not_of(" \t\r", dashes + 4);
    if (begin == line.npos) refuse(entry, "the entry has no reason");
    entry.reason = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    std::istringstream words(line.substr(0, dashes));
    words >> entry.kind;
    if (entry.kind != "*" && !titles().contains(entry.kind))
      refuse(entry, fmt::format("there is no kind '{}'", entry.kind));
    for (std::string word; words >> word;) set(entry, word);
    entries.push_back(std::move(entry));
  }
  return entries;
}

void suppress(json& report, const std::vector<Suppression>& entries) {
  std::set<const Suppression*> used;
  json suppressed = json::array();
  for (const char* list : {"findings", "notes"}) {
    json kept = json::array();
    for (json& finding : report[list]) {
      const auto hides = [&](const Suppression& entry) { return matches(entry, finding); };
      for (const Suppression& entry : entries) {
        if (hides(entry)) used.insert(&entry);
      }
      const auto entry = std::find_if(entries.begin(), entries.end(), hides);
      if (entry == entries.end() || finding["kind"] == "unsupported") {
        kept.push_back(std::move(finding));
      } else {
        finding["reason"] = entry->reason;
        suppressed.push_back(std::move(finding));
      }
    }
    report[list] = std::move(kept);
  }
  if (!suppressed.empty()) report["suppressed"] = std::move(suppressed);
  for (const Suppression& entry : entries) {
    if (!used.contains(&entry)) report["unused_suppressions"].push_back(entry.place);
  }
}

}  // namespace rafter::simt::report

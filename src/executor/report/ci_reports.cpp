#include "executor/report/ci_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/sha256.hpp"
#include "base/xml.hpp"
#include "executor/report/findings_text.hpp"
#include "executor/report/kinds.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::report {
namespace {

using nlohmann::json;

/// Returns a path as a URI reference: relative, or with the scheme file.
std::string uri_of(const std::string& path) {
  std::string uri = path.starts_with("/") ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = std::isalnum(byte) != 0 || std::string_view("/._-~+,=@").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

bool has_line(const json& side) { return side["place"].is_object() && side["place"].contains("file"); }

json location_of(const json& side) {
  const json& place = side["place"];
  json region{{"startLine", place["line"]}};
  if (const std::string text = place.value("text", ""); !text.empty()) region["snippet"] = {{"text", text}};
  return {{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(place["file"])}}}, {"region", region}}}};
}

/// Returns a digest that stays the same when lines are added elsewhere in the file.
std::string fingerprint(const json& finding) {
  std::string text = finding["kind"].get<std::string>() + "\n" + finding["kernel"].get<std::string>();
  for (const json& side : finding.value("sides", json::array())) {
    if (has_line(side))
      text += "\n" + side["place"]["file"].get<std::string>() + "\n" + side["place"].value("text", "");
  }
  return base::hex(base::sha256(text));
}

json result_of(const json& finding, const char* level, const std::map<std::string, std::size_t>& rules) {
  const std::string kind = finding["kind"];
  std::string text = finding_text(finding);
  while (text.ends_with("\n")) text.pop_back();
  json result{{"ruleId", kind},
              {"ruleIndex", rules.at(kind)},
              {"level", level},
              {"message", {{"text", text}}},
              {"occurrenceCount", std::max<std::uint64_t>(1, finding["count"].get<std::uint64_t>())},
              {"partialFingerprints", {{"rafterFinding/v1", fingerprint(finding)}}}};
  json others = json::array();
  for (const json& side : finding.value("sides", json::array())) {
    if (!has_line(side)) continue;
    json location = location_of(side);
    if (!result.contains("locations")) {
      if (const std::string kernel = finding["kernel"]; !kernel.empty())
        location["logicalLocations"] = json::array({json{{"fullyQualifiedName", kernel}, {"kind", "function"}}});
      result["locations"] = json::array({std::move(location)});
    } else {
      location["id"] = others.size() + 1;
      location["message"] = {{"text", side["action"]}};
      others.push_back(std::move(location));
    }
  }
  if (!others.empty()) result["relatedLocations"] = std::move(others);
  if (finding.contains("reason"))
    result["suppressions"] =
        json::array({json{{"kind", "external"}, {"status", "accepted"}, {"justification", finding["reason"]}}});
  return result;
}

json list_of(const json& report, const char* name) { return report.value(name, json::array()); }

std::string kernel_test(const std::string& kernel) { return kernel.empty() ? "host code" : kernel; }

}  // namespace

std::string sarif_of(const json& report, const CheckedProgram& program) {
  std::map<std::string, std::size_t> rules;
  json rule_list = json::array();
  for (const auto& [kind, title] : titles()) {
    rules.emplace(kind, rule_list.size());
    rule_list.push_back({{"id", kind}, {"shortDescription", {{"text", title}}}});
  }
  json results = json::array();
  for (const auto& [list, level] : {std::pair{"findings", "error"}, {"notes", "note"}, {"suppressed", "warning"}}) {
    for (const json& finding : list_of(report, list)) results.push_back(result_of(finding, level, rules));
  }
  const json driver{{"name", "rafter check"}, {"version", program.version}, {"rules", rule_list}};
  const json invocation{{"executionSuccessful", program.is_complete}, {"exitCode", program.exit_code}};
  const json run{{"tool", {{"driver", driver}}},
                 {"columnKind", "utf16CodeUnits"},
                 {"invocations", json::array({invocation})},
                 {"results", results}};
  return json{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", json::array({run})}}
             .dump(2) +
         "\n";
}

std::string junit_of(const json& report, const CheckedProgram& program) {
  std::map<std::string, std::string> failures{{"host code", ""}};
  for (const json& kernel : report["kernels"]) failures.try_emplace(kernel["name"]);
  for (const json& kernel : report["kernels"]) {
    if (kernel.contains("failure"))
      failures[kernel["name"]] += "the kernel failed: " + kernel["failure"].get<std::string>() + "\n";
  }
  std::map<std::string, std::set<std::string>> kinds;
  for (const json& finding : report["findings"]) {
    const std::string test = kernel_test(finding["kernel"]);
    failures[test] += finding_text(finding) + "\n";
    kinds[test].insert(finding["kind"].get<std::string>());
  }
  if (!program.is_complete) failures["host code"] += "the program was stopped before its end\n";
  const auto n_failures =
      std::count_if(failures.begin(), failures.end(), [](const auto& test) { return !test.second.empty(); });
  const std::string suite = base::xml_escaped(program.name);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" "
      "errors=\"0\">\n",
      suite, failures.size(), n_failures);
  for (const auto& [test, failure] : failures) {
    text += fmt::format("  <testcase classname=\"{}\" name=\"{}\"", suite, base::xml_escaped(test));
    if (failure.empty()) {
      text += "/>\n";
      continue;
    }
    const std::string message =
        kinds[test].empty() ? failure.substr(0, failure.find('\n')) : fmt::format("{}", fmt::join(kinds[test], ", "));
    text += fmt::format(">\n    <failure message=\"{}\">{}</failure>\n  </testcase>\n", base::xml_escaped(message),
                        base::xml_escaped(failure));
  }
  return text + "</testsuite>\n</testsuites>\n";
}

FailOn::FailOn(const std::string& list) {
  std::istringstream words(list.empty() ? "findings" : list);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "findings") {
      all_findings_ = true;
    } else if (word == "notes") {
      all_notes_ = true;
    } else if (word == "unused_suppression") {
      unused_ = true;
    } else if (titles().contains(word)) {
      kinds_.push_back(word);
    } else if (word != "none") {
      throw Error(ErrorCode::bad_argument,
                  fmt::format("--fail-on: there is no kind '{}'; it takes kinds of findings, findings, notes, "
                              "unused_suppression or none",
                              word));
    }
  }
}

bool FailOn::is_met(const json& report) const {
  const auto has = [&](const char* list, bool all) {
    const json found = list_of(report, list);
    return std::any_of(found.begin(), found.end(), [&](const json& finding) {
      const bool is_listed = std::find(kinds_.begin(), kinds_.end(), finding["kind"]) != kinds_.end();
      return is_listed || (all && finding["kind"] != "unsupported");
    });
  };
  return has("findings", all_findings_) || has("notes", all_notes_) ||
         (unused_ && !list_of(report, "unused_suppressions").empty());
}

}  // namespace rafter::simt::report

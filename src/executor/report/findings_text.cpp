#include "executor/report/findings_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "executor/report/kinds.hpp"

namespace rafter::simt::report {
namespace {

using nlohmann::json;

std::string coordinates(const json& triple) {
  return fmt::format("({},{},{})", triple[0].get<unsigned>(), triple[1].get<unsigned>(), triple[2].get<unsigned>());
}

std::string where(const json& place) {
  if (place.is_null()) return "";
  if (place.contains("file")) return fmt::format("{}:{}", place["file"].get<std::string>(), place["line"].get<int>());
  return fmt::format("{}+{:#x}", place["module"].get<std::string>(), place["offset"].get<std::uint64_t>());
}

std::string line_of(const json& place) {
  if (place.is_null() || !place.contains("text")) return "";
  const std::string text = place["text"];
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? ""
                                    : fmt::format("      {:>5} | {}\n", place["line"].get<int>(), text.substr(first));
}

std::string side_text(const json& side) {
  std::string actor = side.value("who", side.contains("thread") ? "" : "host code");
  if (side.contains("thread")) {
    if (!actor.empty()) actor += ", ";
    actor += fmt::format("thread {} of block {}", coordinates(side["thread"]), coordinates(side["block"]));
    if (side.contains("who")) actor += ",";
  } else if (side.contains("block")) {
    actor = fmt::format("a thread of block {}", coordinates(side["block"]));  // a plain run may not know the thread
  }
  std::string what = side["action"];
  if (side.contains("bytes"))
    what += fmt::format(" {} byte{}", side["bytes"].get<std::uint64_t>(), side["bytes"] == 1 ? "" : "s");
  const std::string at = where(side["place"]);
  std::string text = fmt::format("    {}{}{} {}\n{}", at, at.empty() ? "" : ": ", actor, what, line_of(side["place"]));
  if (!side["place"].is_object()) return text;
  for (const json& call : side["place"].value("calls", json::array()))
    text += fmt::format("      called at {}\n", where(call));
  return text;
}

std::string memory_text(const json& memory) {
  std::string text = "    in ";
  if (memory.contains("index")) {
    text += fmt::format("{}[{}], ", memory["argument"].get<std::string>(), memory["index"].get<std::int64_t>());
  } else if (memory.contains("argument")) {
    text += fmt::format("memory that argument {} points to, ", memory["argument"].get<std::string>());
  }
  text += memory["what"].get<std::string>();
  if (memory["bytes"].get<std::uint64_t>() > 0) {
    const auto offset = memory["offset"].get<std::int64_t>();
    text += fmt::format(" of {} bytes, at offset {}", memory["bytes"].get<std::uint64_t>(), offset);
    if (const auto bytes = memory.value("element_bytes", std::int64_t{0}); bytes > 0 && !memory.contains("index"))
      text += fmt::format(" (element {} of {} byte{})", offset / bytes, bytes, bytes == 1 ? "" : "s");
  }
  // Memory that a bare kernel's driver allocated has no line in the user's source.
  const auto has_line = [&](const char* when) { return memory.contains(when) && memory[when].contains("file"); };
  if (has_line("made_at")) {
    if (memory.contains("variable")) text += ", allocated as " + memory["variable"].get<std::string>();
    text += (memory.contains("variable") ? " at " : ", allocated at ") + where(memory["made_at"]);
  }
  if (has_line("freed_at")) text += ", freed at " + where(memory["freed_at"]);
  return text + "\n";
}

}  // namespace

std::string finding_text(const json& finding) {
  const std::string kind = finding["kind"];
  std::string head = title_of(kind);
  if (finding.contains("space") && finding["space"] != "host")
    head += " in " + finding["space"].get<std::string>() + " memory";
  if (!finding["kernel"].get<std::string>().empty()) head += ", kernel " + finding["kernel"].get<std::string>();
  const auto count = finding["count"].get<std::uint64_t>();
  std::string text = fmt::format("{} [{}]{}\n", head, kind, count > 1 ? fmt::format(", {} times", count) : "");
  if (finding.contains("sides")) {
    for (const json& side : finding["sides"]) text += side_text(side);
  }
  if (finding.contains("memory")) text += memory_text(finding["memory"]);
  if (const std::string detail = finding["detail"]; !detail.empty()) text += "    " + detail + "\n";
  if (finding.contains("remedy")) text += "    " + finding["remedy"].get<std::string>() + "\n";
  if (finding.contains("schedules"))
    text += fmt::format("    not in the natural order; with --schedule {}\n",
                        fmt::join(finding["schedules"].get<std::vector<int>>(), ", "));
  return text;
}

namespace {

json key_of(const json& finding) {
  std::vector<std::string> places;
  if (finding.contains("sides")) {
    for (const json& side : finding["sides"]) places.push_back(where(side["place"]));
  }
  std::sort(places.begin(), places.end());
  return {finding["kind"], finding["kernel"], places};
}

std::string counted(std::uint64_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

/// Whether the summary only counts a note: those about the memory model, which a program that spins on flags has at
/// every such place.
bool is_summed_up(const json& note) {
  return note["kind"] == "missing_acquire" || note["kind"] == "unordered_volatile";
}

/// Returns the kinds with their counts, as in "2 race, 1 out_of_bounds".
std::string kinds(const json& findings) {
  std::map<std::string, int> n_of;
  for (const json& finding : findings) ++n_of[finding["kind"].get<std::string>()];
  std::string list;
  for (const auto& [kind, n] : n_of) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", n, kind);
  return list;
}

/// Returns a line about failed calls with ignored errors; empty if there are none.
std::string ignored_errors(const json& report) {
  std::set<std::string> errors;
  std::size_t n = 0;
  for (const char* list : {"findings", "notes"}) {
    for (const json& one : report.value(list, json::array())) {
      if (one["kind"] != "ignored_error") continue;
      const std::string action = one["sides"][0]["action"];
      errors.insert(action.substr(action.rfind(' ') + 1));
      ++n;
    }
  }
  if (n == 0) return "";
  return fmt::format("rafter check: {} failed and {} ignored ({})\n", counted(n, "call"),
                     n == 1 ? "its error was" : "their errors were", fmt::join(errors, ", "));
}

/// Merges findings of the same kind and kernel at the same lines.
std::vector<json> merged(const json& findings) {
  std::vector<json> merged;
  std::map<json, std::size_t> known;
  for (const json& finding : findings) {
    const auto [at, is_new] = known.try_emplace(key_of(finding), merged.size());
    if (is_new) {
      merged.push_back(finding);
    } else {
      json& count = merged[at->second]["count"];
      count = count.get<std::uint64_t>() + finding["count"].get<std::uint64_t>();
    }
  }
  // A race of two places includes the cases in which they wrote the same value.
  std::erase_if(merged, [&](const json& finding) {
    json as_race = finding;
    as_race["kind"] = "race";
    return finding["kind"] == "same_value_race" && known.contains(key_of(as_race));
  });
  return merged;
}

}  // namespace

void drop_library_accesses(json& report) {
  std::vector<json> kept;
  for (json& finding : report["findings"]) {
    const json stack = finding.value("stack", json::array());
    finding.erase("stack");
    if (std::none_of(stack.begin(), stack.end(), [](const json& frame) { return frame.contains("in_library"); }))
      kept.push_back(finding);
  }
  report["findings"] = kept;
}

void add_schedule(json& report, const json& other, int seed) {
  for (const char* list : {"findings", "notes"}) {
    json& all = report[list];
    for (json finding : other.value(list, json::array())) {
      const json key = key_of(finding);
      const auto known = std::find_if(all.begin(), all.end(), [&](const json& one) { return key_of(one) == key; });
      if (known == all.end()) {
        finding["schedules"] = json::array({seed});
        all.push_back(std::move(finding));
      } else if (known->contains("schedules")) {
        (*known)["schedules"].push_back(seed);
      }
    }
  }
  for (const json& kernel : other.value("kernels", json::array())) {
    json& all = report["kernels"];
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const json& one) { return one["name"] == kernel["name"]; });
    if (known == all.end()) {
      all.push_back(kernel);
    } else if (kernel.contains("failure") && !known->contains("failure")) {
      (*known)["failure"] = kernel["failure"];
    }
  }
}

void merge_findings(json& report) {
  for (const char* list : {"findings", "notes"}) report[list] = merged(report.value(list, json::array()));
}

std::string findings_text(const json& report) {
  std::string text;
  for (const json& finding : report["findings"]) text += finding_text(finding) + "\n";
  for (const json& note : report.value("notes", json::array())) {
    if (!is_summed_up(note)) text += "note: " + finding_text(note) + "\n";
  }
  return text;
}

std::string failures_text(const json& report) {
  std::string text;
  for (const json& kernel : report["kernels"]) {
    if (!kernel.contains("failure")) continue;
    text +=
        fmt::format("kernel {} failed: {}\n", kernel["name"].get<std::string>(), kernel["failure"].get<std::string>());
  }
  return text;
}

std::string plain_run_text(const json& report) {
  if (has_failures(report) || met_unsupported(report)) return findings_text(report) + failures_text(report);
  std::string text;
  for (const json& note : report.value("notes", json::array())) {
    if (note["kind"] == "lockstep") text += "note: " + finding_text(note) + "\n";
  }
  return text;
}

std::string summary_text(const json& report) {
  std::uint64_t launches = 0, threads = 0, accesses = 0, forgotten = 0;
  for (const json& kernel : report["kernels"]) {
    launches += kernel["launches"].get<std::uint64_t>();
    threads += kernel["threads"].get<std::uint64_t>();
    accesses += kernel["accesses"].get<std::uint64_t>();
    forgotten += kernel.value("forgotten", std::uint64_t{0});
  }
  const json& findings = report["findings"];
  std::string what =
      findings.empty() ? "nothing found" : fmt::format("{} ({})", counted(findings.size(), "finding"), kinds(findings));
  if (!report.value("complete", true)) what += " until the program was stopped,";
  const json notes = report.value("notes", json::array());
  json summed_up = json::array();
  for (const json& note : notes) {
    if (is_summed_up(note)) summed_up.push_back(note);
  }
  if (const std::size_t n = notes.size() - summed_up.size(); n > 0) what += ", " + counted(n, "note") + ",";
  std::string text;
  for (const json& sentence : report.value("remarks", json::array())) {
    text += fmt::format("rafter check: {}\n", sentence.get<std::string>());
  }
  text += fmt::format("rafter check: {} in {}, {}, {}, {}\n", what, counted(report["kernels"].size(), "kernel"),
                      launches == 1 ? "1 launch" : fmt::format("{} launches", launches), counted(threads, "thread"),
                      accesses == 1 ? "1 access" : fmt::format("{} accesses", accesses));
  if (const int n = report.value("n_schedules", 0); n > 0)
    text += fmt::format(
        "rafter check: explored the natural order and {} (seeds 1 to {}), which change the order of warps and blocks "
        "and "
        "switch threads at atomics and fences; other orders were not tried\n",
        counted(static_cast<std::uint64_t>(n), "schedule"), n);
  if (const std::size_t n = report.value("suppressed", json::array()).size(); n > 0)
    text += fmt::format("rafter check: {} suppressed\n", counted(n, "finding"));
  for (const json& entry : report.value("unused_suppressions", json::array()))
    text += fmt::format("rafter check: {}: this suppression matches nothing\n", entry.get<std::string>());
  text += ignored_errors(report);
  if (!summed_up.empty())
    text += fmt::format("rafter check: --strict finds {} more ({})\n", summed_up.size(), kinds(summed_up));
  if (forgotten > 0) {
    text += fmt::format(
        "rafter check: {} followed accesses of more threads than are recorded; a race with those may be missed\n",
        forgotten == 1 ? "1 access" : fmt::format("{} accesses", forgotten));
  }
  return text;
}

bool has_findings(const json& report) {
  return std::any_of(report["findings"].begin(), report["findings"].end(),
                     [](const json& finding) { return finding["kind"] != "unsupported"; });
}

bool met_unsupported(const json& report) {
  return std::any_of(report["findings"].begin(), report["findings"].end(),
                     [](const json& finding) { return finding["kind"] == "unsupported"; });
}

bool has_failures(const json& report) {
  return std::any_of(report["kernels"].begin(), report["kernels"].end(),
                     [](const json& kernel) { return kernel.contains("failure"); });
}

bool has_launches(const json& report) {
  return std::any_of(report["kernels"].begin(), report["kernels"].end(),
                     [](const json& kernel) { return kernel["launches"].get<std::uint64_t>() > 0; });
}

}  // namespace rafter::simt::report

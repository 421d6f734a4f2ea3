#include "executor/report/findings_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace rafter::simt::report {
namespace {

using nlohmann::json;

const std::map<std::string, std::string>& titles() {
  static const std::map<std::string, std::string> all{
      {"out_of_bounds", "access out of bounds"},
      {"misaligned", "misaligned access"},
      {"use_after_free", "use after free"},
      {"double_free", "freed twice"},
      {"invalid_free", "free of memory that was not allocated"},
      {"host_touches_device", "host code accesses device memory"},
      {"kernel_touches_host", "kernel accesses host memory"},
      {"write_to_constant", "write to constant memory"},
      {"leak", "memory never freed"},
      {"race", "race"},
      {"same_value_race", "race between writes of the same value"},
      {"lockstep", "result that relies on lanes in lockstep"},
      {"stream_race", "race between streams"},
      {"host_race", "host code does not wait for the device"},
      {"freed_in_use", "memory freed while in use"},
      {"event_not_recorded", "event that was never recorded"},
      {"missing_acquire", "missing acquire fence"},
      {"unordered_volatile", "unordered volatile accesses"},
      {"uninitialised", "uninitialised read"},
      {"unset_local", "variable used before it has a value"},
      {"reads_stale_output", "output read before it was written"},
      {"state_between_launches", "value kept from an earlier launch"},
      {"foreign_memory", "access to memory that is not an argument"},
      {"unwritten_copy", "uninitialised copy to the host"},
      {"ignored_error", "ignored error"},
      {"divergent_barrier", "barrier reached from different places"},
      {"exited_before_barrier", "threads returned before a barrier"},
      {"deadlock", "deadlock"},
      {"unstarted_block", "access to a block that may not have started"},
      {"exited_block", "access to a block that may have exited"},
      {"arrival_count", "wrong number of arrivals"},
      {"transaction_count", "wrong number of bytes for an mbarrier"},
      {"proxy_fence", "missing proxy fence"},
      {"copy_in_flight", "copy still in flight"},
      {"wgmma", "wrong use of wgmma"},
      {"bad_mask", "wrong mask"},
      {"bad_source_lane", "shuffle from a lane that does not participate"},
      {"bad_texture", "wrong use of a texture or surface"},
      {"stale_texture", "texture fetch of data that the same launch wrote"},
      {"no_progress", "no progress"},
      {"assert", "device assert"},
      {"trap", "trap"},
      {"unsupported", "not supported by the executor"}};
  return all;
}

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
  return fmt::format("    {}{}{} {}\n{}", at, at.empty() ? "" : ": ", actor, what, line_of(side["place"]));
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

std::string finding_text(const json& finding) {
  const std::string kind = finding["kind"];
  std::string head = titles().contains(kind) ? titles().at(kind) : kind;
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
  return text;
}

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

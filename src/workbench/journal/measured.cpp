#include "workbench/journal/measured.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/json_file.hpp"
#include "base/units.hpp"
#include "rafter/error.hpp"

namespace rafter::journal {

namespace {

using nlohmann::json;

constexpr int newest_results = 1;

constexpr const char* kept_fields[] = {"workload",  "params",      "device", "rung",   "kind",     "idea",
                                       "verified",  "status",      "detail", "regime", "floor_ns", "floor_limit",
                                       "median_ns", "interval_ns", "stages", "counts", "estimate"};

TimedRung rung_from(const json& result) {
  TimedRung rung{.name = result.at("rung"),
                 .is_peer = result.value("kind", "rung") == "peer",
                 .is_verified = result.at("verified"),
                 .status = result.value("status", ""),
                 .detail = result.value("detail", ""),
                 .idea = result.value("idea", "")};
  if (rung.is_verified && !result.contains("median_ns") && result.contains("estimate")) {
    rung.ns = result["estimate"].at("ns");
    rung.estimated_for = result["estimate"].at("gpu");
  }
  if (!rung.is_verified || !result.contains("median_ns")) return rung;
  rung.ns = result["median_ns"];
  if (result.contains("interval_ns")) {
    rung.low_ns = result["interval_ns"].at(0);
    rung.high_ns = result["interval_ns"].at(1);
  }
  for (const json& stage : result.value("stages", json::array()))
    rung.stages.push_back({stage.at("name"), stage.at("share")});
  return rung;
}

std::string case_name(const json& result) {
  return fmt::format("{} {} on {}, {}", result.at("workload").get<std::string>(),
                     fmt::join(base::param_texts(result.at("params")), " "), result.at("device").get<std::string>(),
                     result.value("regime", "cold"));
}

std::vector<TimedCase> read_cases(const json& results) {
  std::vector<TimedCase> cases;
  for (const json& result : results) {
    const std::string name = case_name(result);
    auto place = std::find_if(cases.begin(), cases.end(), [&](const TimedCase& one) { return one.name == name; });
    if (place == cases.end()) {
      place = cases.insert(
          cases.end(),
          {.name = name, .floor_ns = result.value("floor_ns", 0.), .floor_limit = result.value("floor_limit", "")});
    }
    place->rungs.push_back(rung_from(result));
  }
  return cases;
}

}  // namespace

std::string TimedRung::spread() const {
  return high_ns > 0 && ns > 0 ? fmt::format("± {:.1f}%", 50 * (high_ns - low_ns) / ns) : "";
}

std::string TimedRung::time() const { return (is_estimate() ? "~" : "") + base::show_time(ns); }

std::string TimedRung::exact() const {
  if (is_estimate()) return fmt::format("{:.6g} ns, estimated for an {}", ns, estimated_for);
  return fmt::format("{:.6g} ns", ns) + (high_ns > 0 ? fmt::format(", 95 %: {:.6g} to {:.6g}", low_ns, high_ns) : "");
}

bool TimedCase::is_estimate() const {
  return std::any_of(rungs.begin(), rungs.end(), [](const TimedRung& rung) { return rung.is_estimate(); });
}

const TimedRung* TimedCase::best(const std::string& wanted) const {
  const TimedRung* best = nullptr;
  for (const TimedRung& rung : rungs) {
    if (rung.name == wanted && !rung.is_peer) return rung.ns > 0 ? &rung : nullptr;
    if (!(rung.ns > 0) || rung.is_peer) continue;
    if (best == nullptr || rung.ns < best->ns) best = &rung;
  }
  return best;
}

json kept_results(const json& document) {
  try {
    if (const int format = document.value("format", newest_results); format > newest_results)
      throw Error(
          ErrorCode::bad_argument,
          fmt::format("it has format {} of a newer rafter; this version reads up to {}", format, newest_results));
    json kept = json::array();
    for (const json& result : document.at("results")) {
      json one = json::object();
      for (const char* field : kept_fields) {
        if (result.contains(field)) one[field] = result[field];
      }
      kept.push_back(std::move(one));
    }
    read_cases(kept);  // reports errors now, not when it is shown
    return kept;
  } catch (const json::exception& error) {
    throw Error(ErrorCode::bad_argument, fmt::format("not a results file of 'rafter run': {}", error.what()));
  }
}

std::string machine_of(const json& document) {
  const json machine = document.is_object() ? document.value("machine", json::object()) : json::object();
  if (machine.contains("gpu")) return machine["gpu"].value("name", "a GPU");
  const int n_threads = machine.value("threads", 0);
  return machine.empty() ? ""
                         : fmt::format("{}, {} thread{}", machine.value("cpu", "an unknown CPU"), n_threads,
                                       n_threads == 1 ? "" : "s");
}

bool was_busy(const json& document) {
  const json roofs = document.value("roofs", json::object());
  return roofs.is_object() && roofs.value("too_busy", false);
}

bool is_rejection(const std::string& status) {
  return status == "WRONG" || status == "FAILED" || status == "INVALID" || status == "HAZARD" || status == "SUSPICIOUS";
}

Verdict verdict_of(const json& results) {
  bool any_right = false, any_wrong = false;
  for (const json& result : results) {
    const std::string status = result.value("status", "");
    any_right = any_right || result.value("verified", false);
    any_wrong = any_wrong || is_rejection(status);
  }
  return any_wrong         ? Verdict::wrong
         : any_right       ? Verdict::right
         : results.empty() ? Verdict::none
                           : Verdict::could_not_run;
}

std::vector<TimedCase> cases_of(const Entry& entry) {
  try {
    return read_cases(entry.results);
  } catch (const json::exception& error) {
    throw Error(ErrorCode::bad_argument, fmt::format("entry {} has no results: {}", entry.number, error.what()));
  }
}

}  // namespace rafter::journal

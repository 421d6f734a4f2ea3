#include "workbench/plot/measured.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_file.hpp"
#include "rafter/error.hpp"

namespace rafter::plot {

namespace {

using nlohmann::json;

MeasuredCase case_of(const json& result) {
  MeasuredCase found{.workload = result.at("workload"),
                     .params = fmt::format("{}", fmt::join(base::param_texts(result.at("params")), " ")),
                     .device = result.at("device"),
                     .regime = result.at("regime"),
                     .floor_ns = result.at("floor_ns"),
                     .floor_limit = result.value("floor_limit", ""),
                     .bytes = result.value("bytes_read", 0.) + result.value("bytes_written", 0.)};
  if (result.contains("estimate")) found.estimate_gpu = result["estimate"].value("gpu", "");
  const json operations = result.value("operations", json::object());
  for (const auto& [unit, n] : operations.items()) {
    if (n.get<double>() > found.operations) {
      found.unit = unit;
      found.operations = n;
    }
  }
  return found;
}

MeasuredRung rung_of(const json& result) {
  MeasuredRung rung{.name = result.at("rung"),
                    .is_peer = result.at("kind") == "peer",
                    .idea = result.value("idea", ""),
                    .status = result.value("status", ""),
                    .detail = result.value("detail", "")};
  if (result.at("verified").get<bool>() && result.contains("counts")) {
    rung.bytes_moved = result["counts"].value("bytes_moved", 0.);
    rung.used = std::min(1., result["counts"].value("bytes_asked", 0.) / std::max(rung.bytes_moved, 1.));
    if (result.contains("estimate")) rung.estimate_ns = result["estimate"].value("ns", 0.);
  }
  if (!result.at("verified").get<bool>() || !result.contains("median_ns")) return rung;
  rung.ns = rung.low_ns = rung.high_ns = result["median_ns"];
  if (result.contains("interval_ns")) {
    rung.low_ns = result["interval_ns"].at(0);
    rung.high_ns = result["interval_ns"].at(1);
  }
  return rung;
}

bool is_of(const MeasuredCase& one, const MeasuredCase& other) {
  return one.workload == other.workload && one.params == other.params && one.device == other.device &&
         one.regime == other.regime;
}

}  // namespace

bool MeasuredCase::is_timed() const {
  return std::any_of(rungs.begin(), rungs.end(), [](const MeasuredRung& rung) { return rung.ns > 0; });
}

bool MeasuredCase::is_counted() const {
  return !is_timed() &&
         std::any_of(rungs.begin(), rungs.end(), [](const MeasuredRung& rung) { return rung.bytes_moved > 0; });
}

std::vector<MeasuredCase> cases_of(const json& results, Untimed untimed) {
  std::vector<MeasuredCase> cases;
  try {
    for (const json& result : results.at("results")) {
      const MeasuredCase its = case_of(result);
      auto place = std::find_if(cases.begin(), cases.end(), [&](const MeasuredCase& one) { return is_of(one, its); });
      if (place == cases.end()) place = cases.insert(cases.end(), its);
      place->rungs.push_back(rung_of(result));
      if (place->estimate_gpu.empty()) place->estimate_gpu = its.estimate_gpu;
    }
  } catch (const json::exception& error) {
    throw Error(ErrorCode::bad_argument, fmt::format("not a results file of 'rafter run': {}", error.what()));
  }
  std::erase_if(cases, [&](const MeasuredCase& one) { return untimed == Untimed::left_out && !one.is_timed(); });
  if (cases.empty())
    throw Error(ErrorCode::bad_argument,
                untimed == Untimed::kept ? "it has no results" : "nothing to draw: no rung has verified times");
  for (MeasuredCase& one : cases) {
    std::stable_partition(one.rungs.begin(), one.rungs.end(), [](const MeasuredRung& rung) { return !rung.is_peer; });
  }
  return cases;
}

double read_roof(const json& results) { return results.value("roofs", json::object()).value("read_bytes_per_s", 0.); }

double operation_roof(const json& results, const std::string& unit) {
  return results.value("roofs", json::object()).value("operations_per_s", json::object()).value(unit, 0.);
}

}  // namespace rafter::plot

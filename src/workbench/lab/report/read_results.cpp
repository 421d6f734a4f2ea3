#include "workbench/lab/report/read_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rafter/error.hpp"
#include "workbench/lab/report/results.hpp"

namespace rafter::lab {

namespace {

using nlohmann::json;

constexpr Regime all_regimes[] = {Regime::cold, Regime::warm, Regime::graph, Regime::wall};

Regime regime_called(const std::string& word) {
  for (const Regime regime : all_regimes) {
    if (word == name(regime)) return regime;
  }
  throw Error(ErrorCode::bad_argument, fmt::format("unknown regime '{}'", word));
}

Status status_called(const std::string& word) {
  for (const auto status : {Status::verified, Status::wrong, Status::refused, Status::absent, Status::failed}) {
    if (word == name(status)) return status;
  }
  return Status::implausible;
}

Floor floor_from(double ns, const std::string& limit) {
  for (const auto kind : {Floor::Limit::memory, Floor::Limit::sectors, Floor::Limit::launch}) {
    if (limit == name(Floor{.limit = kind})) return {.ns = ns, .limit = kind};
  }
  for (const Unit unit : all_units) {
    if (limit == name(unit)) return {.ns = ns, .limit = Floor::Limit::arithmetic, .unit = unit};
  }
  throw Error(ErrorCode::bad_argument, fmt::format("unknown floor limit '{}'", limit));
}

Summary summary_from(const json& s) {
  return {.n = s.at("n"),
          .minimum = s.at("min_ns"),
          .lower_quartile = s.at("lower_quartile_ns"),
          .median = s.at("median_ns"),
          .upper_quartile = s.at("upper_quartile_ns"),
          .interval_low = s.at("interval_ns").at(0),
          .interval_high = s.at("interval_ns").at(1)};
}

Measurement measurement_from(const json& result, const Rung& rung) {
  Measurement m{.rung = &rung, .status = status_called(result.at("status")), .reason = result.at("detail")};
  if (!result.contains("samples_ns")) return m;
  m.samples_ns = result["samples_ns"].get<std::vector<double>>();
  m.rounds = result.at("rounds").get<std::vector<int>>();
  m.summary = summary_from(result);
  m.stopped_by = result.at("stopped_by");
  m.n_discarded = result.at("discarded_samples");
  if (result.contains("launches")) m.n_launches = result["launches"].get<int>();
  for (const Regime regime : all_regimes) {
    const std::string key(name(regime));
    if (result.contains("regimes") && result["regimes"].contains(key))
      m.others[regime] = summary_from(result["regimes"][key]);
  }
  if (result.contains("stages")) {
    m.stages.emplace();
    for (const json& stage : result["stages"]) m.stages->stages.push_back({stage.at("name"), stage.at("ns")});
  }
  return m;
}

/// Reads everything but the rungs.
CaseReport case_from(const json& result, const Workload& workload, const Params& params, Device device) {
  CaseReport report{.workload = &workload,
                    .params = params,
                    .device = device,
                    .seed = result.at("seed"),
                    .n_input_sets = result.at("input_sets"),
                    .regime = regime_called(result.at("regime")),
                    .cost = {.bytes_read = result.at("bytes_read"), .bytes_written = result.at("bytes_written")},
                    .floor = floor_from(result.at("floor_ns"), result.at("floor_limit")),
                    .noise = result.at("noise")};
  for (const Unit unit : all_units) report.cost.operations[unit] = result.at("operations").value(name(unit), 0.);
  return report;
}

}  // namespace

std::optional<CaseReport> find_report(const json& document, const Workload& workload, const Params& params,
                                      Device device, std::string_view regime) {
  std::optional<CaseReport> report;
  const json wanted = to_json(params);
  try {
    for (const json& result : document.at("results")) {
      if (result.at("workload") != workload.name || result.at("device") != name(device) ||
          result.at("regime") != regime || result.at("params") != wanted)
        continue;
      const auto rung = std::find_if(workload.rungs.begin(), workload.rungs.end(), [&](const Rung& one) {
        return one.device == device && one.name == result.at("rung").get<std::string>();
      });
      if (rung == workload.rungs.end()) return std::nullopt;
      if (!report) report = case_from(result, workload, params, device);
      report->rungs.push_back(measurement_from(result, *rung));
    }
  } catch (const json::exception& error) {
    throw Error(ErrorCode::bad_argument, fmt::format("not a results file of 'rafter run': {}", error.what()));
  }
  return report;
}

}  // namespace rafter::lab

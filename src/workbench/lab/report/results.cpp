#include "workbench/lab/report/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/csv.hpp"
#include "base/units.hpp"
#include "rafter/error.hpp"

namespace rafter::lab {

namespace {

using nlohmann::json;

json to_json(const Summary& s) {
  return {{"n", s.n},
          {"median_ns", s.median},
          {"min_ns", s.minimum},
          {"lower_quartile_ns", s.lower_quartile},
          {"upper_quartile_ns", s.upper_quartile},
          {"interval_ns", {s.interval_low, s.interval_high}}};
}

/// Writes only the units with a nonzero number.
json to_json(const PerUnit& numbers) {
  json object = json::object();
  for (const Unit unit : all_units) {
    if (numbers[unit] > 0) object[name(unit)] = numbers[unit];
  }
  return object;
}

json to_json(const StageProfile& profile) {
  json stages = json::array();
  for (const StageTime& stage : profile.stages)
    stages.push_back({{"name", stage.name}, {"ns", stage.ns}, {"share", profile.share(stage)}});
  return stages;
}

json result_of(const CaseReport& report, const Measurement& m) {
  json result = {{"workload", report.workload->name},
                 {"params", to_json(report.params)},
                 {"device", name(report.device)},
                 {"rung", m.rung->name},
                 {"kind", m.rung->kind == RungKind::peer ? "peer" : "rung"},
                 {"idea", m.rung->idea},
                 {"verified", m.status == Status::verified},
                 {"status", name(m.status)},
                 {"detail", m.reason},
                 {"regime", name(report.regime)},
                 {"seed", report.seed},
                 {"input_sets", report.n_input_sets},
                 {"floor_ns", report.floor.ns},
                 {"floor_limit", name(report.floor)},
                 {"bytes_read", report.cost.bytes_read},
                 {"bytes_written", report.cost.bytes_written},
                 {"operations", to_json(report.cost.operations)},
                 {"noise", report.noise}};
  if (!m.rung->allowed.empty()) result["allowed"] = m.rung->allowed;
  if (m.status != Status::verified || m.samples_ns.empty()) return result;
  result.update(to_json(m.summary));
  result["samples_ns"] = m.samples_ns;
  result["rounds"] = m.rounds;
  result["stopped_by"] = m.stopped_by;
  result["discarded_samples"] = m.n_discarded;
  result["verified_samples"] = m.n_verified;
  result["fresh_samples"] = m.n_fresh;
  if (m.n_launches) result["launches"] = *m.n_launches;
  for (const auto& [regime, summary] : m.others) result["regimes"][std::string(name(regime))] = to_json(summary);
  if (m.stages) result["stages"] = to_json(*m.stages);
  return result;
}

}  // namespace

json to_json(const Roofs& roofs) {
  return {{"read_bytes_per_s", roofs.bandwidth.largest(read_traffic)},
          {"write_bytes_per_s", roofs.bandwidth.largest(write_traffic)},
          {"copy_bytes_per_s", roofs.bandwidth.largest(copy_traffic)},
          {"bandwidth", to_json(roofs.bandwidth)},
          {"cache_bytes_per_s", roofs.cache_bytes_per_s},
          {"cache_bytes", roofs.cache_bytes},
          {"sector_bytes", roofs.sector_bytes},
          {"operations_per_s", to_json(roofs.operations_per_s)},
          {"launch_ns", roofs.launch_ns}};
}

json to_json(const RunRoofs& roofs) {
  json object = to_json(roofs.now());
  object["start"] = to_json(roofs.start());
  object["end"] = roofs.drifts().empty() ? json() : to_json(roofs.at_end());
  object["beaten"] = json::array();
  for (const BeatenFloor& beaten : roofs.beaten()) {
    object["beaten"].push_back(
        {{"by", beaten.by}, {"limit", name(beaten.floor)}, {"floor_ns", beaten.floor.ns}, {"median_ns", beaten.ns}});
  }
  object["drift"] = json::object();
  for (const Drift& drift : roofs.drifts()) object["drift"][drift.what] = drift.ratio;
  object["too_busy"] = roofs.too_busy();
  return object;
}

json to_json(const Params& params) {
  json object = json::object();
  for (const auto& [name, value] : params.all()) {
    std::visit([&object, key = name](const auto& v) { object[key] = v; }, value);
  }
  return object;
}

json results_json(const json& machine, const json& roofs, std::span<const CaseReport> reports, const Parameter* swept) {
  json results = json::array();
  for (const CaseReport& report : reports) {
    for (const Measurement& m : report.rungs) results.push_back(result_of(report, m));
  }
  json document{{"format", 1}, {"time", base::now_utc()}, {"machine", machine}, {"roofs", roofs}, {"results", results}};
  if (swept != nullptr) document["sweep"] = {{"parameter", swept->name}, {"meaning", swept->meaning}};
  return document;
}

std::string results_csv(std::span<const CaseReport> reports) {
  std::string text = base::csv_line({"workload", "params", "device", "regime", "rung", "kind", "status", "detail",
                                     "median_ns", "interval_low_ns", "interval_high_ns", "samples", "launches",
                                     "floor_ns", "floor_limit", "bytes_read", "bytes_written"});
  for (const CaseReport& report : reports) {
    for (const Measurement& m : report.rungs) {
      const bool is_timed = m.status == Status::verified && m.summary.n > 0;
      const auto if_timed = [&](auto value) { return is_timed ? fmt::format("{}", value) : ""; };
      text += base::csv_line(
          {report.workload->name, report.params.text(), std::string(name(report.device)),
           std::string(name(report.regime)), m.rung->name, m.rung->kind == RungKind::peer ? "peer" : "rung",
           name(m.status), m.reason, if_timed(m.summary.median), if_timed(m.summary.interval_low),
           if_timed(m.summary.interval_high), if_timed(m.summary.n), m.n_launches ? std::to_string(*m.n_launches) : "",
           fmt::format("{}", report.floor.ns), name(report.floor), fmt::format("{}", report.cost.bytes_read),
           fmt::format("{}", report.cost.bytes_written)});
    }
  }
  return text;
}

namespace {

using nlohmann::json;

constexpr Regime all_regimes[] = {Regime::cold, Regime::warm, Regime::graph, Regime::wall};

Regime regime_called(const std::string& word) {
  for (const Regime regime : all_regimes) {
    if (word == name(regime)) return regime;
  }
  throw Error(ErrorCode::bad_argument, fmt::format("unknown regime '{}'", word));
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
  m.n_verified = result.value("verified_samples", 0);
  m.n_fresh = result.value("fresh_samples", 0);
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

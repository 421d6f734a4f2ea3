#include "workbench/lab/report/results.hpp"

#include <nlohmann/json.hpp>

#include "base/units.hpp"

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
  if (m.status != Status::verified || m.samples_ns.empty()) return result;
  result.update(to_json(m.summary));
  result["samples_ns"] = m.samples_ns;
  result["rounds"] = m.rounds;
  result["stopped_by"] = m.stopped_by;
  result["discarded_samples"] = m.n_discarded;
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
  object["raised"] = json::array();
  for (const RoofRaise& raise : roofs.raises()) {
    object["raised"].push_back(
        {{"by", raise.by}, {"limit", name(raise.floor)}, {"floor_ns", raise.floor.ns}, {"median_ns", raise.ns}});
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

}  // namespace rafter::lab

#include "lab/report/results.hpp"

#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

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
                 {"floor_limit", name(report.floor.limit)},
                 {"bytes_read", report.cost.bytes_read},
                 {"bytes_written", report.cost.bytes_written},
                 {"operations", report.cost.operations},
                 {"noise", report.noise}};
  if (m.status != Status::verified || m.samples_ns.empty()) return result;
  result.update(to_json(m.summary));
  result["samples_ns"] = m.samples_ns;
  result["stopped_by"] = m.stopped_by;
  result["discarded_samples"] = m.n_discarded;
  for (const auto& [regime, summary] : m.others) result["regimes"][std::string(name(regime))] = to_json(summary);
  return result;
}

std::string now_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

json to_json(const Roofs& roofs) {
  return {{"read_bytes_per_s", roofs.read_bytes_per_s},
          {"write_bytes_per_s", roofs.write_bytes_per_s},
          {"copy_bytes_per_s", roofs.copy_bytes_per_s},
          {"fma_flops_per_s", roofs.fma_flops_per_s},
          {"launch_ns", roofs.launch_ns}};
}

json to_json(const Params& params) {
  json object = json::object();
  for (const auto& [name, value] : params.all()) {
    std::visit([&object, key = name](const auto& v) { object[key] = v; }, value);
  }
  return object;
}

json results_json(const json& machine, const Roofs& roofs, std::span<const CaseReport> reports) {
  json results = json::array();
  for (const CaseReport& report : reports) {
    for (const Measurement& m : report.rungs) results.push_back(result_of(report, m));
  }
  return {{"format", 1}, {"time", now_utc()}, {"machine", machine}, {"roofs", to_json(roofs)}, {"results", results}};
}

}  // namespace rafter::lab

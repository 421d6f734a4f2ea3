#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/csv.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/run/commands.hpp"
#include "workbench/lab/report/results.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::cli {

namespace {

using nlohmann::json;

std::vector<std::string> rung_names(const lab::Workload& workload, Device device, lab::RungKind kind) {
  std::vector<std::string> names;
  for (const lab::Rung* rung : rungs_on(workload, device)) {
    if (rung->kind == kind) names.push_back(rung->name);
  }
  return names;
}

std::string why_not_built(const lab::Workload& workload, Device device) {
  std::vector<std::string> missing;
  for (const lab::Rung* rung : rungs_on(workload, device)) {
    if (!rung->run) missing.push_back(rung->name);
  }
  if (missing.empty()) return "";
  if (missing.size() == rungs_on(workload, device).size())
    return fmt::format("not in this build ({})", why_unavailable(device).value_or("its libraries are missing"));
  return fmt::format("not in this build: {}", fmt::join(missing, ", "));
}

void print_workload(const lab::Workload& workload) {
  const auto print_lines = [](const std::string& first, const std::string& words) {
    fmt::print("{}", base::wrapped(words, first, std::string(first.size() + 2, ' ')));
  };
  print_lines(fmt::format("{:<10} ", workload.name), workload.summary);
  for (const Device device : {Device::cpu, Device::cuda}) {
    const auto rungs = rung_names(workload, device, lab::RungKind::rung);
    const auto peers = rung_names(workload, device, lab::RungKind::peer);
    if (!rungs.empty()) {
      print_lines(fmt::format("  {:<8} ", name(device)), fmt::format("{}", fmt::join(rungs, " -> ")));
    }
    const std::string below(11, ' ');
    if (!peers.empty()) print_lines(below, fmt::format("peers: {}", fmt::join(peers, ", ")));
    if (!why_not_built(workload, device).empty()) print_lines(below, why_not_built(workload, device));
  }
}

void print_parameters(const lab::Workload& workload) {
  fmt::print("  parameters\n");
  for (const lab::Parameter& p : workload.parameters) {
    lab::Params one;
    one.set(p.name, p.standard);
    const std::string first = fmt::format("    {:<24} ", one.text());
    const std::string choices = p.choices.empty() ? "" : fmt::format(": {}", fmt::join(p.choices, ", "));
    fmt::print("{}", base::wrapped(p.meaning + (p.is_size ? " (--size)" : "") + choices, first, std::string(29, ' ')));
  }
}

json to_json(const lab::Workload& workload) {
  json object = {
      {"name", workload.name}, {"summary", workload.summary}, {"parameters", json::array()}, {"rungs", json::array()}};
  for (const lab::Parameter& p : workload.parameters) {
    lab::Params one;
    one.set(p.name, p.standard);
    object["parameters"].push_back({{"name", p.name},
                                    {"meaning", p.meaning},
                                    {"default", lab::to_json(one)[p.name]},
                                    {"size", p.is_size},
                                    {"choices", p.choices}});
  }
  for (const lab::Rung& rung : workload.rungs) {
    object["rungs"].push_back({{"name", rung.name},
                               {"device", name(rung.device)},
                               {"kind", rung.kind == lab::RungKind::peer ? "peer" : "rung"},
                               {"idea", rung.idea},
                               {"source", rung.source_path},
                               {"built", static_cast<bool>(rung.run)}});
  }
  return object;
}

std::string rungs_csv(const Workloads& workloads) {
  std::string text = base::csv_line({"workload", "device", "kind", "rung", "built", "idea", "source"});
  for (const lab::Workload* workload : workloads) {
    for (const lab::Rung& rung : workload->rungs)
      text += base::csv_line({workload->name, std::string(name(rung.device)),
                              rung.kind == lab::RungKind::peer ? "peer" : "rung", rung.name, rung.run ? "yes" : "no",
                              rung.idea, rung.source_path});
  }
  return text;
}

std::string parameters_csv(const lab::Workload& workload) {
  std::string text = base::csv_line({"parameter", "default", "size", "choices", "meaning"});
  for (const lab::Parameter& p : workload.parameters)
    text += base::csv_line({p.name, std::visit([](const auto& value) { return fmt::format("{}", value); }, p.standard),
                            p.is_size ? "yes" : "no", fmt::format("{}", fmt::join(p.choices, " ")), p.meaning});
  return text;
}

}  // namespace

int list(const ListOptions& options, const Workloads& workloads) {
  Workloads chosen = workloads;
  if (!options.workload.empty()) chosen = {&lab::workload_called(workloads, options.workload)};
  options.formats.require();
  json all = json::array();
  for (const lab::Workload* workload : chosen) all.push_back(to_json(*workload));
  base::OutputFile(options.formats.json).write(all.dump(2));
  base::OutputFile(options.formats.csv)
      .write(options.workload.empty() ? rungs_csv(chosen) : parameters_csv(*chosen.front()));
  if (options.formats.take_stdout()) return exit_good;
  for (const lab::Workload* workload : chosen) {
    print_workload(*workload);
    if (!options.workload.empty()) print_parameters(*workload);
  }
  return exit_good;
}

}  // namespace rafter::cli

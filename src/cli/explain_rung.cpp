#include "cli/explain_rung.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/concurrent_runs.hpp"
#include "base/messages.hpp"
#include "base/terminal.hpp"
#include "rafter/error.hpp"
#include "workbench/explain/rung.hpp"
#include "workbench/journal/record.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/machine/device_choice.hpp"
#include "workbench/lab/measure/measure.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::cli {

namespace {

/// Returns the requested rung, or the op of the device.
std::string rung_of(const lab::Workload& workload, Device device, const std::string& wanted) {
  std::vector<std::string> known;
  for (const lab::Rung& rung : workload.rungs) {
    if (rung.device == device) known.push_back(rung.name);
    if (wanted.empty() ? rung.device == device && rung.role == lab::Role::op : false) return rung.name;
    if (rung.device == device && rung.name == wanted) return wanted;
  }
  if (wanted.empty() && !known.empty()) return known.back();
  throw Error(ErrorCode::bad_argument,
              base::unknown_name(fmt::format("rung of {} on {}", workload.name, name(device)), wanted, known));
}

/// Returns the only workload of a loaded folder.
const lab::Workload& only_one(const Workloads& workloads) {
  if (workloads.size() == 1) return *workloads.front();
  std::string names;
  for (const auto& workload : workloads) names += " " + workload->name;
  throw Error(ErrorCode::bad_argument, "name the workload to explain; there are:" + names);
}

}  // namespace

int explain_rung(const ExplainOptions& options, const Workloads& workloads) {
  journal::require_words(options.words);
  const std::vector<std::string>& words = options.request.build;
  if (words.size() > 2)
    throw Error(ErrorCode::bad_argument,
                fmt::format("'{}' is one argument too many: rafter explain WORKLOAD [RUNG]", words[2]));
  const lab::Workload& workload = words.empty() ? only_one(workloads) : lab::workload_called(workloads, words[0]);
  const Device device = lab::choose_device(options.device, {"cpu", "cuda"});
  const std::string rung = rung_of(workload, device, words.size() > 1 ? words[1] : "");
  const auto jobs = session::parse_jobs(
      {.workloads = {workload.name}, .size = options.size, .settings = options.settings}, workloads, device);
  if (jobs.front().cases.size() > 1 || options.size.find(',') != std::string::npos)
    throw Error(ErrorCode::bad_argument, "one case is explained at a time: give one value for each parameter");

  const std::string next = explain::rung_after(workload, device, rung);
  const base::ConcurrentRuns concurrent_runs(fmt::format("explain {} on {}", workload.name, name(device)));
  const Stream stream = lab::make_stream(device, options.n_threads);
  lab::RunRoofs roofs(lab::make_roof_meter(stream));
  base::ProgressLine progress;
  progress.show("measuring the roofs", std::nullopt);
  roofs.begin();
  lab::MeasureOptions measure;
  measure.seed = lab::fresh_seed();
  measure.all_regimes = measure.stages = true;
  measure.only = {rung};
  if (!next.empty()) measure.only.push_back(next);
  measure.rounds.cap_s = 0.5;
  const lab::CaseReport report =
      measure_case(workload, jobs.front().cases.front(), stream, roofs, measure,
                   [&](const std::string& what, double share) { progress.show(what, share); });
  progress.clear();
  const explain::RungFacts facts = explain::facts_of(report, roofs.now(), rung);
  const auto findings = explain::diagnose(facts);
  base::OutputFile(options.formats.json).write(to_json(facts, findings).dump(2));
  if (!options.formats.take_stdout()) fmt::print("{}", screen(facts, findings, base::output_style()));
  journal::record({.said = fmt::format("{} {}: {}.", facts.workload, facts.rung, findings.front().sentence),
                   .next = facts.next.empty() ? findings.front().idea : facts.next + ": " + facts.next_idea,
                   .words = options.words});
  return report.any_wrong() ? exit_no : exit_good;
}

}  // namespace rafter::cli

#include "cli/run_simt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/terminal.hpp"
#include "cli/cases.hpp"
#include "lab/cases/generate.hpp"
#include "lab/cases/verify.hpp"
#include "lab/report/machine.hpp"
#include "lab/report/results.hpp"
#include "lab/workload/registry.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {

namespace {

constexpr std::size_t n_quick_cases = 12;

std::vector<const lab::Workload*> chosen_workloads(const RunOptions& options, const Workloads& workloads) {
  std::vector<const lab::Workload*> chosen;
  for (const std::string& wanted : options.workloads) chosen.push_back(&lab::workload_called(workloads, wanted));
  return chosen.empty() ? workloads : chosen;
}

/// The cases asked for, or the awkward ones that the executor runs in a moment.
std::vector<lab::Params> cases_for(const lab::Workload& workload, const RunOptions& options) {
  if (!options.size.empty() || !options.settings.empty()) {
    return cases_of(workload, Device::simt, lab::Effort::quick, options.size, options.settings);
  }
  std::vector<lab::Params> cases = lab::executor_cases(workload);
  if (options.quick) cases.resize(std::min(cases.size(), n_quick_cases));
  return cases;
}

lab::CaseReport verify_case(const lab::Workload& workload, const lab::Params& params, const Stream& stream,
                            const RunOptions& options, std::uint64_t seed) {
  lab::CaseReport report{.workload = &workload, .params = params, .device = Device::simt, .seed = seed};
  report.n_input_sets = 1;
  const auto work = workload.make_case(params, stream, {.seed = seed, .n_input_sets = 1});
  report.cost = work->cost();
  for (const lab::Rung* rung : rungs_on(workload, Device::simt, options.rungs)) {
    report.rungs.push_back(lab::verify_rung(*rung, *work, stream));
  }
  return report;
}

/// One line per rung over all cases, and what is wrong with the first case that is.
std::string table(const lab::Workload& workload, const std::vector<lab::CaseReport>& reports) {
  std::string text = fmt::format("{}: {} case{}\n", workload.name, reports.size(), reports.size() == 1 ? "" : "s");
  for (std::size_t r = 0; !reports.empty() && r < reports.front().rungs.size(); ++r) {
    std::size_t n_verified = 0, n_refused = 0;
    const lab::CaseReport* bad = nullptr;
    for (const lab::CaseReport& report : reports) {
      const auto status = report.rungs[r].status;
      n_verified += status == lab::Status::verified;
      n_refused += status == lab::Status::refused;
      if (status != lab::Status::verified && status != lab::Status::refused && bad == nullptr) bad = &report;
    }
    text += fmt::format("  {:<19} ", reports.front().rungs[r].rung->name);
    if (bad != nullptr) {
      text += fmt::format("{} with {}\n{}\n", name(bad->rungs[r].status), bad->params.text(), bad->rungs[r].reason);
    } else {
      text += fmt::format("{} verified, nothing found{}\n", n_verified,
                          n_refused ? fmt::format("; {} refused", n_refused) : "");
    }
  }
  return text;
}

}  // namespace

int run_simt(const RunOptions& options, const Workloads& workloads) {
  const bool to_stdout = options.json_path == "-";
  std::FILE* out = to_stdout ? stderr : stdout;
  const Stream stream = Stream::on(Device::simt);
  const std::uint64_t seed =
      options.seed.empty() ? lab::fresh_seed() : static_cast<std::uint64_t>(lab::parse_integer(options.seed));
  fmt::print(out, "rafter on {}: all checkers on, no times   (seed {})\n\n", lab::describe_device(Device::simt), seed);
  std::fflush(out);
  base::ProgressLine progress;
  std::vector<lab::CaseReport> all;
  for (const lab::Workload* workload : chosen_workloads(options, workloads)) {
    std::vector<lab::CaseReport> reports;
    const auto cases = cases_for(*workload, options);
    for (const lab::Params& params : cases) {
      progress.show(workload->name + " " + params.text(),
                    static_cast<double>(reports.size()) / static_cast<double>(cases.size()));
      reports.push_back(verify_case(*workload, params, stream, options, seed));
    }
    progress.clear();
    fmt::print(out, "{}\n", table(*workload, reports));
    std::fflush(out);
    all.insert(all.end(), reports.begin(), reports.end());
  }
  const std::string json =
      lab::results_json(lab::fingerprint(Device::simt, 1), nlohmann::json::object(), all).dump(1) + "\n";
  if (to_stdout) {
    fmt::print("{}", json);
  } else if (!options.json_path.empty()) {
    base::write_file(options.json_path, json);
  }
  const bool wrong = std::any_of(all.begin(), all.end(), [](const lab::CaseReport& r) { return r.any_wrong(); });
  return wrong ? exit_no : exit_good;
}

}  // namespace rafter::cli

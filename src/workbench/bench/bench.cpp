#include "workbench/bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/exit_code.hpp"
#include "base/files.hpp"
#include "base/terminal.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/device/simt_device.hpp"
#include "executor/report/report_file.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/proof.hpp"
#include "workbench/bench/watch.hpp"
#include "workbench/lab/machine/device_choice.hpp"
#include "workbench/lab/report/results.hpp"
#include "workbench/session/run.hpp"

namespace rafter::bench {

namespace {

/// The run of the workload that consists of the kernels.
session::RunPlan run_plan(const BenchPlan& plan, const lab::Workload& workload) {
  session::RunRequest request{.workloads = {workload.name},
                              .device = std::string(name(plan.device)),
                              .all_regimes = plan.all_regimes,
                              .quick = plan.quick,
                              .seed = plan.seed ? std::to_string(*plan.seed) : ""};
  std::vector<session::Setting> settings;
  for (const Size& size : plan.kernels.sizes) {
    request.settings.push_back(size.text);
    settings.push_back({&parameter_called(workload, size.name), size.values});
  }
  return session::make_plan(request, plan.device, session::make_jobs(workload, {plan.kernels.first_case()}, settings));
}

/// The results of a run on the executor, completed with counts.
struct CountedResults {
  nlohmann::json document{};
  std::string text{};    ///< The table of each case and what follows from it.
  std::string advice{};  ///< For the first kernel that is not a reference.
};

/// Counts the verified kernels of one case and adds what was counted to its entries in `results`.
void count_case(const lab::Workload& workload, const KernelPlan& plan, const lab::Params& params,
                nlohmann::json& results, CountedResults& counted) {
  const auto work = workload.make_case(params, Stream::on(Device::simt), {.seed = 1, .n_input_sets = 1});
  const nlohmann::json wanted = lab::to_json(params);
  std::vector<KernelCounts> all;
  for (nlohmann::json& result : results) {
    if (result["params"] != wanted || !result["verified"].get<bool>()) continue;
    const auto rungs = rungs_on(workload, Device::simt, {result["rung"].get<std::string>()});
    all.push_back(count_rung(*rungs.front(), *work));
    add_counts(result, all.back());
  }
  if (all.empty()) return;
  counted.text += fmt::format("Counted{}; the estimate is the model's for an {}, no time was measured:\n{}",
                              params.text().empty() ? "" : " with " + params.text(), estimate_gpu(),
                              counts_table(all, work->cost()));
  for (const KernelCounts& counts : all) counted.text += limit_text(counts, work->cost());
  const auto own =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return !plan.is_reference(one.kernel); });
  if (counted.advice.empty() && own != all.end()) counted.advice = limit_text(*own, work->cost());
}

/// Counts every case of the results.
CountedResults count_results(const lab::Workload& workload, const KernelPlan& plan,
                             const std::vector<lab::Params>& cases, nlohmann::json document) {
  CountedResults counted{.document = std::move(document)};
  for (const lab::Params& params : cases) count_case(workload, plan, params, counted.document["results"], counted);
  return counted;
}

}  // namespace

Device choose_device(const std::string& wanted) {
  if (!wanted.empty() && wanted != "cuda" && wanted != "simt") lab::refuse_device(wanted, {"cuda", "simt"});
  if (wanted == "simt") return Device::simt;
  if (wanted.empty() && why_unavailable(Device::cuda)) return Device::simt;
  return lab::choose_device("cuda", {"cuda", "simt"});
}

journal::Event journal_event(const KernelRequest& request, const journal::Words& words) {
  journal::Event event{.sources = journal::sources_in(request.build), .words = words};
  if (request.kernels.size() == 1) event.rung = request.kernels.front();  // even if the reference is faster
  return event;
}

KernelCounts count_rung(const lab::Rung& rung, lab::Case& work) {
  work.prepare(0);
  const std::string report = simt::count_accesses([&] { rung.run(work, Stream::on(Device::simt), 0); });
  return counts_of(rung.name, simt::report::parse_report(report, simt::build::toolchain().shim_dir));
}

std::vector<KernelCounts> count_rungs(const lab::Workload& workload, lab::Case& work) {
  std::vector<KernelCounts> all;
  for (const lab::Rung& rung : workload.rungs) {
    if (!rung.known) all.push_back(count_rung(rung, work));  // counts of a rejected one would be those of wrong work
  }
  return all;
}

int bench_child(const Job& job) {
  const BenchPlan& plan = job.plan;
  if (plan.device == Device::simt) simt::provide_device();
  const Library library(job.libraries.front());
  const std::vector<Variant> variants = variants_of(plan.kernels, library);
  if (!job.variants.empty()) {
    verify_here(job, variants, lab::make_stream(plan.device, 0));
    return base::exit_good;
  }
  const Watch watch(job.watch);
  lab::Workload workload = make_workload(plan.kernels, variants, plan.device, job.rejected, watch.guard());
  trust(workload, job.proved);
  const session::RunPlan run = run_plan(plan, workload);
  session::RunOutputs outputs{.json_path = plan.json_path, .csv_path = plan.csv_path, .event = plan.event};
  CountedResults counted;
  if (plan.device == Device::simt) {
    outputs.writes_journal = false;
    outputs.complete = [&](nlohmann::json& document) {
      watch.guard().ended();  // counting takes longer than a kernel may
      const lab::Workload unwatched = make_workload(plan.kernels, variants, plan.device, job.rejected, {});
      counted = count_results(unwatched, plan.kernels, run.jobs.front().cases, document);
      document = counted.document;
    };
  }
  const int code = session::run(run, outputs, {});
  watch.guard().ended();
  if (plan.device == Device::simt && code != base::exit_stopped) {
    fmt::print(plan.text_stream(), "{}", counted.text);
    journal::Event event = plan.event;
    event.verdict = code == base::exit_good ? "right" : "wrong";
    event.said = counted.advice;
    event.results = counted.document.dump();
    journal::record(event);
  }
  return code;
}

int bench_kernels(const BenchPlan& plan) {
  const base::ScratchFolder scratch;
  base::ProgressLine progress;
  const StartChild start = [&](const Job& part) {
    progress.show(fmt::format("verifying {}", part.variants.front()), 0.5);
    return run_child(part, ChildOutput::discarded).was_stalled;
  };
  progress.show(fmt::format("compiling {}", plan.kernels.file.string()), 0);
  Job job{.plan = plan,
          .libraries = {build_library(plan.kernels, plan.kernels.build, plan.device, scratch.path())},
          .watch = scratch.path() / "watch",
          .results = scratch.path() / "results.json"};
  const Proof proof = needs_proof(plan) ? prove(plan, scratch.path(), start) : Proof();
  job.rejected = proof.rejected;
  job.proved = proof.proved;
  for (const std::string& kernel : plan.kernels.rungs()) {
    if (!job.rejected.contains(kernel)) job.variants.push_back(kernel);
  }
  const auto verdicts = verify_apart(job, start);
  progress.clear();
  std::string notes = plan.device == Device::cuda ? proof.notes : "";  // on the executor, the cases themselves show it
  if (!verdicts.empty() && !verdicts.begin()->second.warning.empty())
    notes += base::wrapped("warning: " + verdicts.begin()->second.warning, "", "  ");
  for (const auto& [kernel, verdict] : verdicts) {
    if (verdict.status != lab::Status::verified) job.rejected[kernel] = verdict;
    if (!verdict.is_repeatable)
      notes += fmt::format("{} gives different bits in each launch, within the tolerance\n", kernel);
  }
  job.variants.clear();
  const ChildEnd end = run_child(job, ChildOutput::inherited);
  if (end.was_stalled)
    throw Error(ErrorCode::device_failure,
                fmt::format("{} did not end within {:g} s, although it did while it was verified",
                            Watch(job.watch).running(), plan.time_limit_s));
  fmt::print(plan.text_stream(), "{}", notes);
  return end.code;
}

}  // namespace rafter::bench

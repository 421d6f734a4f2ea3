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

/// Prints the counts of the verified kernels in the first case. Returns the advice for the first one that is not a
/// reference.
std::string print_counts(const Job& job, const std::vector<Variant>& variants) {
  const KernelPlan& plan = job.plan.kernels;
  const lab::Workload workload = make_workload(plan, variants, Device::simt, job.rejected, {});
  const lab::Params params = plan.first_case();
  const auto work = workload.make_case(params, Stream::on(Device::simt), {.seed = 1, .n_input_sets = 1});
  const std::vector<KernelCounts> all = count_rungs(workload, *work);
  if (all.empty()) return "";
  std::FILE* out = job.plan.text_stream();
  fmt::print(out, "Counted{}:\n{}", params.text().empty() ? "" : " with " + params.text(),
             counts_table(all, work->cost()));
  for (const KernelCounts& counts : all) fmt::print(out, "{}", limit_text(counts, work->cost()));
  const auto own =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return !plan.is_reference(one.kernel); });
  return own != all.end() ? limit_text(*own, work->cost()) : "";
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

std::vector<KernelCounts> count_rungs(const lab::Workload& workload, lab::Case& work) {
  const Stream stream = Stream::on(Device::simt);
  std::vector<KernelCounts> all;
  for (const lab::Rung& rung : workload.rungs) {
    if (rung.known) continue;  // its counts would be those of wrong work
    work.prepare(0);
    const std::string report = simt::count_accesses([&] { rung.run(work, stream, 0); });
    all.push_back(counts_of(rung.name, simt::report::parse_report(report, simt::build::toolchain().shim_dir)));
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
  const session::RunOutputs outputs{.json_path = plan.json_path,
                                    .csv_path = plan.csv_path,
                                    .event = plan.event,
                                    .writes_journal = plan.device != Device::simt};
  const int code = session::run(run_plan(plan, workload), outputs, {});
  watch.guard().ended();
  if (plan.device == Device::simt && code != base::exit_stopped) {
    journal::Event event = plan.event;
    event.verdict = code == base::exit_good ? "right" : "wrong";
    event.said = print_counts(job, variants);
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

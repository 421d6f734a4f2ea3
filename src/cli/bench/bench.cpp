#include "cli/bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/files.hpp"
#include "base/terminal.hpp"
#include "cli/bench/process.hpp"
#include "cli/bench/program.hpp"
#include "cli/bench/request.hpp"
#include "cli/bench/told.hpp"
#include "cli/run/cases.hpp"
#include "cli/run/commands.hpp"
#include "cli/streams.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/device/simt_device.hpp"
#include "executor/report/report_file.hpp"
#include "workbench/bench/counts.hpp"
#include "workbench/bench/verify.hpp"
#include "workbench/bench/watch.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::cli {

namespace {

/// The same as words of `run` about the workload that is made of the kernels.
RunOptions run_options(const BenchOptions& options, const lab::Workload& workload, Device device) {
  RunOptions run;
  run.workloads = {workload.name};
  run.device = device == Device::simt ? "simt" : "cuda";
  run.settings = options.settings;
  run.json_path = options.json_path;
  run.csv_path = options.csv_path;
  run.all_regimes = options.all_regimes;
  run.quick = options.quick;
  run.seed = options.seed;
  run.event = event_of(options);
  run.is_told = device != Device::simt;
  return run;
}

/// What the executor counts of the kernels that are right, in the first case; what follows for the first of them.
std::string show_counts(const bench::Plan& plan, const std::vector<bench::Variant>& variants, const bench::Job& job,
                        std::FILE* out) {
  const lab::Workload workload = make_workload(plan, variants, Device::simt, job.broken, {});
  const Stream stream = Stream::on(Device::simt);
  const lab::Params params = plan.first_case();
  const auto work = workload.make_case(params, stream, {.seed = 1, .n_input_sets = 1});
  std::vector<bench::KernelCounts> all;
  for (const lab::Rung& rung : workload.rungs) {
    if (std::find(job.uncounted.begin(), job.uncounted.end(), rung.name) != job.uncounted.end()) continue;
    work->prepare(0);
    const std::string report = simt::count_accesses([&] { rung.run(*work, stream, 0); });
    all.push_back(bench::counts_of(rung.name, simt::report::parse_report(report, simt::build::toolchain().shim_dir)));
  }
  if (all.empty()) return "";
  fmt::print(out, "Counted{}:\n{}", params.text().empty() ? "" : " with " + params.text(),
             counts_table(all, work->cost()));
  for (const bench::KernelCounts& counts : all) fmt::print(out, "{}", limit_text(counts, work->cost()));
  const auto own =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return !plan.is_reference(one.kernel); });
  return own != all.end() ? limit_text(*own, work->cost()) : "";
}

/// In a process of its own.
int perform(const bench::Job& job, const BenchOptions& options, const bench::Plan& plan) {
  const Device device = device_of(options);
  if (device == Device::simt) simt::provide_device();
  const bench::Library library(job.libraries.front());
  const std::vector<bench::Variant> variants = variants_of(plan, library);
  if (!job.variants.empty()) {
    verify_here(job, plan, variants, plan.first_case(), stream_on(device, 0));
    return exit_good;
  }
  const bench::Watch watch(job.watch);
  const lab::Workload workload = make_workload(plan, variants, device, job.broken, watch.guard());
  std::FILE* people = options.json_path == "-" || options.csv_path == "-" ? stderr : stdout;
  const int code = run(run_options(options, workload, device), {&workload}, {});
  watch.guard().ended();
  if (device == Device::simt && code != exit_stopped) {
    journal::Event event = event_of(options);
    event.verdict = code == exit_good ? "right" : "wrong";
    event.said = show_counts(plan, variants, job, people);
    journal::record(event);
  }
  return code;
}

/// Verifies in processes that may break, and measures what did not.
int bench_kernels(const BenchOptions& options) {
  const bench::Plan plan = make_plan(request_of(options));
  if (const auto job = job_of_this_process()) return perform(*job, options, plan);
  const Device device = device_of(options);
  const base::ScratchFolder scratch;
  base::ProgressLine progress;
  progress.show(fmt::format("compiling {}", plan.file.string()), 0);
  bench::Job job{.libraries = {build_library(plan, options.build, device, scratch.path())},
                 .watch = scratch.path() / "watch",
                 .results = scratch.path() / "results.json",
                 .variants = plan.rungs()};
  const auto verdicts = verify_apart(job, plan, options.time_limit_s, [&](const bench::Job& part) {
    progress.show(fmt::format("verifying {}", part.variants.front()), 0.5);
    return run_job(part, device, options.time_limit_s, Voice::silent).was_stopped;
  });
  progress.clear();
  std::string notes;
  for (const auto& [kernel, verdict] : verdicts) {
    if (verdict.status == lab::Status::failed) job.broken[kernel] = verdict.reason;
    if (verdict.status != lab::Status::verified) job.uncounted.push_back(kernel);
    if (!verdict.is_repeatable)
      notes += fmt::format("{} does not give the same bits every time, but within the tolerance\n", kernel);
  }
  job.variants.clear();
  const JobEnd end = run_job(job, device, options.time_limit_s, Voice::ours);
  if (end.was_stopped)
    throw Error(ErrorCode::device_failure, fmt::format("{} did not end within {:g} s, though it did before",
                                                       bench::Watch(job.watch).running(), options.time_limit_s));
  fmt::print(options.json_path == "-" || options.csv_path == "-" ? stderr : stdout, "{}", notes);
  return end.code;
}

}  // namespace

int bench(const BenchOptions& options) {
  if (options.build.empty()) throw Error(ErrorCode::bad_argument, "no CUDA source was given; expected FILE.cu");
  journal::require_words(options.words);
  if (!options.kernels.empty()) return bench_kernels(options);
  if (!options.references.empty() || !options.arguments.empty() || !options.grids.empty())
    throw Error(ErrorCode::bad_argument, "--reference, --arg and --grid are about kernels: --kernel NAME says which");
  return bench_program(options, device_of(options));
}

}  // namespace rafter::cli

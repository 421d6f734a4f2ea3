// rafter-bench: bench, and tune of a user kernel.
#include "workbench/bench/bench.hpp"

#include "base/files.hpp"
#include "base/stop_signals.hpp"
#include "cli/signing.hpp"
#include "cli/tool.hpp"
#include "workbench/bench/program.hpp"
#include "workbench/bench/untrusted.hpp"
#include "workbench/tune/kernel.hpp"

namespace rafter::cli {

namespace {

void require_source(const BenchOptions& options) {
  if (options.kernels.build.empty()) throw Error(ErrorCode::bad_argument, "no CUDA source was given; expected FILE.cu");
  journal::require_words(options.words);
}

bench::BenchPlan bench_plan(const BenchOptions& options) {
  bench::BenchPlan plan{.kernels = bench::parse_plan(options.kernels),
                        .device = bench::choose_device(options.device),
                        .time_limit_s = options.time_limit_s,
                        .quick = options.quick,
                        .all_regimes = options.all_regimes,
                        .json_path = options.json_path,
                        .csv_path = options.csv_path,
                        .event = bench::journal_event(options.kernels, options.words)};
  if (!options.seed.empty()) plan.seed = static_cast<std::uint64_t>(lab::parse_integer(options.seed));
  return plan;
}

/// Returns the exit code of the command in a sandbox; nothing if it is already there, or not wanted there. Inside,
/// files of results are written where the process outside finds them.
std::optional<int> sandboxed(BenchOptions& options) {
  if (!options.is_untrusted && !options.readable.empty())
    throw Error(ErrorCode::bad_argument, "--readable is for --untrusted: other programs can read everything");
  if (!options.is_untrusted) return std::nullopt;
  if (const auto results = bench::sandbox_results()) {
    if (options.json_path != "-") options.json_path = (*results / "results.json").string();
    if (!options.csv_path.empty() && options.csv_path != "-") options.csv_path = (*results / "results.csv").string();
    options.sign_key.clear();  // the process outside signs
    return std::nullopt;
  }
  std::vector<std::string> arguments = options.kernels.arguments;
  for (const auto* more : {&options.kernels.references, &options.kernels.symbols})
    arguments.insert(arguments.end(), more->begin(), more->end());
  return signing(options.sign_key, options.json_path, [&] {
    return bench::run_in_sandbox({.build = options.kernels.build,
                                  .arguments = arguments,
                                  .readable = options.readable,
                                  .device = options.device,
                                  .json_path = options.json_path,
                                  .csv_path = options.csv_path});
  });
}

int perform_bench(BenchOptions options) {
  require_source(options);
  const base::StopSignals signals(base::OnStop::unwinds);
  if (const auto code = sandboxed(options)) return *code;
  const bench::KernelRequest& kernels = options.kernels;
  if (kernels.has_subject())
    return signing(options.sign_key, options.json_path, [&] { return bench::bench_kernels(bench_plan(options)); });
  if (!kernels.references.empty() || !kernels.arguments.empty() || !kernels.grids.empty())
    throw Error(ErrorCode::bad_argument, "--reference, --arg and --grid are for kernels: name them with --kernel NAME");
  return signing(options.sign_key, options.json_path, [&] {
    return bench::bench_program({.build = kernels.build,
                                 .arguments = options.program_arguments,
                                 .device = bench::choose_device(options.device),
                                 .time_limit_s = options.time_limit_s,
                                 .quick = options.quick,
                                 .json_path = options.json_path,
                                 .event = bench::journal_event(kernels, options.words)});
  });
}

int perform_tune(TuneOptions options) {
  require_source(options.bench);
  const base::StopSignals signals(base::OnStop::unwinds);
  if (options.bench.is_untrusted && !(options.cache_path.empty() && options.t4_path.empty()))
    throw Error(ErrorCode::bad_argument, "--cache and --t4 are not for --untrusted: its programs write nothing here");
  if (options.t4_path == "-")
    throw Error(ErrorCode::bad_argument, "--t4: expected a file; the standard output is for --json and --csv");
  if (!options.t4_path.empty()) base::require_writable(options.t4_path);
  if (const auto code = sandboxed(options.bench)) return *code;
  return signing(options.bench.sign_key, options.bench.json_path, [&] {
    bench::BenchPlan bench = bench_plan(options.bench);
    if (bench.kernels.kernels.size() != 1)
      throw Error(ErrorCode::bad_argument, "one kernel is tuned at a time: --kernel NAME, or one sequence of --call");
    tune::Space space =
        tune::parse_space(options.parameters, options.where, bench::names_of(bench.kernels.first_case()));
    return tune::tune_kernel(
        {.bench = std::move(bench),
         .space = std::move(space),
         .most_points = static_cast<std::size_t>(options.most_points),
         .n_finalists = options.n_finalists,
         .strategy = options.strategy == "local" ? tune::Strategy::local : tune::Strategy::halving,
         .objective = options.objective == "energy" ? tune::Objective::energy : tune::Objective::time,
         .cache_path = options.cache_path,
         .t4_path = options.t4_path});
  });
}

}  // namespace

}  // namespace rafter::cli

int main(int argc, char** argv) {
  using namespace rafter;
  return cli::guarded([&] {
    if (const auto job = bench::child_job())
      return job->n_finalists > 0 ? tune::tune_child(*job) : bench::bench_child(*job);
    return cli::tool(argc, argv,
                     cli::Performer{
                         [](const cli::BenchOptions& options) { return cli::perform_bench(options); },
                         [](const cli::TuneOptions& options) { return cli::perform_tune(options); },
                     });
  });
}

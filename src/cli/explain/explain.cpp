#include "cli/explain/explain.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/terminal.hpp"
#include "cli/executor/build.hpp"
#include "cli/executor/run_program.hpp"
#include "cli/executor/sizes.hpp"
#include "executor/build/program.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/report/findings_text.hpp"
#include "executor/report/report_file.hpp"
#include "rafter/error.hpp"
#include "workbench/explain/as_json.hpp"
#include "workbench/explain/compiled.hpp"
#include "workbench/explain/nsight.hpp"
#include "workbench/explain/profile.hpp"
#include "workbench/explain/screen.hpp"
#include "workbench/explain/times.hpp"
#include "workbench/journal/record.hpp"

namespace rafter::cli {

namespace {

namespace report = simt::report;
using explain::Facts;

constexpr std::int64_t few_blocks = 4, enough_blocks = 64;
constexpr double sample_patience_s = 3;

/// Blocks of each launch that are run; 0: all. Of a bare kernel a few stand for all: only its results are wrong then.
std::int64_t sample_of(const ExplainOptions& options) {
  if (options.blocks == "all") return 0;
  if (options.blocks.empty()) return options.kernel.kernel.empty() ? 0 : few_blocks;
  const bool is_number =
      options.blocks.find_first_not_of("0123456789") == std::string::npos && options.blocks.size() < 10;
  const std::int64_t n = is_number ? std::stoll(options.blocks) : 0;
  if (n < 1)
    throw Error(ErrorCode::bad_argument,
                "--blocks expects a whole number from 1 on, or all; got '" + options.blocks + "'");
  return n;
}

/// The program with a call at the start of every stretch of code, so that the lanes that pass it can be counted.
ExecutorOptions counted(const ExplainOptions& options) {
  ExecutorOptions run = options.kernel;
  run.action = ExecutorOptions::Action::profile;
  const bool is_built = run.build.size() == 1 && !simt::build::is_source(run.build.front());
  if (!is_built) run.build.insert(run.build.end(), {"-Xcompiler", "-fsanitize-coverage=trace-pc"});
  return run;
}

/// The counts of a run, and the verdict on it.
struct Counted {
  nlohmann::json report;
  base::Outcome ended;
  std::int64_t sample;
};

/// One run of the program.
Counted count_once(const ExecutorOptions& run, const std::filesystem::path& program,
                   const std::filesystem::path& scratch) {
  const auto path = scratch / "report.json";
  std::filesystem::remove(path);
  const base::Outcome ended = run_program(run, program, path);
  return {report::read_report(path, simt::build::toolchain().shim_dir), ended, run.sample};
}

bool has_counts(const Counted& counted) { return counted.report.is_object() && report::has_launches(counted.report); }

/// Throws Error where nothing was counted.
Counted require_counts(Counted found, const ExecutorOptions& run) {
  if (has_counts(found)) return found;
  if (!run.kernel.empty() && found.ended.code == exit_failed)
    throw Error(ErrorCode::bad_argument, "the kernel could not be launched as described");
  throw Error(ErrorCode::unsupported,
              found.ended.succeeded()
                  ? "the program launched no kernel: there is nothing to explain"
                  : fmt::format("the program ended with {} before a kernel was counted", found.ended.status()));
}

Counted count(const ExplainOptions& options, const std::filesystem::path& scratch) {
  ExecutorOptions run = counted(options);
  const std::filesystem::path program = make_program(run).program;
  run.sample = sample_of(options);
  const bool may_choose = options.blocks.empty() && run.sample > 0;
  if (!may_choose) return require_counts(count_once(run, program, scratch), run);
  run.quiet = true;
  run.patience_s = sample_patience_s;
  const auto start = std::chrono::steady_clock::now();
  Counted few = count_once(run, program, scratch);
  const bool is_quick = std::chrono::steady_clock::now() - start < std::chrono::milliseconds(500);
  const bool went_well = few.ended.succeeded() && has_counts(few) && !report::has_findings(few.report);
  if (went_well && !is_quick) return few;
  // Quick: more of them tell more. Not well: blocks may wait for others that were left out.
  run.sample = went_well ? enough_blocks : 0;
  run.quiet = false;
  run.patience_s = 0;
  return require_counts(count_once(run, program, scratch), run);
}

explain::Sources sources_of(const explain::ProgramFacts& facts, const explain::CompiledSources& compiled,
                            const explain::NsightCounters& nsight, const Counted& counted) {
  explain::Sources made;
  double share = 1;
  bool any_compiled = false, any_mix = false, any_times = false;
  for (const Facts& kernel : facts.kernels) {
    share = std::min(share, kernel.counted_share);
    any_compiled = any_compiled || kernel.compiled;
    any_mix = any_mix || (kernel.compiled && !kernel.compiled->mix.empty());
    any_times = any_times || kernel.times;
  }
  made.known.push_back(
      share < 1 ? fmt::format("counts of {} blocks of a launch, which stand for all (executor)", counted.sample)
                : "counts of all blocks (executor)");
  if (any_compiled) made.known.emplace_back("registers and code for a GPU (nvcc)");
  if (any_mix) made.known.emplace_back("the mix of instructions (cuobjdump)");
  if (any_times) made.known.emplace_back("times on a GPU");
  if (!any_times) made.unknown.emplace_back("times: none were measured, all above is estimated");
  if (!any_compiled)
    made.unknown.push_back("registers, spills, dependencies: " +
                           (compiled.why_not.empty() ? "nvcc compiled no such kernel" : compiled.why_not));
  if (nsight.why_not.empty()) {
    made.known.emplace_back("counters of Nsight Compute");
  } else {
    made.unknown.push_back("Nsight Compute's counters: " + nsight.why_not);
  }
  return made;
}

explain::NsightCounters nsight_of(const ExplainOptions& options, const std::filesystem::path& scratch) {
  if (!options.kernel.kernel.empty()) return {.why_not = "it counts whole programs"};
  return explain::count_with_ncu(options.kernel.build, options.kernel.program_arguments, scratch);
}

/// What did not come to its end is not explained.
int show_failure(const Counted& counted) {
  fmt::print(stderr, "{}", report::findings_text(counted.report));
  for (const auto& kernel : counted.report["kernels"]) {
    if (kernel.contains("failure"))
      fmt::print(stderr,
                 "rafter: kernel {} did not end well, so that it is not explained: {}; 'rafter check' says more\n",
                 kernel["name"].get<std::string>(), kernel["failure"].get<std::string>());
  }
  return report::met_unsupported(counted.report) ? exit_failed : exit_no;
}

int verdict(const Counted& counted) {
  if (report::met_unsupported(counted.report)) return exit_failed;
  if (report::has_findings(counted.report) || report::has_failures(counted.report)) return exit_no;
  return counted.ended.succeeded() ? exit_good : exit_no;
}

/// What limits the program, or its heaviest kernel, and what to try.
void tell_journal(const ExplainOptions& options, const explain::ProgramDiagnosis& found, int code) {
  const explain::Finding& first = found.findings.empty() ? found.kernels.front().first() : found.findings.front();
  const std::string whose = found.findings.empty() ? found.kernels.front().kernel + ": " : "";
  journal::record({.sources = journal::sources_in(options.kernel.build),
                   .verdict = code == exit_good ? "" : "could not run",
                   .said = whose + first.sentence + ".",
                   .next = first.idea,
                   .words = options.words});
}

}  // namespace

int explain(const ExplainOptions& given) {
  journal::require_words(given.words);
  ExplainOptions options = given;
  options.kernel.settings = options.settings;
  options.kernel = with_sizes(options.kernel);
  const explain::Gpu& gpu = explain::gpu_called(options.gpu);
  if (options.kernel.build.empty())
    throw Error(ErrorCode::bad_argument,
                "what shall be explained? A file (my.cu), or a workload ('rafter list' has them)");
  const nlohmann::json times = options.times.empty() ? nlohmann::json() : explain::read_times(options.times);
  const base::ScratchFolder scratch;
  const Counted counted = count(options, scratch.path());
  if (report::has_failures(counted.report)) return show_failure(counted);
  explain::ProgramFacts facts = explain::facts_of(counted.report);
  const explain::CompiledSources compiled =
      explain::compile_sources({options.kernel.build, options.kernel.kernel}, gpu, scratch.path());
  const explain::NsightCounters nsight = nsight_of(options, scratch.path());
  for (Facts& kernel : facts.kernels) {
    add_compiled(kernel, compiled, gpu);
    if (!options.times.empty()) add_times(kernel, times);
    add_nsight(kernel, nsight);
  }
  const explain::Sources sources = sources_of(facts, compiled, nsight, counted);
  const bool is_bare = !options.kernel.kernel.empty();
  if (is_bare) facts.copies.clear();  // its arguments, which are nobody's program
  const base::Style style = base::output_style();
  const explain::ProgramDiagnosis found = diagnose(facts, gpu);
  if (options.json) {
    nlohmann::json made = to_json(facts, found);
    made["gpu"] = gpu.name;
    made["sources"] = to_json(sources);
    fmt::print("{}\n", made.dump(2));
  } else if (is_bare || (facts.kernels.size() == 1 && facts.kernels[0].launches == 1 && facts.copies.empty())) {
    fmt::print("{}", screen(facts.kernels[0], diagnose(facts.kernels[0], gpu), gpu, sources, style));
  } else {
    fmt::print("{}", screen(facts, found, gpu, sources, style));
  }
  const int code = verdict(counted);
  tell_journal(options, found, code);
  if (code != exit_good && !options.json) fmt::print("\n{}", report::findings_text(counted.report));
  return code;
}

}  // namespace rafter::cli

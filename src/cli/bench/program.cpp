#include "cli/bench/program.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/process.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/bench/told.hpp"
#include "cli/executor/build.hpp"
#include "cli/outputs.hpp"
#include "cli/stop_signals.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/report/findings_text.hpp"
#include "executor/report/report_file.hpp"
#include "workbench/bench/counts.hpp"
#include "workbench/bench/program.hpp"
#include "workbench/lab/machine/machine.hpp"

namespace rafter::cli {

namespace {

namespace fs = std::filesystem;
namespace report = simt::report;
using nlohmann::json;

base::Command command_for(const fs::path& program, const BenchOptions& options) {
  base::Command command{program.string()};
  command.insert(command.end(), options.program_arguments.begin(), options.program_arguments.end());
  return command;
}

/// The first run speaks; the others, of which there are some if that was short, only count.
int on_gpu(const BenchOptions& options, const OutcomeFile& outcome, const fs::path& scratch) {
  base::ProgressLine progress;
  progress.show("compiling", 0);
  const fs::path program = bench::build_timed_program(options.build, scratch), times = scratch / "launches";
  progress.clear();
  constexpr int most_runs = 5;
  constexpr double enough_s = 5;
  bench::ProgramTimes all;
  int code = 0;
  const auto start = std::chrono::steady_clock::now();
  const StopSignals signals;
  for (int i = 0; i < (options.quick ? 1 : most_runs); ++i) {
    if (i > 0 && std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > enough_s) break;
    fs::remove(times);
    const bool is_heard = i == 0;
    const base::Outcome ended =
        base::run_process({.command = command_for(program, options),
                           // A kernel's code is loaded when it is first launched, unless somebody asks for it.
                           .variables = {{"RAFTER_LAUNCHES", times.string()}, {"CUDA_MODULE_LOADING", "EAGER"}},
                           .streams = !is_heard             ? base::Streams::captured
                                      : outcome.is_stdout() ? base::Streams::inherited_stderr
                                                            : base::Streams::inherited,
                           .stop_wanted = StopSignals::arrived});
    code = ended.status();
    const bench::ProgramTimes one = bench::parse_times(base::read_file(times).value_or(""));
    if (one.kernels.empty() && one.captured.empty())
      throw Error(ErrorCode::unsupported,
                  fmt::format("the program ended with {} and left no times: it launched no kernel, or crashed", code));
    if (i == 0) {
      all = one;
    } else {
      bench::add_run(all, one);
    }
    if (code != 0) break;
  }
  const std::string name = fs::path(options.build.front()).filename().string();
  fmt::print(outcome.for_people(), "\nrafter on {}\n{}", lab::describe_device(Device::cuda), times_table(name, all));
  if (code != 0) fmt::print(stderr, "rafter: the program itself returned {}\n", code);
  json document = to_json(all);
  document["program"] = name;
  document["machine"] = lab::fingerprint(Device::cuda, 1);
  outcome.write(document.dump(2) + "\n");
  journal::Event event = event_of(options);
  event.measured = fmt::format("{} of kernels, {} of copies, {} in all.", base::show_time(all.kernels_ns()),
                               base::show_time(all.copies_ns()), base::show_time(all.wall_ns));
  if (!all.kernels.empty())
    event.said = fmt::format("{} takes {:.0f} % of the kernels' time.", all.kernels.front().kernel,
                             100 * all.kernels.front().total_ns() / all.kernels_ns());
  if (code != 0) event.verdict = "could not run";
  journal::record(event);
  return code == 0 ? exit_good : exit_no;
}

/// What a run of the program on the executor left.
json run_on_executor(const fs::path& program, const BenchOptions& options, const char* mode, bool is_heard,
                     const OutcomeFile& outcome, const fs::path& scratch) {
  const fs::path left = scratch / "report.json";
  fs::remove(left);
  const base::Outcome ended =
      base::run_process({.command = command_for(program, options),
                         .variables = {{"RAFTER_SIMT", fmt::format("mode={};report={};time_limit={}", mode,
                                                                   left.string(), options.time_limit_s)}},
                         .streams = !is_heard             ? base::Streams::captured
                                    : outcome.is_stdout() ? base::Streams::inherited_stderr
                                                          : base::Streams::inherited,
                         .input = base::Input::none,
                         .stop_wanted = StopSignals::arrived});
  json found = report::read_report(left, simt::build::toolchain().shim_dir);
  if (!found.is_object() || !report::has_launches(found))
    throw Error(ErrorCode::unsupported,
                fmt::format("the program ended with {} before a kernel was launched", ended.status()));
  found["status"] = ended.status();
  return found;
}

int on_executor(const BenchOptions& options, const OutcomeFile& outcome, const fs::path& scratch) {
  ExecutorOptions checked_build;
  checked_build.action = ExecutorOptions::Action::check;
  checked_build.build = options.build;
  const fs::path program = make_program(checked_build).program;
  const StopSignals signals;
  const json checked = run_on_executor(program, options, "check", true, outcome, scratch);
  const json counted = run_on_executor(program, options, "count", false, outcome, scratch);
  std::FILE* out = outcome.for_people();
  fmt::print(out, "{}{}", report::findings_text(checked), report::summary_text(checked));
  std::vector<bench::KernelCounts> all;
  json document{{"findings", checked["findings"]}, {"kernels", json::array()}};
  for (const auto& [kernel, counts] : counted["counts"].items()) {
    all.push_back(bench::counts_of(kernel, json{{"counts", {{kernel, counts}}}}));
    document["kernels"].push_back(to_json(all.back()));
  }
  fmt::print(out, "Counted:\n{}", counts_table(all, {}));
  for (const bench::KernelCounts& counts : all) fmt::print(out, "{}", limit_text(counts, {}));
  fmt::print(out, "  There is no GPU here, so there are no times.\n");
  outcome.write(document.dump(2) + "\n");
  const bool is_clean = !report::has_findings(checked) && !report::has_failures(checked) && checked["status"] == 0;
  journal::Event event = event_of(options);
  event.verdict = is_clean ? "right" : "wrong";
  event.said = is_clean ? limit_text(all.front(), {}) : report::summary_text(checked);
  journal::record(event);
  return is_clean ? exit_good : exit_no;
}

}  // namespace

int bench_program(const BenchOptions& options, Device device) {
  const OutcomeFile outcome(options.json_path);
  require_outputs({outcome.file()}, {});
  const base::ScratchFolder scratch;
  return device == Device::cuda ? on_gpu(options, outcome, scratch.path())
                                : on_executor(options, outcome, scratch.path());
}

}  // namespace rafter::cli

#include "workbench/bench/program.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/exit_code.hpp"
#include "base/files.hpp"
#include "base/outputs.hpp"
#include "base/process.hpp"
#include "base/stop_signals.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/command/program.hpp"
#include "executor/report/findings_text.hpp"
#include "executor/report/report_file.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/counts.hpp"
#include "workbench/bench/program_times.hpp"
#include "workbench/lab/machine/machine.hpp"

namespace rafter::bench {

namespace {

namespace fs = std::filesystem;
namespace report = simt::report;
using nlohmann::json;

base::Command command_for(const fs::path& program, const ProgramBenchPlan& plan) {
  base::Command command{program.string()};
  command.insert(command.end(), plan.arguments.begin(), plan.arguments.end());
  return command;
}

/// The output of the first run is shown. A short program runs again, silently, for more samples.
int on_gpu(const ProgramBenchPlan& plan, const base::OutputFile& output, const fs::path& scratch) {
  base::ProgressLine progress;
  progress.show("compiling", 0);
  const fs::path program = build_timed_program(plan.build, scratch), times = scratch / "launches";
  progress.clear();
  constexpr int most_runs = 5;
  constexpr double enough_s = 5;
  ProgramTimes all;
  int code = 0;
  const auto start = std::chrono::steady_clock::now();
  const base::StopSignals signals;
  for (int i = 0; i < (plan.quick ? 1 : most_runs); ++i) {
    if (i > 0 && std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > enough_s) break;
    fs::remove(times);
    const bool is_shown = i == 0;
    const base::Outcome ended =
        base::run_process({.command = command_for(program, plan),
                           // By default the code of a kernel is loaded at its first launch.
                           .variables = {{"RAFTER_LAUNCHES", times.string()}, {"CUDA_MODULE_LOADING", "EAGER"}},
                           .streams = !is_shown            ? base::Streams::captured
                                      : output.is_stdout() ? base::Streams::inherited_stderr
                                                           : base::Streams::inherited,
                           .stop_wanted = base::StopSignals::arrived});
    code = ended.status();
    const ProgramTimes one = parse_times(base::read_file(times).value_or(""));
    if (one.kernels.empty() && one.captured.empty())
      throw Error(
          ErrorCode::unsupported,
          fmt::format("the program returned {} and recorded no times: it launched no kernel, or crashed", code));
    if (i == 0) {
      all = one;
    } else {
      add_run(all, one);
    }
    if (code != 0) break;
  }
  const std::string name = fs::path(plan.build.front()).filename().string();
  fmt::print(output.text_stream(), "\nrafter on {}\n{}", lab::describe_device(Device::cuda), times_table(name, all));
  if (code != 0) fmt::print(stderr, "rafter: the program itself returned {}\n", code);
  json document = to_json(all);
  document["program"] = name;
  document["machine"] = lab::fingerprint(Device::cuda, 1);
  output.write(document.dump(2) + "\n");
  journal::Event event = plan.event;
  event.measured = fmt::format("{} of kernels, {} of copies, {} in all.", base::show_time(all.kernels_ns()),
                               base::show_time(all.copies_ns()), base::show_time(all.wall_ns));
  if (!all.kernels.empty())
    event.said = fmt::format("{} takes {:.0f} % of the kernels' time.", all.kernels.front().kernel,
                             100 * all.kernels.front().total_ns() / all.kernels_ns());
  if (code != 0) event.verdict = "could not run";
  journal::record(event);
  return code == 0 ? base::exit_good : base::exit_no;
}

/// Runs the program on the executor and returns its report.
json run_on_executor(const fs::path& program, const ProgramBenchPlan& plan, const char* mode, bool is_shown,
                     const base::OutputFile& output, const fs::path& scratch) {
  const fs::path left = scratch / "report.json";
  fs::remove(left);
  const base::Outcome ended =
      base::run_process({.command = command_for(program, plan),
                         .variables = {{"RAFTER_SIMT", fmt::format("mode={};report={};time_limit={}", mode,
                                                                   left.string(), plan.time_limit_s)}},
                         .streams = !is_shown            ? base::Streams::captured
                                    : output.is_stdout() ? base::Streams::inherited_stderr
                                                         : base::Streams::inherited,
                         .input = base::Input::none,
                         .stop_wanted = base::StopSignals::arrived});
  json found = report::read_report(left, simt::build::toolchain().shim_dir);
  if (!found.is_object() || !report::has_launches(found))
    throw Error(ErrorCode::unsupported,
                fmt::format("the program returned {} before it launched a kernel", ended.status()));
  found["status"] = ended.status();
  return found;
}

int on_executor(const ProgramBenchPlan& plan, const base::OutputFile& output, const fs::path& scratch) {
  const fs::path program =
      simt::command::make_program({.action = simt::command::Action::check, .build = plan.build}).program;
  const base::StopSignals signals;
  const json checked = run_on_executor(program, plan, "check", true, output, scratch);
  const json counted = run_on_executor(program, plan, "count", false, output, scratch);
  std::FILE* out = output.text_stream();
  fmt::print(out, "{}{}", report::findings_text(checked), report::summary_text(checked));
  std::vector<KernelCounts> all;
  json document{{"findings", checked["findings"]}, {"kernels", json::array()}};
  for (const auto& [kernel, counts] : counted["counts"].items()) {
    all.push_back(counts_of(kernel, json{{"counts", {{kernel, counts}}}}));
    document["kernels"].push_back(to_json(all.back()));
  }
  fmt::print(out, "Counted:\n{}", counts_table(all, {}));
  for (const KernelCounts& counts : all) fmt::print(out, "{}", limit_text(counts, {}));
  fmt::print(out, "  There is no GPU here, so there are no times.\n");
  output.write(document.dump(2) + "\n");
  const bool is_clean = !report::has_findings(checked) && !report::has_failures(checked) && checked["status"] == 0;
  journal::Event event = plan.event;
  event.verdict = is_clean ? "right" : "wrong";
  event.said = is_clean ? limit_text(all.front(), {}) : report::summary_text(checked);
  journal::record(event);
  return is_clean ? base::exit_good : base::exit_no;
}

}  // namespace

int bench_program(const ProgramBenchPlan& plan) {
  const base::OutputFile output(plan.json_path);
  base::require_outputs({output.file()}, {});
  const base::ScratchFolder scratch;
  return plan.device == Device::cuda ? on_gpu(plan, output, scratch.path()) : on_executor(plan, output, scratch.path());
}

}  // namespace rafter::bench

// rafter-executor: exec, check, profile and nvcc. Builds a CUDA program for the executor, runs it, and shows what was
// found or counted.
#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/sandbox/sandbox.hpp"
#include "base/seal.hpp"
#include "base/stop_signals.hpp"
#include "base/terminal.hpp"
#include "cli/tool.hpp"
#include "executor/build/nvcc.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/build/untrusted.hpp"
#include "executor/command/program.hpp"
#include "executor/report/ci_reports.hpp"
#include "executor/report/findings_text.hpp"
#include "executor/report/profile_text.hpp"
#include "executor/report/report_file.hpp"
#include "executor/report/suppressions.hpp"
#include "rafter/version.hpp"

namespace rafter::cli {

namespace {

namespace fs = std::filesystem;
namespace build = simt::build;
namespace report = simt::report;
using simt::command::Action;
using simt::command::ProgramPlan;

std::string ending_text(const base::Outcome& ended, const ProgramPlan& plan) {
  if (!ended.exceeded.empty()) return "the program was stopped: " + base::limit_text(ended.exceeded);
  if (ended.timed_out && plan.time_limit_s <= 0) return "the program was stopped: " + base::limit_text("time");
  if (ended.timed_out) return fmt::format("the program was stopped after its time limit of {:g} s", plan.time_limit_s);
  if (ended.signal)
    return fmt::format("the program was ended by signal {} ({})", ended.signal, strsignal(ended.signal));
  return fmt::format("the program returned {}", ended.code);
}

/// Prints the launches that failed, and how the program ended.
void show_failures(const ProgramPlan& plan, const nlohmann::json& found, const base::Outcome& ended) {
  fmt::print("{}", report::failures_text(found));
  if (!ended.succeeded()) fmt::print("{}\n", ending_text(ended, plan));
}

/// Prints the findings of a check.
void show_check(const ProgramPlan& plan, const nlohmann::json& found, const base::Outcome& ended) {
  fmt::print("{}", report::findings_text(found));
  show_failures(plan, found, ended);
  if (report::has_launches(found)) fmt::print("{}", report::summary_text(found));
}

int verdict(const ProgramPlan& plan, const nlohmann::json& found, const base::Outcome& ended,
            const report::FailOn& fail_on) {
  if (report::met_unsupported(found)) return exit_failed;
  if (fail_on.is_met(found) || (fail_on.counts_all_findings() && report::has_failures(found))) return exit_no;
  if (ended.signal || ended.timed_out) return exit_failed;
  if (!report::has_launches(found)) {
    fmt::print(stderr, "rafter: nothing was checked: the program launched no kernel\n");
    return exit_failed;
  }
  const bool is_our_driver = !plan.kernel.empty();  // it returns 2 for a request that it cannot perform
  return ended.code == 0 ? exit_good : is_our_driver && ended.code == exit_failed ? exit_failed : exit_no;
}

/// Shows what a plain run noticed. The program may not ask for errors itself.
int after_exec(const ProgramPlan& plan, const nlohmann::json& found, const base::Outcome& ended) {
  if (ended.timed_out || !ended.exceeded.empty()) fmt::print(stderr, "rafter: {}\n", ending_text(ended, plan));
  if (!found.is_object()) return ended.status();
  fmt::print(stderr, "{}", report::plain_run_text(found));
  return report::met_unsupported(found) ? exit_failed : ended.status();
}

void show_profile(const ProgramPlan& plan, const nlohmann::json& found, const base::Outcome& ended) {
  fmt::print("{}\n{}", report::profile_tables(found, base::output_style()), report::annotated_sources(found));
  fmt::print("{}", report::findings_text(found));
  show_failures(plan, found, ended);
}

nlohmann::json as_json(const base::Outcome& ended) {
  if (!ended.exceeded.empty()) return {{"exceeded", ended.exceeded}};
  if (ended.timed_out) return {{"timed_out", true}};
  return ended.signal != 0 ? nlohmann::json{{"signal", ended.signal}} : nlohmann::json{{"code", ended.code}};
}

struct Run {
  build::Built built{};
  base::Outcome ended{};
  nlohmann::json found{};   // null if the program ended before its first finding or launch
  bool is_stopped = false;  // by a signal to this process
};

build::Built made(const ProgramPlan& plan) {
  const base::StopSignals signals(base::OnStop::unwinds);
  return make_program(plan);
}

Run run(const ProgramPlan& plan) {
  const base::ScratchFolder scratch;
  const fs::path report_path = scratch.path() / "report.json";
  Run result{.built = made(plan)};
  result.ended = run_program(plan, result.built.program, report_path);
  result.is_stopped = base::StopSignals::arrived();
  result.found = report::read_report(report_path, build::toolchain().shim_dir);
  return result;
}

/// Builds and runs the program in sandboxes. Only a report that the executor has sealed counts.
Run run_untrusted(const ProgramPlan& plan) {
  constexpr std::int64_t most_report_bytes = std::int64_t{1} << 30;
  const build::UntrustedWork work(files_of(plan));
  Run result;
  {
    const base::Confinement confined(work.building());
    result.built = made(plan);
  }
  const fs::path report_path = work.results() / "report.json";
  const std::string key = base::new_key();
  {
    const base::Confinement confined(work.running());
    result.ended = run_program(plan, result.built.program, report_path, key);
    result.is_stopped = base::StopSignals::arrived();
  }
  const base::Confinement confined(work.building());  // line numbers are read from the program
  const std::string text = base::read_regular_file(report_path, most_report_bytes).value_or("");
  if (const auto sealed = base::unseal(key, "report", text)) {
    result.found = report::parse_report(std::string(*sealed), build::toolchain().shim_dir);
  } else if (!text.empty()) {
    throw Error(ErrorCode::unsupported, "the program wrote a report of its own in place of the executor's");
  }
  if (result.found.is_object()) result.found.erase("ended");
  return result;
}

/// Runs the program again with the seeds 1 to N, and adds what only these runs find. Stops after a run that a signal or
/// a limit ended.
void explore(const ProgramPlan& plan, Run& first) {
  for (int seed = 1; seed <= plan.n_schedules && !first.is_stopped; ++seed) {
    ProgramPlan again = plan;
    again.runtime_options += fmt::format(";schedule={}", seed);
    again.is_silent = true;
    Run run = plan.is_untrusted ? run_untrusted(again) : cli::run(again);
    if (run.found.is_object()) report::add_schedule(first.found, run.found, seed);
    if (first.ended.succeeded()) first.ended = run.ended;
    first.is_stopped = first.is_stopped || run.is_stopped;
    first.found["n_schedules"] = seed;
  }
}

void write_ci_reports(const ExecutorOptions& options, const nlohmann::json& found, int exit_code) {
  const std::string name = options.request.build.empty() ? "" : options.request.build.front();
  const report::CheckedProgram program{version, name, found.value("complete", true), exit_code};
  if (!options.sarif.empty()) base::write_file(options.sarif, report::sarif_of(found, program));
  if (!options.junit.empty()) base::write_file(options.junit, report::junit_of(found, program));
}

int executor(const ExecutorOptions& options) {
  options.formats.require(options.request.build);
  const report::FailOn fail_on(options.fail_on);
  std::vector<report::Suppression> suppressions;
  if (!options.suppress.empty()) {
    const auto text = base::read_file(options.suppress);
    if (!text) throw Error(ErrorCode::io, "there is no file " + options.suppress);
    suppressions = report::parse_suppressions(*text, options.suppress);
  }
  ProgramPlan plan = simt::command::parse_plan(options.request);
  plan.keeps_stdout = options.formats.take_stdout();
  if (!options.nvcc_wrapper.empty() && plan.is_untrusted)
    throw Error(ErrorCode::bad_argument,
                "--nvcc-wrapper is not possible with --untrusted: run the build in a container");
  if (!options.nvcc_wrapper.empty()) {
    build::write_nvcc_wrapper(options.nvcc_wrapper, build::this_program(), build::toolchain(),
                              plan.is_hooked() ? build::Mode::checked : build::Mode::plain);
    fmt::print("{0}/bin/nvcc builds for the executor: PATH={0}/bin:$PATH make\n",
               fs::absolute(options.nvcc_wrapper).string());
    return exit_good;
  }
  Run whole = plan.is_untrusted ? run_untrusted(plan) : run(plan);
  if (plan.n_schedules > 0 && whole.found.is_object()) explore(plan, whole);
  auto& [built, ended, found, is_stopped] = whole;
  if (plan.action == Action::exec) {
    const int code = after_exec(plan, found, ended);
    return is_stopped ? exit_stopped : code;
  }
  if (!found.is_object()) {
    base::OutputFile(options.formats.json)
        .write(nlohmann::json{{"program", as_json(ended)}, {"complete", false}}.dump(2));
    const nlohmann::json nothing{
        {"kernels", nlohmann::json::array()}, {"findings", nlohmann::json::array()}, {"complete", false}};
    write_ci_reports(options, nothing, exit_failed);
    if (is_stopped) throw base::Stopped();
    throw Error(ErrorCode::unsupported, ending_text(ended, plan) + " before anything was checked");
  }
  if (!plan.kernel.empty() && ended.code == exit_failed && !report::has_launches(found)) return exit_failed;
  found["complete"] = !ended.timed_out && ended.signal == 0;
  if (plan.action == Action::check) {
    report::add_unset_locals(found, built.unset_locals, plan.strict ? report::Weight::finding : report::Weight::note);
    if (!suppressions.empty()) report::suppress(found, suppressions);
  }
  if (!options.formats.csv.empty()) base::OutputFile(options.formats.csv).write(report::profile_csv(found));
  if (!options.formats.json.empty()) {
    nlohmann::json made = found;
    made["program"] = as_json(ended);
    base::OutputFile(options.formats.json).write(made.dump(2));
  }
  const bool prints_text = !options.formats.take_stdout();
  if (prints_text && plan.action == Action::profile) show_profile(plan, found, ended);
  if (prints_text && plan.action == Action::check) show_check(plan, found, ended);
  const int judged = verdict(plan, found, ended, fail_on);
  const int code = is_stopped && judged != exit_no ? exit_stopped : judged;
  write_ci_reports(options, found, code);
  return code;
}

/// The nvcc replacement that bin/nvcc of a wrapper folder calls.
int nvcc(const NvccOptions& options) {
  std::span<const std::string> arguments = options.arguments;
  auto mode = build::Mode::plain;
  if (!arguments.empty() && arguments.front().starts_with("--mode=")) {
    if (arguments.front() == "--mode=checked") mode = build::Mode::checked;
    arguments = arguments.subspan(1);
  }
  return build::nvcc(arguments, build::toolchain(), mode);
}

}  // namespace

}  // namespace rafter::cli

int main(int argc, char** argv) {
  using namespace rafter::cli;
  return tool(argc, argv,
              Performer{
                  [](const ExecutorOptions& options) { return executor(options); },
                  [](const NvccOptions& options) { return nvcc(options); },
              });
}

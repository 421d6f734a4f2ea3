// rafter exec, check and profile: builds a CUDA program for the executor, runs it, and shows what was found or counted.
#include "cli/executor/executor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/process.hpp"
#include "base/scratch_folder.hpp"
#include "base/terminal.hpp"
#include "cli/executor/build.hpp"
#include "cli/executor/sizes.hpp"
#include "cli/stop_signals.hpp"
#include "rafter/error.hpp"
#include "simt/build/nvcc.hpp"
#include "simt/build/toolchain.hpp"
#include "simt/report/findings_text.hpp"
#include "simt/report/profile_text.hpp"
#include "simt/report/report_file.hpp"
#include "simt/report/unset_notes.hpp"

namespace rafter::cli {

namespace {

namespace fs = std::filesystem;
namespace build = simt::build;
namespace report = simt::report;
using Action = ExecutorOptions::Action;

std::vector<std::string> program_arguments(const ExecutorOptions& options) {
  if (options.kernel.empty()) return options.program_arguments;
  std::vector<std::string> words;
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--grid", options.grid);
  add("--block", options.block);
  add("--shared", options.shared);
  for (const std::string& argument : options.arguments) add("--arg", argument);
  for (const std::string& save : options.saves) add("--save", save);
  if (options.action == Action::exec) add("--show", "arrays");
  return words;
}

std::string runtime_options(const ExecutorOptions& options, const fs::path& report_path) {
  const char* mode = options.action == Action::check ? "check" : options.action == Action::profile ? "count" : "plain";
  std::string text = fmt::format("mode={};report={}", mode, report_path.string());
  if (!options.schedule.empty()) {
    if (options.schedule.find_first_not_of("0123456789") != std::string::npos) {
      throw Error(ErrorCode::bad_argument, "--schedule expects a whole number, got '" + options.schedule + "'");
    }
    text += ";schedule=" + options.schedule;
  }
  if (options.time_limit_s > 0) text += fmt::format(";time_limit={0};program_limit={0}", options.time_limit_s);
  if (options.n_threads > 0) text += fmt::format(";workers={}", options.n_threads);
  if (options.leaks) text += ";leaks=1";
  if (options.isolate) text += ";isolate=1";
  if (options.strict) text += ";strict=1";
  if (!options.kernel.empty()) text += ";judged=1";
  if (options.in_step) text += ";in_step=1";
  return text;
}

std::string text(const base::Outcome& ended, const ExecutorOptions& options) {
  if (ended.timed_out)
    return fmt::format("the program was ended: its time limit of {:g} s was up", options.time_limit_s);
  if (ended.signal)
    return fmt::format("the program was ended by signal {} ({})", ended.signal, strsignal(ended.signal));
  return fmt::format("the program returned {}", ended.code);
}

/// Launches that were refused or did not end well, and how the program ended.
void show_failures(const ExecutorOptions& options, const nlohmann::json& found, const base::Outcome& ended) {
  for (const auto& kernel : found["kernels"]) {
    if (!kernel.contains("failure")) continue;
    fmt::print("kernel {} did not end well: {}\n", kernel["name"].get<std::string>(),
               kernel["failure"].get<std::string>());
  }
  if (!ended.well()) fmt::print("{}\n", text(ended, options));
}

/// Shows what a check found.
void show_check(const ExecutorOptions& options, const nlohmann::json& found, const base::Outcome& ended) {
  fmt::print("{}", report::findings_text(found));
  show_failures(options, found, ended);
  if (report::has_launches(found)) fmt::print("{}", report::summary_text(found));
}

int verdict(const ExecutorOptions& options, const nlohmann::json& found, const base::Outcome& ended) {
  if (report::met_unsupported(found)) return exit_failed;
  if (report::has_findings(found) || report::has_failures(found)) return exit_no;
  if (ended.signal || ended.timed_out) return exit_failed;
  if (!report::has_launches(found)) {
    fmt::print(stderr, "rafter: nothing was checked: the program launched no kernel\n");
    return exit_failed;
  }
  const bool is_our_driver = !options.kernel.empty();  // its 2 means that it could not do what was asked for
  return ended.code == 0 ? exit_good : is_our_driver && ended.code == exit_failed ? exit_failed : exit_no;
}

/// A plain run shows only what kept a launch from ending well.
int after_exec(const ExecutorOptions& options, const nlohmann::json& found, const base::Outcome& ended) {
  if (ended.timed_out) fmt::print(stderr, "rafter: {}\n", text(ended, options));
  if (!found.is_object()) return ended.status();
  const bool unsupported = report::met_unsupported(found);
  if (report::has_failures(found) || unsupported) fmt::print(stderr, "{}", report::findings_text(found));
  return unsupported ? exit_failed : ended.status();
}

void show_profile(const ExecutorOptions& options, const nlohmann::json& found, const base::Outcome& ended) {
  fmt::print("{}\n{}", report::profile_tables(found, base::output_style()), report::annotated_sources(found));
  fmt::print("{}", report::findings_text(found));
  show_failures(options, found, ended);
}

nlohmann::json as_json(const base::Outcome& ended) {
  if (ended.timed_out) return {{"timed_out", true}};
  return ended.signal != 0 ? nlohmann::json{{"signal", ended.signal}} : nlohmann::json{{"code", ended.code}};
}

/// Of a person at a terminal a program reads nothing, unless that was asked for: they would not know what it waits for.
/// The limit is the launches' as well; who sees one given up then has a while to say so.
base::Outcome run_program(const ExecutorOptions& options, const base::Command& command, const fs::path& report_path) {
  constexpr double last_words_s = 2;
  const StopSignals signals;  // end the program, but what it found until then is shown
  const bool is_typed = isatty(STDIN_FILENO) != 0, is_for_programs = options.json || options.csv;
  return base::run_process({.command = command,
                            .variables = {{"RAFTER_SIMT", runtime_options(options, report_path)}},
                            .streams = is_for_programs ? base::Streams::inherited_stderr : base::Streams::inherited,
                            .input = is_typed && !options.reads_terminal ? base::Input::none : base::Input::ours,
                            .session = is_typed && options.reads_terminal ? base::Session::ours : base::Session::own,
                            .time_limit_s = options.time_limit_s > 0 ? options.time_limit_s + last_words_s : 0,
                            .stop_wanted = StopSignals::arrived});
}

}  // namespace

int executor(const ExecutorOptions& given) {
  const ExecutorOptions options = with_sizes(given);
  const build::Mode mode = is_hooked(options) ? build::Mode::checked : build::Mode::plain;
  if (!options.nvcc_wrapper.empty()) {
    build::write_nvcc_wrapper(options.nvcc_wrapper, simt::build::this_program(), simt::build::toolchain(), mode);
    fmt::print("{0}/bin/nvcc builds for the executor: PATH={0}/bin:$PATH make\n",
               fs::absolute(options.nvcc_wrapper).string());
    return exit_good;
  }
  const base::ScratchFolder scratch;
  const build::Built built = make_program(options);
  const fs::path report_path = scratch.path() / "report.json";
  base::Command command = program_arguments(options);
  command.insert(command.begin(), built.program.string());
  const base::Outcome ended = run_program(options, command, report_path);
  nlohmann::json found = report::read_report(report_path, simt::build::toolchain().shim_dir);
  if (options.action == Action::exec) return after_exec(options, found, ended);
  if (!found.is_object()) {
    if (options.json) fmt::print("{}\n", nlohmann::json{{"program", as_json(ended)}}.dump(2));
    throw Error(ErrorCode::unsupported, text(ended, options) + " before anything was checked");
  }
  if (!options.kernel.empty() && ended.code == exit_failed && !report::has_launches(found)) return exit_failed;
  if (options.action == Action::check) {
    report::add_unset_locals(found, built.unset_locals,
                             options.strict ? report::Weight::finding : report::Weight::note);
  }
  if (options.json) {
    found["program"] = as_json(ended);
    fmt::print("{}\n", found.dump(2));
  } else if (options.csv) {
    fmt::print("{}", report::profile_csv(found));
  } else if (options.action == Action::profile) {
    show_profile(options, found, ended);
  } else {
    show_check(options, found, ended);
  }
  return verdict(options, found, ended);
}

}  // namespace rafter::cli

#include "cli/executor/run_program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/stop_signals.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {

namespace fs = std::filesystem;

namespace {

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
  if (options.patience_s > 0 && options.time_limit_s <= 0) text += fmt::format(";time_limit={}", options.patience_s);
  if (options.n_threads > 0) text += fmt::format(";workers={}", options.n_threads);
  if (options.leaks) text += ";leaks=1";
  if (options.isolate) text += ";isolate=1";
  if (options.strict) text += ";strict=1";
  if (!options.kernel.empty()) text += ";judged=1";
  if (options.in_step) text += ";in_step=1";
  if (options.sample > 0) text += fmt::format(";sample={}", options.sample);
  return text;
}

}  // namespace

/// Of a person at a terminal a program reads nothing, unless that was asked for: they would not know what it waits for.
/// The limit is the launches' as well; who sees one given up then has a while to say so.
base::Outcome run_program(const ExecutorOptions& options, const fs::path& program, const fs::path& report_path) {
  constexpr double last_words_s = 2;
  const StopSignals signals;  // end the program, but what it found until then is shown
  const bool is_typed = isatty(STDIN_FILENO) != 0, is_for_programs = options.json || options.csv;
  base::Command command = program_arguments(options);
  command.insert(command.begin(), program.string());
  return base::run_process(
      {.command = command,
       .variables = {{"RAFTER_SIMT", runtime_options(options, report_path)}},
       .streams = options.quiet     ? base::Streams::captured
                  : is_for_programs ? base::Streams::inherited_stderr
                                    : base::Streams::inherited,
       .input = is_typed && !options.reads_terminal ? base::Input::none : base::Input::inherited,
       .session = is_typed && options.reads_terminal ? base::Session::inherited : base::Session::own,
       .time_limit_s = options.time_limit_s > 0 ? options.time_limit_s + last_words_s : 0,
       .stop_wanted = StopSignals::arrived});
}

}  // namespace rafter::cli

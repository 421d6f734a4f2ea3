// rafter exec, check and profile: builds a CUDA program for the executor, runs it, and shows what was found or counted.
#include "cli/executor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/process.hpp"
#include "base/scratch_folder.hpp"
#include "cli/stop_signals.hpp"
#include "rafter/error.hpp"
#include "simt/build/bare.hpp"
#include "simt/build/cache.hpp"
#include "simt/build/nvcc.hpp"
#include "simt/build/program.hpp"
#include "simt/build/toolchain.hpp"
#include "simt/report/findings_text.hpp"
#include "simt/report/profile_text.hpp"
#include "simt/report/report_file.hpp"

namespace rafter::cli {

namespace {

namespace fs = std::filesystem;
namespace build = simt::build;
namespace report = simt::report;
using Action = ExecutorOptions::Action;

bool is_hooked(const ExecutorOptions& options) { return options.action != Action::exec || options.in_step; }

/// A program that was built already: one file that is no source.
bool is_program(const ExecutorOptions& options) {
  if (options.build.size() != 1 || options.build.front().starts_with("-")) return false;
  const fs::path file = options.build.front();
  return !build::is_source(file) && access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file);
}

/// Whether it was built for checking: then it calls the hooks.
bool calls_hooks(const fs::path& program) {
  std::ifstream file(program, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  return content.find("__tsan_init") != std::string::npos;
}

/// Words with two dashes that neither this tool nor nvcc knows: misspelt, and the word after them is no file.
void check_options(const build::NvccCommand& command) {
  for (const std::string& flag : command.options.flags) {
    if (!flag.starts_with("--") || flag.starts_with("--param") || flag.starts_with("--sysroot")) continue;
    throw Error(ErrorCode::bad_argument, fmt::format("there is no option '{}'; --help lists them", flag));
  }
}

void check_files(const build::NvccCommand& command) {
  bool any_source = false;
  for (const std::string& input : command.inputs) {
    if (input.starts_with("-")) continue;
    if (!fs::exists(input)) throw Error(ErrorCode::io, "there is no file " + input);
    any_source = any_source || build::is_source(input);
  }
  if (!any_source) {
    throw Error(ErrorCode::bad_argument,
                "no CUDA source was given; expected FILE.cu, or a program that the stand-in nvcc built");
  }
}

/// The driver around one kernel, in a file that is the same as long as its text is: it is part of what is kept.
fs::path write_driver(const std::string& text) {
  build::Digest digest;
  digest.add(text);
  const fs::path folder = build::Cache().folder() / "drivers", driver = folder / (digest.text() + ".cu");
  fs::create_directories(folder);
  if (base::read_file(driver) != text) base::write_file(driver, text);
  return driver;
}

/// Sources, or the driver around one kernel of the one source.
fs::path make_program(const ExecutorOptions& options) {
  if (is_program(options)) {
    const fs::path program = fs::absolute(options.build.front());
    if (is_hooked(options) && !calls_hooks(program)) {
      throw Error(
          ErrorCode::unsupported,
          fmt::format("{} was not built for checking; build it with the nvcc of 'rafter check --nvcc-wrapper DIR'",
                      options.build.front()));
    }
    return program;
  }
  const build::NvccCommand command = build::parse_nvcc(options.build);
  check_options(command);
  check_files(command);
  build::Build what;
  what.options = command.options;
  what.options.mode = is_hooked(options) ? build::Mode::checked : build::Mode::plain;
  what.link_flags = command.link_flags;
  what.relocatable = command.relocatable;
  for (const std::string& input : command.inputs) {
    if (input.starts_with("-")) {
      what.link_flags.push_back(input);
    } else {
      what.sources.emplace_back(input);
    }
  }
  if (!options.kernel.empty()) {
    const fs::path file = fs::absolute(what.sources.front());
    what.sources.front() = write_driver(build::generate_bare_driver(file, options.kernel));
  }
  return build::build_program(what, simt::build::toolchain()).program;
}

std::vector<std::string> program_arguments(const ExecutorOptions& options) {
  if (options.kernel.empty()) return options.program;
  std::vector<std::string> words;
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--grid", options.grid);
  add("--block", options.block);
  add("--shared", options.shared);
  for (const std::string& argument : options.arguments) add("--arg", argument);
  for (const std::string& save : options.saves) add("--save", save);
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
  if (options.time_limit_s > 0) text += fmt::format(";time_limit={}", options.time_limit_s);
  if (options.n_threads > 0) text += fmt::format(";workers={}", options.n_threads);
  if (options.leaks) text += ";leaks=1";
  if (options.isolate) text += ";isolate=1";
  if (options.strict) text += ";strict=1";
  if (!options.kernel.empty()) text += ";judged=1";
  if (options.in_step) text += ";in_step=1";
  return text;
}

std::string text(const base::Outcome& ended) {
  if (ended.signal)
    return fmt::format("the program was ended by signal {} ({})", ended.signal, strsignal(ended.signal));
  return fmt::format("the program returned {}", ended.code);
}

/// Launches that were refused or did not end well, and how the program ended.
void show_failures(const nlohmann::json& found, const base::Outcome& ended) {
  for (const auto& kernel : found["kernels"]) {
    if (!kernel.contains("failure")) continue;
    fmt::print("kernel {} did not end well: {}\n", kernel["name"].get<std::string>(),
               kernel["failure"].get<std::string>());
  }
  if (!ended.well()) fmt::print("{}\n", text(ended));
}

/// Shows what a check found.
void show_check(const nlohmann::json& found, const base::Outcome& ended) {
  fmt::print("{}", report::findings_text(found));
  show_failures(found, ended);
  if (report::has_launches(found)) fmt::print("{}", report::summary_text(found));
}

int verdict(const ExecutorOptions& options, const nlohmann::json& found, const base::Outcome& ended) {
  if (report::met_unsupported(found)) return exit_failed;
  if (report::has_findings(found) || report::has_failures(found)) return exit_no;
  if (ended.signal) return exit_failed;
  if (!report::has_launches(found)) {
    fmt::print(stderr, "rafter: nothing was checked: the program launched no kernel\n");
    return exit_failed;
  }
  const bool is_our_driver = !options.kernel.empty();  // its 2 means that it could not do what was asked for
  return ended.code == 0 ? exit_good : is_our_driver && ended.code == exit_failed ? exit_failed : exit_no;
}

/// A plain run shows only what kept a launch from ending well.
int after_exec(const nlohmann::json& found, const base::Outcome& ended) {
  if (!found.is_object()) return ended.status();
  const bool unsupported = report::met_unsupported(found);
  if (report::has_failures(found) || unsupported) fmt::print(stderr, "{}", report::findings_text(found));
  return unsupported ? exit_failed : ended.status();
}

int after_profile(const ExecutorOptions& options, const nlohmann::json& found, const base::Outcome& ended) {
  if (options.json) {
    fmt::print("{}\n", found.dump(2));
  } else {
    fmt::print("{}\n{}", report::profile_tables(found), report::annotated_sources(found));
    fmt::print("{}", report::findings_text(found));
    show_failures(found, ended);
  }
  return verdict(options, found, ended);
}

}  // namespace

int executor(const ExecutorOptions& options) {
  const build::Mode mode = is_hooked(options) ? build::Mode::checked : build::Mode::plain;
  if (!options.nvcc_wrapper.empty()) {
    build::write_nvcc_wrapper(options.nvcc_wrapper, simt::build::this_program(), simt::build::toolchain(), mode);
    fmt::print("{0}/bin/nvcc builds for the executor: PATH={0}/bin:$PATH make\n",
               fs::absolute(options.nvcc_wrapper).string());
    return exit_good;
  }
  const base::ScratchFolder scratch;
  const fs::path program = make_program(options), report_path = scratch.path() / "report.json";
  base::Command command = program_arguments(options);
  command.insert(command.begin(), program.string());
  const StopSignals signals;  // end the program, but what it found until then is shown
  const base::Outcome ended =
      base::run_process({.command = command,
                         .variables = {{"RAFTER_SIMT", runtime_options(options, report_path)}},
                         .streams = options.json ? base::Streams::inherited_stderr : base::Streams::inherited,
                         .stop_wanted = StopSignals::arrived});
  const nlohmann::json found = report::read_report(report_path, simt::build::toolchain().shim_dir);
  if (options.action == Action::exec) return after_exec(found, ended);
  if (!found.is_object()) {
    throw Error(ErrorCode::unsupported, text(ended) + " before anything was checked");
  }
  if (!options.kernel.empty() && ended.code == exit_failed && !report::has_launches(found)) return exit_failed;
  if (options.action == Action::profile) return after_profile(options, found, ended);
  if (options.json) {
    fmt::print("{}\n", found.dump(2));
  } else {
    show_check(found, ended);
  }
  return verdict(options, found, ended);
}

}  // namespace rafter::cli

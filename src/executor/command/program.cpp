#include "executor/command/program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "base/files.hpp"
#include "base/stop_signals.hpp"
#include "executor/build/cache.hpp"
#include "executor/build/kernel_driver.hpp"
#include "executor/build/nvcc.hpp"
#include "executor/build/program.hpp"
#include "executor/build/reduced.hpp"
#include "executor/build/toolchain.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::command {

namespace fs = std::filesystem;

namespace {

/// Whether the plan names a built program: one executable file that is not a source.
bool is_program(const ProgramPlan& plan) {
  if (plan.build.size() != 1 || plan.build.front().starts_with("-")) return false;
  const fs::path file = plan.build.front();
  return !build::is_source(file) && access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file);
}

/// Whether the program was built for checking, so that it calls the hooks.
bool calls_hooks(const fs::path& program) {
  std::ifstream file(program, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  return content.find("__tsan_init") != std::string::npos;
}

/// Throws Error for options with two dashes that neither this tool nor nvcc has: the word after them is not a file.
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

/// Writes the driver around one kernel to a file whose name is its digest, since the path is part of the build cache's
/// key.
fs::path write_driver(const std::string& text) {
  build::Digest digest;
  digest.add(text);
  const fs::path folder = build::Cache().folder() / "drivers", driver = folder / (digest.text() + ".cu");
  fs::create_directories(folder);
  if (base::read_file(driver) != text) base::write_file(driver, text);
  return driver;
}

}  // namespace

build::Built make_program(const ProgramPlan& plan) {
  if (is_program(plan)) {
    const fs::path program = fs::absolute(plan.build.front());
    if (plan.is_hooked() && !calls_hooks(program)) {
      throw Error(
          ErrorCode::unsupported,
          fmt::format("{} was not built for checking; build it with the nvcc of 'rafter check --nvcc-wrapper DIR'",
                      plan.build.front()));
    }
    return {program, true, false, {}};
  }
  const build::NvccCommand command = build::parse_nvcc(plan.build);
  check_options(command);
  check_files(command);
  build::Build what;
  what.options = command.options;
  what.options.mode = plan.is_hooked() ? build::Mode::checked : build::Mode::plain;
  what.link_flags = command.link_flags;
  what.options.relocatable = command.relocatable;
  if (plan.checks_members) what.options.flags.emplace_back("-fsanitize=bounds-strict");
  for (const std::string& input : command.inputs) {
    if (input.starts_with("-")) {
      what.link_flags.push_back(input);
    } else {
      what.sources.emplace_back(input);
    }
  }
  if (!plan.kernel.empty()) {
    const build::Declared declared(fs::absolute(what.sources.front()), command.options);
    build::Built built{};
    build::build_what_is_needed(
        declared.file(), command.options, {plan.kernel}, build::Libraries::replaced, [&](const fs::path& text) {
          what.sources.front() = write_driver(build::generate_kernel_driver(declared, text, plan.kernel));
          built = build::build_program(what, build::toolchain());
          return built.program;
        });
    return built;
  }
  return build::build_program(what, build::toolchain());
}

/// A program at a terminal gets no input unless that was asked for: the user would not know what it waits for. The time
/// limit also holds for each launch; the process gets a little longer, so that it can report the launch.
base::Outcome run_program(const ProgramPlan& plan, const fs::path& program, const fs::path& report_path,
                          const std::string& key) {
  constexpr double report_s = 2;
  const char* mode = plan.action == Action::check ? "check" : plan.action == Action::profile ? "count" : "plain";
  std::string options = fmt::format("mode={};report={}{}", mode, report_path.string(), plan.runtime_options);
  if (plan.time_limit_s > 0) options += fmt::format(";time_limit={0};program_limit={0}", plan.time_limit_s);
  if (plan.patience_s > 0 && plan.time_limit_s <= 0) options += fmt::format(";time_limit={}", plan.patience_s);
  if (plan.sample > 0) options += fmt::format(";sample={}", plan.sample);
  const base::StopSignals signals;  // end the program, but its report is still read
  const bool is_terminal = isatty(STDIN_FILENO) != 0;
  base::Command command = plan.arguments;
  command.insert(command.begin(), program.string());
  std::vector<std::pair<std::string, std::string>> variables{{"RAFTER_SIMT", options}};
  if (!key.empty()) variables.emplace_back("RAFTER_SIMT_KEY", key);
  return base::run_process(
      {.command = command,
       .variables = variables,
       .streams = plan.is_silent      ? base::Streams::captured
                  : plan.keeps_stdout ? base::Streams::inherited_stderr
                                      : base::Streams::inherited,
       .input = is_terminal && !plan.reads_terminal ? base::Input::none : base::Input::inherited,
       .session = is_terminal && plan.reads_terminal ? base::Session::inherited : base::Session::own,
       .time_limit_s = plan.time_limit_s > 0 ? plan.time_limit_s + report_s : 0,
       .stop_wanted = base::StopSignals::arrived});
}

std::vector<fs::path> files_of(const ProgramPlan& plan) {
  std::vector<fs::path> files(plan.readable.begin(), plan.readable.end());
  const build::NvccCommand command = build::parse_nvcc(plan.build);
  for (const auto& folders : {command.options.include_dirs, command.options.system_dirs})
    files.insert(files.end(), folders.begin(), folders.end());
  for (const std::string& input : command.inputs) {
    if (!input.starts_with("-")) files.emplace_back(input);
  }
  for (const std::string& flag : command.link_flags) {
    if (flag.starts_with("-L")) files.emplace_back(flag.substr(2));
  }
  return files;
}

}  // namespace rafter::simt::command

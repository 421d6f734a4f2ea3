#include "workbench/bench/untrusted.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/exit_code.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "base/sandbox/sandbox.hpp"
#include "base/stop_signals.hpp"
#include "executor/build/nvcc.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/build/untrusted.hpp"
#include "rafter/error.hpp"

namespace rafter::bench {

namespace fs = std::filesystem;

namespace {

constexpr const char* sandbox_variable = "RAFTER_BENCH_SANDBOX";
constexpr double sandbox_limit_s = 3600;

/// Returns the files and folders that the command line names.
std::vector<fs::path> named_files(const UntrustedRequest& request) {
  std::vector<fs::path> files(request.readable.begin(), request.readable.end());
  const simt::build::NvccCommand command = simt::build::parse_nvcc(request.build);
  for (const auto& folders : {command.options.include_dirs, command.options.system_dirs})
    files.insert(files.end(), folders.begin(), folders.end());
  for (const std::string& input : command.inputs) {
    if (!input.starts_with("-")) files.emplace_back(input);
  }
  for (const std::string& argument : request.arguments) {
    const std::size_t before = argument.find_last_of("=:");
    if (argument.ends_with(".npy") && before != std::string::npos) files.emplace_back(argument.substr(before + 1));
  }
  return files;
}

/// Keeps a file of results that the sandbox made.
void keep_results(const fs::path& made, const std::string& path) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
  if (path.empty() || path == "-") return;
  if (const auto text = base::read_regular_file(made, most_bytes)) base::write_file(path, *text);
}

}  // namespace

int run_in_sandbox(const UntrustedRequest& request) {
  if (request.device == "cuda") {
    throw Error(
        ErrorCode::bad_argument,
        "--untrusted runs on the executor only: on a GPU, host code of the file would launch its kernels in the "
        "process that measures them; leave out --device cuda");
  }
  const simt::build::UntrustedWork work(named_files(request));
  base::Sandbox sandbox = work.building();
  sandbox.readable.push_back(simt::build::this_program());
  sandbox.writable = work.results();
  sandbox.limits.time_limit_s = sandbox_limit_s;
  for (const char* folder : {"tmp", "cache", "state"}) fs::create_directories(work.results() / folder);
  base::Command command = base::own_arguments();
  command.insert(command.begin(), simt::build::this_program().string());
  base::Outcome ended;
  {
    const base::Confinement confined(sandbox);
    const base::StopSignals signals;
    ended = base::run_process({.command = command,
                               .variables = {{sandbox_variable, work.results().string()},
                                             {"TMPDIR", (work.results() / "tmp").string()},
                                             {"XDG_CACHE_HOME", (work.results() / "cache").string()},
                                             {"XDG_STATE_HOME", (work.results() / "state").string()}},
                               .streams = base::Streams::inherited,
                               .input = base::Input::none,
                               .stop_wanted = base::StopSignals::arrived});
  }
  if (ended.timed_out || !ended.exceeded.empty()) {
    const std::string limit = ended.timed_out ? "time" : ended.exceeded;
    throw Error(ErrorCode::unsupported, "it was stopped: " + base::limit_text(limit, sandbox.limits));
  }
  if (request.json_path.empty()) {
    fmt::print("The results were removed with the sandbox; --json FILE keeps them.\n");
  } else if (request.json_path != "-") {
    fmt::print("They are kept as {}\n", request.json_path);
  }
  // Never silently weaker: the sandbox protects the machine, not the verdict.
  fmt::print(
      stderr,
      "rafter: the file's host code ran in the process that verified and could have changed the verdict: read it, "
      "or judge the kernel with rafter try or judge\n");
  keep_results(work.results() / "results.json", request.json_path);
  keep_results(work.results() / "results.csv", request.csv_path);
  return ended.signal != 0 ? base::exit_failed : ended.code;
}

std::optional<fs::path> sandbox_results() {
  const char* folder = std::getenv(sandbox_variable);
  return folder != nullptr ? std::optional<fs::path>(folder) : std::nullopt;
}

}  // namespace rafter::bench

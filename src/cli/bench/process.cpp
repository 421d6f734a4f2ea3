#include "cli/bench/process.hpp"

#include <cstdlib>

#include "base/files.hpp"
#include "base/process.hpp"
#include "cli/stop_signals.hpp"
#include "executor/build/toolchain.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/watch.hpp"

namespace rafter::cli {

namespace {

constexpr const char* variable = "RAFTER_BENCH_JOB";

// What a process is asked about while we wait for it; it takes a plain function.
const bench::Watch* watch = nullptr;
double limit_s = 0;
bool was_stalled = false;

bool is_to_end() {
  was_stalled = was_stalled || watch->running_s() > limit_s;
  return was_stalled || StopSignals::arrived();
}

}  // namespace

std::optional<bench::Job> job_of_this_process() {
  const char* path = std::getenv(variable);
  if (path == nullptr) return std::nullopt;
  return bench::job_of(nlohmann::json::parse(base::read_file(path).value_or("{}")));
}

JobEnd run_job(const bench::Job& job, Device device, double time_limit_s, Voice voice) {
  const std::filesystem::path file = job.watch.parent_path() / "job.json";
  base::write_file(file, to_json(job).dump());
  base::Command command = base::own_arguments();
  command.insert(command.begin(), simt::build::this_program().string());
  std::vector<std::pair<std::string, std::string>> variables{{variable, file.string()}};
  // Of __shared__ variables the executor knows the names in what was loaded when the process began.
  if (device == Device::simt) {
    std::string all;
    for (const std::filesystem::path& library : job.libraries) all += (all.empty() ? "" : ":") + library.string();
    variables.emplace_back("LD_PRELOAD", all);
  }
  const bench::Watch page(job.watch);
  watch = &page;
  limit_s = time_limit_s;
  was_stalled = false;
  const StopSignals signals;
  const base::Outcome ended =
      base::run_process({.command = command,
                         .variables = variables,
                         .streams = voice == Voice::silent ? base::Streams::captured : base::Streams::inherited,
                         .input = base::Input::none,
                         .session = voice == Voice::silent ? base::Session::own : base::Session::inherited,
                         .stop_wanted = is_to_end});
  if (StopSignals::arrived()) throw Error(ErrorCode::io, "stopped by a signal");
  return {ended.status(), was_stalled};
}

}  // namespace rafter::cli

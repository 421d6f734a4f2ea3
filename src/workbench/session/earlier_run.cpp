#include "workbench/session/earlier_run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json_file.hpp"
#include "workbench/lab/report/results.hpp"

namespace rafter::session {

namespace {

using nlohmann::json;

constexpr int newest_run_format = 1;

/// The file name of this program. Runs with --plot and runs on the executor are other programs.
std::string this_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).filename().string();
}

/// Returns the first option that only a new run may have, or an empty string.
std::string new_run_option(const RunRequest& now, const std::string& device_before) {
  if (!now.workloads.empty()) return now.workloads.front();
  if (!now.device.empty() && now.device != device_before) return "--device";
  if (!now.size.empty()) return "--size";
  if (!now.settings.empty())
    return now.settings.front().starts_with("--") ? now.settings.front().substr(0, now.settings.front().find('='))
                                                  : "--set";
  if (!now.rungs.empty()) return "--rungs";
  if (now.regime != "cold") return "--regime";
  if (now.all_regimes) return "--regimes";
  if (now.stages) return "--stages";
  if (now.quick) return "--quick";
  if (now.seconds > 0) return "--seconds";
  if (now.check) return "--check";
  if (!now.seed.empty()) return "--seed";
  return now.n_threads > 0 ? "--threads" : "";
}

/// Says how to start the program that began the run, which is not this one.
std::string hint_at(const std::string& program) {
  if (program == "rafter-trial") return "it ran on the executor: add --device simt";
  if (program == "rafter-load") return "it was started with --load: add that option";
  if (program == "rafter-plot") return "it was started with --plot: add that option";
  if (program == "rafter-run") return "it was started without --plot: draw the results with 'rafter plot'";
  return fmt::format("{} measured it, and that program cannot resume a run", program);
}

}  // namespace

json to_json(const RunRequest& request, Device device, std::uint64_t seed, int n_threads, std::size_t n_cases) {
  return {{"program", this_program()},
          {"workloads", request.workloads},
          {"device", name(device)},
          {"size", request.size},
          {"settings", request.settings},
          {"rungs", request.rungs},
          {"regime", request.regime},
          {"regimes", request.all_regimes},
          {"stages", request.stages},
          {"quick", request.quick},
          {"seconds", request.seconds},
          {"check", request.check},
          {"seed", seed},
          {"threads", n_threads},
          {"cases", n_cases}};
}

EarlierRun::EarlierRun(const std::string& path)
    : path_(path), document_(std::make_shared<const json>(base::read_json(path))) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::bad_argument, fmt::format("'{}' cannot be continued: {}", path_, why));
  };
  const json& document = *document_;
  if (!document.is_object() || !document.contains("results")) refuse("it is not a results file of 'rafter run'");
  const json format = document.value("format", json(0));
  if (!format.is_number_integer() || format.get<int>() > newest_run_format)
    refuse(fmt::format("it has format {}, of a newer rafter; this one reads formats up to {}", format.dump(),
                       newest_run_format));
  if (!document.contains("run"))
    refuse("it does not contain the options of the run; an older rafter or another command wrote it");
}

RunRequest EarlierRun::resumed(const RunRequest& now) const {
  RunRequest all = now;
  try {
    const json& run = document_->at("run");
    if (const std::string option = new_run_option(now, run.at("device")); !option.empty())
      throw Error(
          ErrorCode::bad_argument,
          fmt::format("--continue resumes the cases and options of '{}': '{}' is for a new run", path_, option));
    if (const std::string program = run.at("program"); program != this_program())
      throw Error(ErrorCode::bad_argument,
                  fmt::format("'{}' cannot be continued by this command: {}", path_, hint_at(program)));
    all.workloads = run.at("workloads");
    all.device = run.at("device");
    all.size = run.at("size");
    all.settings = run.at("settings");
    all.rungs = run.at("rungs");
    all.regime = run.at("regime");
    all.all_regimes = run.at("regimes");
    all.stages = run.at("stages");
    all.quick = run.at("quick");
    all.seconds = run.value("seconds", 0.);
    all.check = run.value("check", false);
    all.seed = std::to_string(run.at("seed").get<std::uint64_t>());
    all.n_threads = run.at("threads");
  } catch (const json::exception& error) {
    throw Error(ErrorCode::bad_argument, fmt::format("'{}' cannot be continued: {}", path_, error.what()));
  }
  return all;
}

void EarlierRun::require_same(const json& machine) const {
  const json before = document_->value("machine", json::object());
  std::string differences;
  const auto compare = [&](const char* what, const json& was, const json& is) {
    if (was != is) differences += fmt::format("\n  {}: {} then, {} now", what, was.dump(), is.dump());
  };
  const auto part = [](const json& of, const char* key) { return of.contains(key) ? of[key] : json(); };
  for (const char* key : {"cpu", "isa", "threads", "os", "compiler", "flags", "rafter"})
    compare(key, part(before, key), part(machine, key));
  const json gpu_before = part(before, "gpu"), gpu = part(machine, "gpu");
  for (const char* key : {"name", "driver"}) {
    const std::string what = std::string("gpu ") + key;
    if (gpu.is_object() || gpu_before.is_object())
      compare(what.c_str(), gpu_before.is_object() ? part(gpu_before, key) : json(),
              gpu.is_object() ? part(gpu, key) : json());
  }
  if (!differences.empty())
    throw Error(
        ErrorCode::bad_argument,
        fmt::format(
            "'{}' was measured on another machine or by another version, whose times cannot be mixed with new ones:{}",
            path_, differences));
  if (part(before, "binary") == part(machine, "binary")) return;
  throw Error(
      ErrorCode::bad_argument,
      fmt::format("'{}' was measured by another build of rafter, whose times cannot be mixed with new ones", path_));
}

std::optional<lab::CaseReport> EarlierRun::find(const lab::Workload& workload, const lab::Params& params,
                                                Device device) const {
  return lab::find_report(*document_, workload, params, device, document_->at("run").value("regime", ""));
}

}  // namespace rafter::session

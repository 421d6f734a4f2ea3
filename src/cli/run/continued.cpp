#include "cli/run/continued.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json_file.hpp"
#include "workbench/lab/report/results.hpp"

namespace rafter::cli {

namespace {

using nlohmann::json;

constexpr int newest_run_format = 1;

/// The program that measures: its file, which --plot and the executor have others of.
std::string this_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).filename().string();
}

/// The first option of a run of one's own; empty: none.
std::string own_option(const RunOptions& now, const std::string& device_before) {
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

/// How to reach the program that began it, which is not this one.
std::string hint_at(const std::string& program) {
  if (program == "rafter-trial") return "it ran on the executor: give --device simt, too";
  if (program == "rafter-load") return "it began with --load: give that again";
  if (program == "rafter-plot") return "it began with --plot: give that again";
  if (program == "rafter-run") return "it began without --plot: 'rafter plot' draws it afterwards";
  return fmt::format("{} measured it, which begins anew each time", program);
}

}  // namespace

json kept_options(const RunOptions& options, Device device, std::uint64_t seed, int n_threads, std::size_t n_cases) {
  return {{"program", this_program()},
          {"workloads", options.workloads},
          {"device", name(device)},
          {"size", options.size},
          {"settings", options.settings},
          {"rungs", options.rungs},
          {"regime", options.regime},
          {"regimes", options.all_regimes},
          {"stages", options.stages},
          {"quick", options.quick},
          {"seconds", options.seconds},
          {"check", options.check},
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
  if (!document.is_object() || !document.contains("results")) refuse("it is not what 'rafter run' writes");
  const json format = document.value("format", json(0));
  if (!format.is_number_integer() || format.get<int>() > newest_run_format)
    refuse(
        fmt::format("it has format {}, of a newer rafter; this one reads up to {}", format.dump(), newest_run_format));
  if (!document.contains("run"))
    refuse("it does not say what was asked for; an older rafter, or another command, wrote it");
}

RunOptions EarlierRun::options(const RunOptions& now) const {
  RunOptions all = now;
  try {
    const json& run = document_->at("run");
    if (const std::string own = own_option(now, run.at("device")); !own.empty())
      throw Error(
          ErrorCode::bad_argument,
          fmt::format("--continue goes on with the cases and options of '{}': '{}' is for another run", path_, own));
    if (const std::string program = run.at("program"); program != this_program())
      throw Error(ErrorCode::bad_argument, fmt::format("'{}' cannot be continued so: {}", path_, hint_at(program)));
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
  if (all.json_path.empty()) all.json_path = path_;
  return all;
}

void EarlierRun::require_same(const json& machine) const {
  const json before = document_->value("machine", json::object());
  std::string differences;
  const auto hold = [&](const char* what, const json& was, const json& is) {
    if (was != is) differences += fmt::format("\n  {}: {} then, {} now", what, was.dump(), is.dump());
  };
  const auto part = [](const json& of, const char* key) { return of.contains(key) ? of[key] : json(); };
  for (const char* key : {"cpu", "isa", "threads", "os", "compiler", "flags", "rafter"})
    hold(key, part(before, key), part(machine, key));
  const json gpu_before = part(before, "gpu"), gpu = part(machine, "gpu");
  for (const char* key : {"name", "driver"}) {
    const std::string what = std::string("gpu ") + key;
    if (gpu.is_object() || gpu_before.is_object())
      hold(what.c_str(), gpu_before.is_object() ? part(gpu_before, key) : json(),
           gpu.is_object() ? part(gpu, key) : json());
  }
  if (!differences.empty())
    throw Error(ErrorCode::bad_argument,
                fmt::format("'{}' was measured elsewhere, and times of two machines or versions are two runs:{}", path_,
                            differences));
  if (part(before, "binary") == part(machine, "binary")) return;
  throw Error(ErrorCode::bad_argument,
              fmt::format("'{}' was measured by another build of rafter, and times of two builds are two runs", path_));
}

std::optional<lab::CaseReport> EarlierRun::find(const lab::Workload& workload, const lab::Params& params,
                                                Device device) const {
  return lab::find_report(*document_, workload, params, device, document_->at("run").value("regime", ""));
}

}  // namespace rafter::cli

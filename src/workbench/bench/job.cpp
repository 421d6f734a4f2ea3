#include "workbench/bench/job.hpp"

#include <cstdlib>

#include "base/files.hpp"
#include "base/process.hpp"
#include "base/stop_signals.hpp"
#include "executor/build/toolchain.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/watch.hpp"

namespace rafter::bench {

namespace {

using nlohmann::json;

constexpr const char* variable = "RAFTER_BENCH_JOB";

// The state of stop_wanted(), which is a plain function.
const Watch* watch = nullptr;
double limit_s = 0;
bool was_stalled = false;

/// Whether the child must be stopped.
bool stop_wanted() {
  was_stalled = was_stalled || watch->running_s() > limit_s;
  return was_stalled || base::StopSignals::arrived();
}

std::vector<std::string> strings_of(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> strings;
  for (const std::filesystem::path& path : paths) strings.push_back(path.string());
  return strings;
}

std::vector<std::filesystem::path> paths_of(const json& strings) {
  const auto all = strings.get<std::vector<std::string>>();
  return {all.begin(), all.end()};
}

json plan_json(const BenchPlan& plan) {
  return {{"kernels", to_json(plan.kernels)},
          {"device", name(plan.device)},
          {"time_limit_s", plan.time_limit_s},
          {"seed", plan.seed ? json(*plan.seed) : json()},
          {"quick", plan.quick},
          {"all_regimes", plan.all_regimes},
          {"json_path", plan.json_path},
          {"csv_path", plan.csv_path},
          {"sources", strings_of(plan.event.sources)},
          {"rung", plan.event.rung},
          {"message", plan.event.words.message},
          {"prediction", plan.event.words.prediction}};
}

BenchPlan plan_of(const json& from) {
  BenchPlan plan{.kernels = kernel_plan_of(from.at("kernels")),
                 .device = device_called(from.at("device").get<std::string>()).value(),
                 .time_limit_s = from.at("time_limit_s"),
                 .quick = from.at("quick"),
                 .all_regimes = from.at("all_regimes"),
                 .json_path = from.at("json_path"),
                 .csv_path = from.at("csv_path"),
                 .event = {.sources = paths_of(from.at("sources")),
                           .rung = from.at("rung"),
                           .words = {from.at("message"), from.at("prediction")}}};
  if (!from.at("seed").is_null()) plan.seed = from.at("seed").get<std::uint64_t>();
  return plan;
}

}  // namespace

json to_json(const Job& job) {
  json rejected = json::object();
  for (const auto& [kernel, status] : job.rejected)
    rejected[kernel] = {{"status", name(status.status)}, {"reason", status.reason}};
  return {{"plan", plan_json(job.plan)},
          {"libraries", strings_of(job.libraries)},
          {"names", job.names},
          {"watch", job.watch.string()},
          {"results", job.results.string()},
          {"variants", job.variants},
          {"rejected", rejected},
          {"proved", job.proved},
          {"compares_bits", job.compares_bits},
          {"n_finalists", job.n_finalists},
          {"is_search", job.is_search},
          {"measures_energy", job.measures_energy}};
}

Job job_of(const json& from) {
  Rejected rejected;
  for (const auto& [kernel, status] : from.at("rejected").items())
    rejected[kernel] = {lab::status_called(status.at("status")), status.at("reason")};
  return {.plan = plan_of(from.at("plan")),
          .libraries = paths_of(from.at("libraries")),
          .names = from.at("names"),
          .watch = from.at("watch").get<std::string>(),
          .results = from.at("results").get<std::string>(),
          .variants = from.at("variants"),
          .rejected = std::move(rejected),
          .proved = from.at("proved"),
          .compares_bits = from.at("compares_bits"),
          .n_finalists = from.at("n_finalists"),
          .is_search = from.at("is_search"),
          .measures_energy = from.at("measures_energy")};
}

std::optional<Job> child_job() {
  const char* path = std::getenv(variable);
  if (path == nullptr) return std::nullopt;
  return job_of(json::parse(base::read_file(path).value_or("{}")));
}

ChildEnd run_child(const Job& job, ChildOutput output) {
  const std::filesystem::path file = job.watch.parent_path() / "job.json";
  base::write_file(file, to_json(job).dump());
  base::Command command = base::own_arguments();
  command.insert(command.begin(), simt::build::this_program().string());
  std::vector<std::pair<std::string, std::string>> variables{{variable, file.string()}};
  // The executor knows the names of __shared__ variables only of objects that are loaded when the process starts.
  if (job.plan.device == Device::simt) {
    std::string all;
    for (const std::filesystem::path& library : job.libraries) all += (all.empty() ? "" : ":") + library.string();
    variables.emplace_back("LD_PRELOAD", all);
  }
  const Watch page(job.watch);
  watch = &page;
  limit_s = job.plan.time_limit_s;
  was_stalled = false;
  const base::StopSignals signals;
  const bool is_discarded = output == ChildOutput::discarded;
  const base::Outcome ended =
      base::run_process({.command = command,
                         .variables = variables,
                         .streams = is_discarded ? base::Streams::captured : base::Streams::inherited,
                         .input = base::Input::none,
                         .session = is_discarded ? base::Session::own : base::Session::inherited,
                         .stop_wanted = stop_wanted});
  if (base::StopSignals::arrived()) throw Error(ErrorCode::io, "stopped by a signal");
  return {ended.status(), was_stalled};
}

}  // namespace rafter::bench

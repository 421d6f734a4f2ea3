#include "workbench/tune/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "base/cuda_toolkit.hpp"
#include "base/exit_code.hpp"
#include "base/files.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/bench.hpp"
#include "workbench/bench/proof.hpp"
#include "workbench/bench/verify.hpp"
#include "workbench/bench/watch.hpp"
#include "workbench/lab/machine/gpu.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/report/results_file.hpp"
#include "workbench/tune/cache.hpp"
#include "workbench/tune/local_search.hpp"
#include "workbench/tune/trials.hpp"
#include "workbench/tune/worth.hpp"

namespace rafter::tune {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr auto replaced = json::error_handler_t::replace;  // of bytes that are no UTF-8, in the messages of compilers

/// The most useful line of a reason: the first one with "error", or the first one that is not a heading.
std::string key_line(const std::string& reason) {
  std::istringstream lines(reason);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != std::string::npos) return line;
    if (first.empty() && !line.ends_with(":")) first = line;
  }
  return first;
}

/// The combinations that were not timed, by reason.
std::string excluded_text(const std::vector<Trial>& trials, const Space& space) {
  std::string text;
  for (const char* status : {"does not compile", "wrong", "hazard", "failed"}) {
    int n = 0;
    const Trial* first = nullptr;
    for (const Trial& trial : trials) {
      if (trial.status != status) continue;
      if (n++ == 0) first = &trial;
    }
    if (first == nullptr) continue;
    text += base::wrapped(fmt::format("{} {}, the first with {}: {}", n,
                                      std::string(status) == "does not compile" ? "do not compile" : status,
                                      name_of(space, first->point), key_line(first->reason)),
                          "  ", "    ");
  }
  return text;
}

/// Looks at the winner on the executor, with small sizes. Returns false, marks the trial and says why if it builds on
/// values that a call may not build on.
bool is_proved(const KernelTuningPlan& plan, const std::string& winner, const fs::path& scratch,
               const bench::StartChild& start, std::vector<Trial>& trials) {
  const auto trial = std::find_if(trials.begin(), trials.end(),
                                  [&](const Trial& one) { return name_of(plan.space, one.point) == winner; });
  if (trial == trials.end()) return true;
  const bench::Proof proof =
      prove(plan.bench, scratch, start, bench::Combination{winner, macros_of(plan.space, trial->point)});
  fmt::print(plan.bench.text_stream(), "{}", proof.notes);
  const auto rejected = proof.rejected.find(winner);
  if (rejected == proof.rejected.end()) return true;
  trial->status = "wrong";
  trial->reason = rejected->second.reason;
  fmt::print(plan.bench.text_stream(), "{}",
             base::wrapped(fmt::format("{} WRONG: {}", winner, trial->reason), "", "  "));
  return false;
}

/// Adds the trials to the measurements that the child wrote, or writes them alone.
void write_trials(const KernelTuningPlan& plan, const std::vector<Trial>& trials, bool is_measured) {
  const std::string &path = plan.bench.json_path, &csv = plan.bench.csv_path;
  if (!csv.empty() && csv != "-") base::write_file(csv, csv_of(plan.space, trials));
  if (csv == "-") fmt::print("{}", csv_of(plan.space, trials));
  if (!plan.t4_path.empty())
    base::write_file(plan.t4_path, t4_of(plan.space, trials, plan.objective).dump(1, ' ', false, replaced) + "\n");
  if (path.empty() || (path == "-" && is_measured)) return;
  json document = is_measured ? json::parse(base::read_file(path).value_or("{}"))
                              : lab::ResultsFile(path, plan.bench.device, 1).document(nullptr, {});
  document["tune"] = to_json(plan.space, trials);
  document["tune"]["strategy"] = plan.strategy == Strategy::local ? "local" : "halving";
  document["tune"]["objective"] = plan.objective == Objective::energy ? "energy" : "time";
  if (path == "-") {
    fmt::print("{}\n", document.dump(1));
    return;
  }
  base::write_file(path, document.dump(1) + "\n");
  fmt::print(plan.bench.text_stream(), "Every trial is in {0}{1}\n", path,
             is_measured ? fmt::format("; 'rafter plot {} worth.svg' draws what each parameter is worth", path) : "");
}

/// A number of combinations: "84", "16.8 M".
std::string count_text(double n) { return n < 1e6 ? fmt::format("{:.0f}", n) : base::show_rate(n, ""); }

/// The file, size and time of a program: another version has others, even under the same name.
std::string identity_of(const fs::path& program) {
  std::error_code error;
  const fs::path file = fs::canonical(program, error);
  return fmt::format("{} {} {}", file.string(), fs::file_size(file, error),
                     fs::last_write_time(file, error).time_since_epoch().count());
}

/// Returns the key that the trials of a cache must share.
CacheKey cache_key(const KernelTuningPlan& plan) {
  const bench::KernelPlan& kernels = plan.bench.kernels;
  const char* flags = std::getenv("NVCC_APPEND_FLAGS");
  const std::string compiler =
      plan.bench.device == Device::cuda ? identity_of(base::find_cuda_program("nvcc")) : std::string(__VERSION__);
  CacheKey key{.task = to_json(kernels).dump(-1, ' ', false, replaced),
               .machine = fmt::format("{}, {}, rafter {}, {} {}", name(plan.bench.device),
                                      lab::describe_device(plan.bench.device), identity_of("/proc/self/exe"), compiler,
                                      flags != nullptr ? flags : ""),
               .build = kernels.build};
  for (const auto& [array, file] : kernels.expectations) key.inputs.push_back(file);
  for (const auto* arguments : {&kernels.arguments, &kernels.symbols}) {
    for (const bench::Argument& argument : *arguments) {
      if (!argument.fill.file.empty()) key.inputs.push_back(argument.fill.file);
    }
  }
  return key;
}

void require_objective(const KernelTuningPlan& plan) {
  if (plan.objective != Objective::energy) return;
  if (plan.bench.device != Device::cuda)
    throw Error(ErrorCode::unsupported,
                "--objective energy: a GPU measures its energy, and nothing runs on one here; leave it out");
  if (!lab::gpu_energy_j())
    throw Error(ErrorCode::unsupported,
                "--objective energy: NVML (libnvidia-ml.so.1, of the driver) does not tell the energy of this GPU; "
                "GPUs since Volta have that counter");
}

/// Tries the points that the strategy chooses and returns those that are measured well, or counted and shown.
std::vector<Point> search(const KernelTuningPlan& plan, Trials& trials, bool is_sampled) {
  const std::uint64_t seed = plan.bench.seed.value_or(1);
  std::FILE* out = plan.bench.text_stream();
  if (plan.strategy == Strategy::local) {
    fmt::print(out, "A local search with seed {} among {} combinations, of which it tries {} at most\n", seed,
               count_text(size_of(plan.space)), plan.most_points);
    std::fflush(out);
    search_locally(plan.space, {.most_points = plan.most_points, .seed = seed},
                   [&](const std::vector<Point>& points) { return trials.sample(points); });
    fmt::print(out, "{} were tried\n", trials.all().size());
  } else {
    const Points points = points_of(plan.space, plan.most_points, seed);
    fmt::print(out, "{} of {} combinations{}\n", points.points.size(), count_text(points.n_combinations),
               points.is_sample ? fmt::format(", drawn with seed {} (--most takes more)", seed) : "");
    std::fflush(out);
    if (is_sampled)
      trials.sample(points.points);
    else
      trials.try_all(points.points);
  }
  if (trials.n_from_cache() > 0) fmt::print(out, "{} of them are from {}\n", trials.n_from_cache(), plan.cache_path);
  // Brief times rank roughly: on a GPU more than the finalists go into the halving.
  const auto n_finalists = static_cast<std::size_t>(plan.n_finalists);
  const bool is_measured = plan.bench.device == Device::cuda;
  return trials.best(!is_sampled ? trials.all().size() : is_measured ? 4 * n_finalists : n_finalists);
}

}  // namespace

int tune_kernel(const KernelTuningPlan& plan) {
  for (const bench::Size& size : plan.bench.kernels.sizes) {
    if (size.values.size() > 1)
      throw Error(ErrorCode::bad_argument,
                  fmt::format("--set {}: the best combination is found for one size at a time", size.text));
  }
  require_objective(plan);
  std::optional<TrialCache> cache;
  if (!plan.cache_path.empty()) cache.emplace(plan.cache_path, cache_key(plan).digest(), plan.space);
  std::FILE* out = plan.bench.text_stream();
  const base::ScratchFolder scratch;
  Trials trials(plan, scratch.path(), cache ? &*cache : nullptr);
  const std::vector<Point> chosen = search(plan, trials, cache.has_value() || plan.strategy == Strategy::local);
  const auto does_not_compile = [](const Trial& trial) { return trial.status == "does not compile"; };
  if (std::all_of(trials.all().begin(), trials.all().end(), does_not_compile))
    throw Error(ErrorCode::bad_argument, "no combination compiles\n" + trials.all().front().reason);
  fmt::print(out, "{} are right\n{}\n", trials.n_right(), excluded_text(trials.all(), plan.space));
  std::fflush(out);
  if (chosen.empty()) {
    write_journal(plan.bench.event, "No combination is right.", "wrong");
    write_trials(plan, trials.all(), false);
    return base::exit_no;
  }

  const bench::Job job = trials.job_of(chosen);
  const bench::ChildEnd end = run_child(job, bench::ChildOutput::inherited);
  if (end.was_stalled)
    throw Error(ErrorCode::device_failure, fmt::format("{} did not end, although it did while it was verified",
                                                       bench::Watch(job.watch).running()));
  if (end.code != base::exit_good) return end.code;
  const std::string winner = trials.read_results(job);
  trials.keep(chosen);
  const bool is_measured = plan.bench.device == Device::cuda;
  const bench::StartChild start = [&](const bench::Job& part) { return trials.start(part); };
  const bool is_honest = !is_measured || is_proved(plan, winner, scratch.path(), start, trials.all());
  if (is_measured) fmt::print(out, "\n{}", worth_table(worth_of(plan.space, trials.all())));
  write_trials(plan, trials.all(), is_measured);
  return is_honest ? base::exit_good : base::exit_no;
}

void write_journal(journal::Event event, const std::string& said, const std::string& verdict, const std::string& winner,
                   const std::string& results) {
  event.rung = winner;
  event.results = results;
  event.verdict = verdict;
  event.said = said.substr(0, said.find('\n'));
  journal::record(event);
}

}  // namespace rafter::tune

// The child processes of `rafter tune` of a kernel: they verify, time or count the combinations.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <sstream>

#include "base/exit_code.hpp"
#include "base/files.hpp"
#include "base/random.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "executor/device/simt_device.hpp"
#include "workbench/bench/bench.hpp"
#include "workbench/bench/verify.hpp"
#include "workbench/bench/watch.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/machine/device_choice.hpp"
#include "workbench/lab/machine/gpu.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/measure/measure.hpp"
#include "workbench/lab/report/results_file.hpp"
#include "workbench/lab/report/table.hpp"
#include "workbench/tune/energy.hpp"
#include "workbench/tune/halving.hpp"
#include "workbench/tune/kernel.hpp"

namespace rafter::tune {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// The numeric values in "TILE=16 UNROLL=2" by name.
base::Names names_from(const std::string& name) {
  base::Names names;
  std::istringstream words(name);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    char* end = nullptr;
    const double value = std::strtod(word.c_str() + equals + 1, &end);
    if (*end == '\0') names[word.substr(0, equals)] = value;
  }
  return names;
}

/// The loaded libraries of a job and their variants. The references come from the first library.
class Candidates {
 public:
  explicit Candidates(const bench::Job& job) {
    for (const fs::path& file : job.libraries) libraries_.push_back(std::make_unique<bench::Library>(file));
    for (std::size_t i = 0; i < job.names.size(); ++i)
      variants_.push_back(
          {job.names[i], job.plan.kernels.kernels.front(), libraries_[i].get(), names_from(job.names[i])});
  }

  const std::vector<bench::Variant>& variants() const { return variants_; }

  /// The reference kernels, followed by the named variants.
  std::vector<bench::Variant> with_references(const bench::KernelPlan& plan,
                                              const std::vector<std::string>& names) const {
    std::vector<bench::Variant> chosen;
    for (const std::string& reference : plan.reference_kernels)
      chosen.push_back({reference, reference, libraries_.front().get(), variants_.front().macros});
    for (const std::string& name : names) {
      for (const bench::Variant& variant : variants_) {
        if (variant.name == name) chosen.push_back(variant);
      }
    }
    return chosen;
  }

 private:
  std::vector<std::unique_ptr<bench::Library>> libraries_{};
  std::vector<bench::Variant> variants_{};
};

/// Times all candidates by successive halving; a few samples each if the job is one portion of a search.
HalvingResult search(const bench::Job& job, const Candidates& candidates, const bench::Watch& watch,
                     lab::RunRoofs& roofs) {
  const Stream stream = lab::make_stream(Device::cuda, 0);
  const lab::Params params = job.plan.kernels.first_case();
  const lab::Workload workload =
      make_workload(job.plan.kernels, candidates.variants(), Device::cuda, job.rejected, watch.guard());
  const auto work = workload.make_case(params, stream, {.seed = lab::fresh_seed(), .n_input_sets = 2});
  const auto timer = lab::make_timer(stream, workload.bytes_per_input_set(params), lab::KeepsLines::possibly);
  base::ProgressLine progress;
  int n_timed = 0;
  const auto time = [&](std::size_t i) {
    const int set = n_timed++ % work->n_input_sets();
    return timer->time_ns(
        lab::Regime::cold, [&] { workload.rungs[i].run(*work, stream, set); },
        [&] { work->prepare_timed(set, base::random_word()); });
  };
  const HalvingOptions halving{
      .n_finalists = job.is_search ? job.names.size() : static_cast<std::size_t>(job.n_finalists),
      .floor_ns = job.is_search ? 0 : roofs.floor(work->cost()).ns};
  return halve(workload.rungs.size(), halving, time,
               [&](double share) { progress.show("timing the combinations", share); });
}

/// Joules of a call, by combination.
using Energies = std::map<std::string, double>;

/// The energy of a call of each combination that stayed right. The calls of a run follow each other at once, on what
/// the one before left in arrays that are input and output.
Energies energies_of(const lab::CaseReport& report, const lab::Workload& workload, const bench::KernelPlan& plan) {
  const Stream stream = lab::make_stream(Device::cuda, 0);
  const auto work = workload.make_case(plan.first_case(), stream, {.seed = lab::fresh_seed(), .n_input_sets = 1});
  Energies energies;
  base::ProgressLine progress;
  for (const lab::Measurement& m : report.rungs) {
    if (m.status != lab::Status::verified || plan.is_reference(m.rung->name)) continue;
    progress.show("measuring energy", static_cast<double>(energies.size()) / static_cast<double>(report.rungs.size()));
    const int n_calls = static_cast<int>(std::clamp(1e6 / m.summary.median, 1., 1000.));
    const auto run = [&](int n) {
      work->prepare(0);
      for (int i = 0; i < n; ++i) m.rung->run(*work, stream, 0);
      stream.synchronize();
    };
    energies[m.rung->name] = joules_per_call([] { return lab::gpu_energy_j().value_or(0); }, run, n_calls);
  }
  return energies;
}

/// The verified combination that is the fastest, or needs the least energy if that was measured; or null.
const lab::Measurement* winner_of(const lab::CaseReport& report, const bench::KernelPlan& plan,
                                  const Energies& energies) {
  const lab::Measurement* winner = nullptr;
  const auto value = [&](const lab::Measurement& m) {
    return energies.empty() ? m.summary.median : energies.at(m.rung->name);
  };
  for (const lab::Measurement& m : report.rungs) {
    if (m.status != lab::Status::verified || plan.is_reference(m.rung->name)) continue;
    if (winner == nullptr || value(m) < value(*winner)) winner = &m;
  }
  return winner;
}

/// The energies, the least first.
std::string energy_table(const Energies& energies) {
  std::vector<std::pair<double, std::string>> sorted;
  for (const auto& [name, joules] : energies) sorted.emplace_back(joules, name);
  std::sort(sorted.begin(), sorted.end());
  std::string text = sorted.empty() ? "" : "  Energy of the GPU for one call, in millijoules\n";
  for (const auto& [joules, name] : sorted) text += fmt::format("    {:<30} {:>10.4g}\n", name, 1e3 * joules);
  return text;
}

/// "Winner: ...", and the combinations that are not slower.
std::string verdict_of(const lab::CaseReport& report, const bench::KernelPlan& plan, const Energies& energies) {
  const lab::Measurement* winner = winner_of(report, plan, energies);
  if (winner == nullptr) return "No combination stayed right while it was timed.\n";
  if (!energies.empty())
    return fmt::format("Winner by energy: {}, {:.4g} mJ, {}\n", winner->rung->name,
                       1e3 * energies.at(winner->rung->name), base::show_time(winner->summary.median));
  std::string text = fmt::format("Winner: {}, {}, {:.0f}% of the floor\n", winner->rung->name,
                                 base::show_time(winner->summary.median), 100 * report.share_of_floor(*winner));
  for (const lab::Measurement& m : report.rungs) {
    if (&m == winner || m.status != lab::Status::verified || plan.is_reference(m.rung->name)) continue;
    const lab::Versus against = versus(*winner, m, report.noise);
    if (against.verdict == lab::Verdict::faster) continue;
    text += fmt::format("  {} is as good: {:.3f}x ({:.3f}x to {:.3f}x) {}\n", m.rung->name, 1 / against.ratio,
                        1 / against.interval_high, 1 / against.interval_low, name(against.verdict));
  }
  return text;
}

/// On a GPU: searches, measures the finalists alternately, and writes the times of all points to the results file.
int measure(const bench::Job& job, const Candidates& candidates, const bench::Watch& watch) {
  const bench::KernelPlan& plan = job.plan.kernels;
  const Stream stream = lab::make_stream(Device::cuda, 0);
  lab::ResultsFile results(job.plan.json_path, Device::cuda, 1);
  results.name_sources(job.plan.event.sources);
  std::FILE* out = results.to_stdout() ? stderr : stdout;
  lab::RunRoofs roofs(lab::make_roof_meter(stream));
  roofs.begin();
  const HalvingResult found = search(job, candidates, watch, roofs);
  std::vector<std::string> finalists;
  for (const std::size_t i : found.finalists) finalists.push_back(job.names[i]);
  std::reverse(finalists.begin(), finalists.end());  // the best last, as on a ladder

  const lab::Workload workload =
      make_workload(plan, candidates.with_references(plan, finalists), Device::cuda, {}, watch.guard());
  base::ProgressLine progress;
  const lab::MeasureOptions how{.seed = lab::fresh_seed(), .rounds = {.cap_s = job.plan.quick ? 0.3 : 1.5}};
  const lab::CaseReport report =
      measure_case(workload, plan.first_case(), stream, roofs, how,
                   [&](const std::string& what, double share) { progress.show(what, share); });
  progress.clear();
  watch.guard().ended();
  const Energies energies = job.measures_energy ? energies_of(report, workload, plan) : Energies{};
  const std::string verdict = verdict_of(report, plan, energies);
  fmt::print(out, "rafter on {}\n{}\n{}{}{}", lab::describe_device(Device::cuda),
             ladder_table(report, roofs.now(), base::output_style()), energy_table(energies), verdict,
             found.is_near_floor ? "The search ended early: nothing can be much faster than the floor.\n" : "");
  roofs.end();
  json points = json::object();
  for (std::size_t i = 0; i < job.names.size(); ++i)
    points[job.names[i]] = {{"least_ns", found.best_ns[i]}, {"rounds", found.rounds[i]}};
  for (const auto& [name, joules] : energies) points[name]["energy_j"] = joules;
  const lab::Measurement* winner = winner_of(report, plan, energies);
  base::write_file(job.results,
                   json{{"points", points}, {"winner", winner != nullptr ? winner->rung->name : ""}}.dump());
  results.finish(&roofs, std::span(&report, 1));
  write_journal(job.plan.event, verdict, "right", winner != nullptr ? winner->rung->name : "",
                results.document(&roofs, std::span(&report, 1)).dump());
  return base::exit_good;
}

std::vector<bench::KernelCounts> counted(const bench::Job& job, const Candidates& candidates) {
  const lab::Workload workload = make_workload(job.plan.kernels, candidates.variants(), Device::simt, job.rejected, {});
  const auto work =
      workload.make_case(job.plan.kernels.first_case(), Stream::on(Device::simt), {.seed = 1, .n_input_sets = 1});
  return bench::count_rungs(workload, *work);
}

json point_json(const bench::KernelCounts& counts) {
  return {{"bytes_moved", counts.bytes_moved}, {"estimate_ns", counts.estimate_ns}};
}

/// One portion of a search: times or counts the candidates briefly and prints nothing.
int sample(const bench::Job& job, const Candidates& candidates, const bench::Watch& watch) {
  json points = json::object();
  if (job.plan.device == Device::cuda) {
    lab::RunRoofs roofs(lab::make_roof_meter(lab::make_stream(Device::cuda, 0)));
    const HalvingResult found = search(job, candidates, watch, roofs);
    for (std::size_t i = 0; i < job.names.size(); ++i)
      points[job.names[i]] = {{"least_ns", found.best_ns[i]}, {"rounds", found.rounds[i]}};
    watch.guard().ended();
  } else {
    for (const bench::KernelCounts& one : counted(job, candidates)) points[one.kernel] = point_json(one);
  }
  base::write_file(job.results, json{{"points", points}}.dump());
  return base::exit_good;
}

/// Ranks the combinations by the model's time and prints the counts of the best.
int count(const bench::Job& job, const Candidates& candidates) {
  const bench::KernelPlan& plan = job.plan.kernels;
  const lab::Workload workload = make_workload(plan, candidates.variants(), Device::simt, job.rejected, {});
  const lab::Params params = plan.first_case();
  const auto work = workload.make_case(params, Stream::on(Device::simt), {.seed = 1, .n_input_sets = 1});
  std::vector<bench::KernelCounts> all = bench::count_rungs(workload, *work);
  std::stable_sort(all.begin(), all.end(), [](const bench::KernelCounts& a, const bench::KernelCounts& b) {
    return a.estimate_ns < b.estimate_ns;
  });
  json points = json::object();
  for (const bench::KernelCounts& one : all) points[one.kernel] = point_json(one);
  base::write_file(job.results, json{{"points", points}}.dump());
  const std::string limit = limit_text(all.front(), work->cost());
  if (all.size() > static_cast<std::size_t>(job.n_finalists)) all.resize(static_cast<std::size_t>(job.n_finalists));
  std::FILE* out = job.plan.text_stream();
  fmt::print(out, "Counted with {}, ranked by the time that the model of 'rafter explain' estimates for an {}:\n{}{}",
             params.text(), bench::estimate_gpu(), bench::counts_table(all, work->cost()), limit);
  fmt::print(out, "  There is no GPU here: nothing was timed, and there is no winner.\n");
  write_journal(job.plan.event, limit, "right");
  return base::exit_good;
}

}  // namespace

int tune_child(const bench::Job& job) {
  const Device device = job.plan.device;
  if (device == Device::simt) simt::provide_device();
  const Candidates candidates(job);
  const bench::Watch watch(job.watch);
  if (!job.variants.empty()) {
    verify_here(job, candidates.variants(), lab::make_stream(device, 0));
    return base::exit_good;
  }
  if (job.is_search) return sample(job, candidates, watch);
  return device == Device::simt ? count(job, candidates) : measure(job, candidates, watch);
}

}  // namespace rafter::tune

#include "workbench/tune/ops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/exit_code.hpp"
#include "base/files.hpp"
#include "base/messages.hpp"
#include "base/stop_signals.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "library/core/tunable.hpp"
#include "workbench/journal/record.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/machine/device_choice.hpp"
#include "workbench/lab/machine/gpu.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/measure/measure.hpp"
#include "workbench/lab/workload/registry.hpp"

namespace rafter::tune {

namespace {

using Workloads = std::vector<const lab::Workload*>;

std::string family_of(const core::Tunable& tunable) { return tunable.name().substr(0, tunable.name().find('.')); }

bool has_workload(const Workloads& workloads, const std::string& name) {
  return std::any_of(workloads.begin(), workloads.end(), [&](const auto* workload) { return workload->name == name; });
}

/// Returns the tunables of the named workloads, or of all. Throws Error (bad_argument) for a workload without one.
std::vector<const core::Tunable*> chosen_tunables(const std::vector<std::string>& wanted, const Workloads& workloads) {
  std::vector<const core::Tunable*> chosen;
  std::vector<std::string> tuned;
  for (const core::Tunable* tunable : core::tunables()) {
    if (!has_workload(workloads, family_of(*tunable))) continue;  // with --load, the ops of this tool have no workload
    if (std::find(tuned.begin(), tuned.end(), family_of(*tunable)) == tuned.end()) tuned.push_back(family_of(*tunable));
    const bool is_wanted = std::find(wanted.begin(), wanted.end(), family_of(*tunable)) != wanted.end();
    if (wanted.empty() || is_wanted) chosen.push_back(tunable);
  }
  for (const std::string& name : wanted) {
    lab::workload_called(workloads, name);
    if (std::find(tuned.begin(), tuned.end(), name) == tuned.end())
      throw Error(ErrorCode::bad_argument, fmt::format("{} has nothing to tune; these have: {}", name,
                                                       base::joined(std::span<const std::string>(tuned), ", ")));
  }
  return chosen;
}

const lab::Rung& op_of(const lab::Workload& workload) {
  for (const lab::Rung* rung : rungs_on(workload, Device::cuda)) {
    if (rung->role == lab::Role::op && rung->run) return *rung;
  }
  throw Error(ErrorCode::unsupported, fmt::format("this build has no op of {} for a GPU", workload.name));
}

/// Returns the workload with one rung for each value of the tunable: the op launched with it. The current value is
/// last.
lab::Workload with_values(const lab::Workload& workload, const core::Tunable& tunable, int now) {
  lab::Workload copy = workload;
  const lab::Rung op = op_of(workload);
  copy.rungs.clear();
  std::vector<int> values = tunable.alternatives();
  std::erase(values, now);
  values.push_back(now);
  for (const int value : values) {
    lab::Rung rung = op;
    rung.name = std::to_string(value);
    rung.role = lab::Role::step;
    rung.run = [run = op.run, value, &tunable](lab::Case& work, const Stream& stream, int set) {
      const core::TunedScope scope(tunable, value);
      run(work, stream, set);
    };
    copy.rungs.push_back(std::move(rung));
  }
  return copy;
}

/// The result of one value over all cases, compared with the current value.
struct ValueResult {
  int value;
  double log_ratio = 0;  ///< Sum over the cases of the logarithm of the speedup.
  bool is_slower_anywhere = false, is_faster_anywhere = false, is_right = true;
};

struct TunableResult {
  int now = 0, best = 0;
  double gain = 1;  ///< Geometric mean over the cases.
  std::string text{};
};

class Tuner {
 public:
  Tuner(bool quick, const Stream& stream) : quick_(quick), stream_(stream) {
    roofs_.emplace(lab::make_roof_meter(stream_));
    roofs_->begin();
  }

  TunableResult tune(const core::Tunable& tunable, const lab::Workload& workload) {
    TunableResult result{.now = tunable.value_here()};
    const lab::Workload variants = with_values(workload, tunable, result.now);
    std::vector<ValueResult> values;
    for (const lab::Rung& rung : variants.rungs) values.push_back({std::stoi(rung.name)});
    result.text = fmt::format("{}: {}; now {}\n", tunable.name(), tunable.meaning(), result.now);
    const auto cases = workload.standard_cases(Device::cuda, quick_ ? lab::Effort::quick : lab::Effort::normal);
    for (const lab::Params& params : cases) result.text += measure(variants, complete(workload, params), values);
    result.best = result.now;
    for (const ValueResult& value : values) {
      const double gain = std::exp(value.log_ratio / static_cast<double>(cases.size()));
      const bool is_better = value.is_right && value.is_faster_anywhere && !value.is_slower_anywhere;
      if (value.value == result.now || !is_better || gain <= result.gain) continue;
      result.best = value.value;
      result.gain = gain;
    }
    return result;
  }

 private:
  /// Measures one case and returns a line with the times of all values.
  std::string measure(const lab::Workload& variants, const lab::Params& params, std::vector<ValueResult>& values) {
    const lab::MeasureOptions how{.seed = lab::fresh_seed(), .rounds = {.cap_s = quick_ ? 0.2 : 0.6}};
    const lab::CaseReport report =
        measure_case(variants, params, stream_, *roofs_, how, [&](const std::string& what, double share) {
          if (base::StopSignals::arrived()) throw Error(ErrorCode::io, "stopped by a signal");
          progress_.show(what, share);
        });
    progress_.clear();
    const lab::Measurement& now = report.rungs.back();
    std::string line = params.text() + ":";
    for (std::size_t i = 0; i < values.size(); ++i) {
      const lab::Measurement& m = report.rungs[i];
      const bool is_right = m.status == lab::Status::verified && now.status == lab::Status::verified;
      values[i].is_right = values[i].is_right && is_right;
      if (!is_right) {
        line += fmt::format(" {}: {};", values[i].value, name(m.status));
        continue;
      }
      const lab::Versus against = versus(m, now, report.noise);
      values[i].log_ratio += std::log(against.ratio);
      values[i].is_slower_anywhere = values[i].is_slower_anywhere || against.verdict == lab::Verdict::slower;
      values[i].is_faster_anywhere = values[i].is_faster_anywhere || against.verdict == lab::Verdict::faster;
      line += fmt::format(" {} {}{};", values[i].value, base::show_time(m.summary.median),
                          &m == &now ? "" : fmt::format(" {}", name(against.verdict)));
    }
    line.back() = '.';
    return base::wrapped(line, "  ", "    ");
  }

  bool quick_;
  Stream stream_;
  std::optional<lab::RunRoofs> roofs_;
  base::ProgressLine progress_;
};

void keep_values(const std::vector<core::TunedValue>& found) {
  const std::string path = core::tuned_path();
  std::vector<core::TunedValue> values = core::read_tuned(path);
  for (const core::TunedValue& value : found) {
    std::erase_if(values, [&](const core::TunedValue& old) { return old.gpu == value.gpu && old.name == value.name; });
    values.push_back(value);
  }
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  base::write_file(path, core::tuned_text(values));
  fmt::print("Kept in {}, which the ops read.\n", path);
}

/// Reports lines of the file that no op accepts.
void report_unknown_lines(const std::string& gpu) {
  for (const core::TunedValue& line : core::read_tuned(core::tuned_path())) {
    if (line.gpu != gpu) continue;
    const auto all = core::tunables();
    const bool is_taken = std::any_of(all.begin(), all.end(), [&](const core::Tunable* tunable) {
      return tunable->name() == line.name && tunable->allows(line.value);
    });
    if (!is_taken)
      fmt::print(stderr, "rafter: {} has '{} {}', which no op accepts\n", core::tuned_path(), line.name, line.value);
  }
}

void write_journal(const OpsPlan& plan, const std::vector<core::TunedValue>& better) {
  journal::Event event{
      .said = better.empty() ? "The current launch parameters are the best ones here." : "Better here:",
      .words = plan.words};
  for (const core::TunedValue& value : better)
    event.said += fmt::format("{} {} = {}", &value == &better.front() ? "" : ",", value.name, value.value);
  journal::record(event);
}

}  // namespace

int tune_ops(const OpsPlan& plan, const Workloads& workloads) {
  journal::require_words(plan.words);
  const auto chosen = chosen_tunables(plan.workloads, workloads);
  if (const auto why = why_unavailable(Device::cuda))
    throw Error(ErrorCode::unsupported, "tuning measures times on a GPU: " + *why);
  if (chosen.empty())
    throw Error(ErrorCode::bad_argument,
                "there is nothing to tune: no op here has a core::Tunable (library/core/tunable.hpp)");
  const base::StopSignals signals;
  const std::string gpu = core::gpu_model();
  fmt::print("rafter on {}\n", lab::describe_device(Device::cuda));
  report_unknown_lines(gpu);
  Tuner tuner(plan.quick, lab::make_stream(Device::cuda, 0));
  std::vector<core::TunedValue> better;
  for (const core::Tunable* tunable : chosen) {
    const TunableResult result = tuner.tune(*tunable, lab::workload_called(workloads, family_of(*tunable)));
    const bool is_best = result.best == result.now;
    fmt::print("{}  {}\n", result.text,
               is_best ? fmt::format("{} is the best value here: no other is faster in one case and slower in none",
                                     result.now)
                       : fmt::format("{} is better here, {:.3f}x over the cases", result.best, result.gain));
    std::fflush(stdout);
    if (!is_best) better.push_back({gpu, tunable->name(), result.best});
  }
  if (plan.keep && !better.empty()) keep_values(better);
  if (!plan.keep && !better.empty()) fmt::print("--keep writes what is better to {}\n", core::tuned_path());
  write_journal(plan, better);
  return plan.check && !better.empty() ? base::exit_no : base::exit_good;
}

}  // namespace rafter::tune

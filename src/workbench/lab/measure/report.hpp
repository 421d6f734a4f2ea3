// What was found out about the rungs of one case.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workbench/lab/machine/stage_recorder.hpp"
#include "workbench/lab/machine/timer.hpp"
#include "workbench/lab/measure/statistics.hpp"
#include "workbench/lab/roofs/roofs.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::lab {

enum class Status {
  verified,     ///< right before, during and after the timing
  wrong,        ///< gave a wrong answer: no time is shown
  refused,      ///< said why it does not do this case
  absent,       ///< not in this build
  failed,       ///< broke down: a launch that failed
  implausible,  ///< faster than any machine: something is not measured that should be
};
const char* name(Status status) noexcept;

/// What the stages of a rung took in calls of their own, which were timed for nothing else.
struct StageProfile {
  std::vector<StageTime> stages{};  ///< in the order of the call; empty: the rung names none

  double total_ns() const;
  double share(const StageTime& stage) const { return stage.ns / total_ns(); }
  /// Amdahl: how much faster the call would be if the stage took no time.
  double speedup_without(const StageTime& stage) const { return total_ns() / (total_ns() - stage.ns); }
};

struct Measurement {
  const Rung* rung = nullptr;
  Status status = Status::verified;
  std::string reason{};              ///< when not verified: what is wrong; otherwise how the answers compared
  std::vector<double> samples_ns{};  ///< in the headline regime
  std::vector<int> rounds{};         ///< the round each sample was taken in
  Summary summary{};
  std::string stopped_by{};              ///< "steady" or "time"; empty when it was not timed
  bool is_slow = false;                  ///< so that every sample is checked, and calls for nothing else are few
  std::optional<int> n_launches{};       ///< of one call, where the device can count them
  int n_discarded = 0;                   ///< samples taken while the clock was low
  std::map<Regime, Summary> others{};    ///< the other regimes, when asked for
  std::optional<StageProfile> stages{};  ///< when asked for
};

/// One case with all its rungs.
struct CaseReport {
  const Workload* workload = nullptr;
  Params params{};
  Device device = Device::cpu;
  std::uint64_t seed = 0;
  int n_input_sets = 0;
  Regime regime = Regime::cold;
  Cost cost{};
  Floor floor{};
  double noise = 0;  ///< A/A: the op against itself, in the same rounds
  std::vector<Measurement> rungs{};

  /// The last verified own rung (the op, if it ran), and the fastest verified peer; null when there is none.
  const Measurement* op() const;
  const Measurement* best_peer() const;
  bool any_wrong() const;
  /// The floor over the median. Nothing shows more than all of it.
  double share_of_floor(const Measurement& m) const { return std::min(1., floor.ns / m.summary.median); }
};

/// How two rungs stand to each other, from the rounds in which both took part.
Versus versus(const Measurement& own, const Measurement& other, double noise);

/// The machine's own noise: a rung against itself, from the rounds in which both took part.
double noise_between(const Measurement& once, const Measurement& again);

}  // namespace rafter::lab

// The results of the rungs of one case.
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

/// The times of a rung's stages, from separate calls.
struct StageProfile {
  std::vector<StageTime> stages{};  ///< order of the call; empty if the rung names no stages

  double total_ns() const;
  double share(const StageTime& stage) const { return stage.ns / total_ns(); }
  /// The speedup of the call if the stage took no time (Amdahl's law).
  double speedup_without(const StageTime& stage) const { return total_ns() / (total_ns() - stage.ns); }
};

struct Measurement {
  const Rung* rung = nullptr;
  Status status = Status::verified;
  std::string reason{};              ///< the error if not verified, otherwise how the answers compared
  std::vector<double> samples_ns{};  ///< headline regime
  std::vector<int> rounds{};         ///< the round each sample was taken in
  Summary summary{};
  std::string stopped_by{};              ///< "steady" or "time"; empty if not timed
  bool is_slow = false;                  ///< slow: sampled as rarely as possible
  std::optional<int> n_launches{};       ///< launches per call, if the device can count them
  int n_verified = 0;                    ///< timed calls whose results were verified
  int n_fresh = 0;                       ///< timed calls whose inputs the rung had never had before
  int n_discarded = 0;                   ///< samples discarded because the clock was low
  std::map<Regime, Summary> others{};    ///< the other regimes, if requested
  std::optional<StageProfile> stages{};  ///< if requested
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
  double noise = 0;  ///< A/A noise: the op compared with itself in the same rounds
  std::vector<Measurement> rungs{};

  /// The last verified own rung (the op, if it ran), or null.
  const Measurement* op() const;
  /// The fastest verified peer, or null.
  const Measurement* best_peer() const;
  bool any_wrong() const;
  /// Returns the floor divided by the median, at most 1.
  double share_of_floor(const Measurement& m) const { return std::min(1., floor.ns / m.summary.median); }
};

/// Compares two rungs over the rounds in which both were timed.
Versus versus(const Measurement& own, const Measurement& other, double noise);

/// Returns the machine's noise: a rung compared with itself over the rounds in which both were timed.
double noise_between(const Measurement& once, const Measurement& again);

}  // namespace rafter::lab

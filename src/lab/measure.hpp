// Climbs a ladder: verifies every rung, then times them all in interleaved rounds.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lab/roofs.hpp"
#include "lab/statistics.hpp"
#include "lab/timer.hpp"
#include "lab/workload.hpp"

namespace rafter::lab {

enum class Status {
  verified,     ///< right before, during and after the timing
  wrong,        ///< gave a wrong answer: no time is shown
  refused,      ///< said why it does not do this case
  absent,       ///< not in this build
  failed,       ///< broke down: a launch that failed
  implausible,  ///< faster than the floor: something is not measured that should be
};
const char* name(Status status) noexcept;

struct Measurement {
  const Rung* rung = nullptr;
  Status status = Status::verified;
  std::string reason{};              ///< when not verified: what is wrong; otherwise how the answers compared
  std::vector<double> samples_ns{};  ///< in the headline regime
  std::vector<int> rounds{};         ///< the round each sample was taken in
  Summary summary{};
  std::string stopped_by{};            ///< "steady", "time" or "none"
  int n_discarded = 0;                 ///< samples taken while the clock was low
  std::map<Regime, Summary> others{};  ///< the other regimes, when asked for
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
};

/// How two rungs stand to each other, from the rounds in which both took part.
Versus versus(const Measurement& own, const Measurement& other, double noise);

struct MeasureOptions {
  std::uint64_t seed = 0;
  Regime regime = Regime::cold;
  bool all_regimes = false;
  std::vector<std::string> only{};  ///< names of rungs; empty: all
  double cap_s = 1.5;               ///< timing per rung
  double settle_s = 0.05;           ///< warming up per rung
};

/// What is being done now, for people who wait: "sum 2^27: last_block", share of the whole from 0 to 1.
using Progress = std::function<void(const std::string& what, double share)>;

CaseReport measure_case(const Workload& workload, const Params& params, const Stream& stream, const Roofs& roofs,
                        const MeasureOptions& options, const Progress& progress);

/// Only verifies; for devices without a clock of their own, and for tests.
Measurement verify_rung(const Rung& rung, Case& work, const Stream& stream);

/// Input sets that fit in memory, at most `wanted`; throws Error (out_of_memory) when not even one does.
int n_input_sets_that_fit(const Workload& workload, const Params& params, Device device, int wanted);

}  // namespace rafter::lab

// The steps of a journal: the gain of each, the gain in all, and the distance to the target.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workbench/journal/journal.hpp"
#include "workbench/journal/measured.hpp"
#include "workbench/journal/quantity.hpp"

namespace rafter::journal {

struct Step {
  int number = 0;  ///< counted from 1; other entries have no number
  const Entry* entry = nullptr;
  std::string message{};  ///< the user's sentence, from the entry or a later note
  std::vector<TimedCase> cases{};
  /// The case and rung that represent the step: the case that most steps measured. Empty if nothing was timed.
  std::string track{};  ///< the case and its machine; times are compared only within a track
  std::string case_name{};
  TimedRung rung{};
  double floor_ns = 0;
  std::string floor_limit{};
  std::optional<double> over_last{}, over_best{}, over_first{};  ///< above 1: faster; nullopt for the first step
  std::optional<Quantity> predicted{};
  std::optional<double> predicted_factor{};  ///< factor over the previous step

  bool is_timed() const { return rung.ns > 0; }
  double share_of_floor() const { return floor_ns > 0 && rung.ns > 0 ? std::min(1., floor_ns / rung.ns) : 0; }
  /// Returns the user's sentence, or what was measured.
  std::string title() const;
};

struct Steps {
  std::vector<Step> all{};
  std::string track{};  ///< the track of most timed steps; empty: nothing was timed
  std::string case_name{};
  std::optional<Quantity> target{};

  bool is_on_track(const Step& step) const { return step.is_timed() && step.track == track; }
  const Step* step(int number) const;    ///< null if there is no such step
  const Step* step_of(int entry) const;  ///< looks up a step by the number of its entry
  const Step* first() const;             ///< first step of the track; null if nothing was timed
  const Step* best() const;
  /// Returns a sentence if the times are estimates, otherwise "".
  std::string estimate_words() const;
  /// Returns the time that the target requires, or 0 without a target or a step to compare with.
  double target_ns() const;
  /// Returns "target 5x: reached with step 4; ...", or the distance to the target; "" without a target.
  std::string target_text() const;
};

Steps steps_of(const Journal& journal);

/// Returns sentences on the distance of the best step from the floor, Amdahl's bound and the target. Empty if nothing
/// was timed.
std::vector<std::string> remaining_potential(const Steps& steps);

}  // namespace rafter::journal

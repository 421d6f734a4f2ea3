// The steps of a journal: what each one gained, what that is in all, and what is missing to the target.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workbench/journal/journal.hpp"
#include "workbench/journal/measured.hpp"
#include "workbench/journal/quantity.hpp"

namespace rafter::journal {

struct Step {
  int number = 0;  ///< from 1 on, as people count: entries that are no steps have none
  const Entry* entry = nullptr;
  std::string message{};  ///< your sentence, with it or in a note after it
  std::vector<TimedCase> cases{};
  /// The case and rung whose time stands for the step: the case that most steps measured. Nothing where nothing was
  /// timed.
  std::string track{};  ///< the case and its machine: times are held against those of the same track alone
  std::string case_name{};
  TimedRung rung{};
  double floor_ns = 0;
  std::string floor_limit{};
  std::optional<double> over_last{}, over_best{}, over_first{};  ///< above 1: faster; of the first step nothing
  std::optional<Quantity> predicted{};
  std::optional<double> predicted_factor{};  ///< over the last step

  bool is_timed() const { return rung.ns > 0; }
  double share_of_floor() const { return floor_ns > 0 && rung.ns > 0 ? std::min(1., floor_ns / rung.ns) : 0; }
  /// Your sentence, or what was measured.
  std::string title() const;
};

struct Steps {
  std::vector<Step> all{};
  std::string track{};  ///< the one that most timed steps are of; empty: nothing was timed
  std::string case_name{};
  std::optional<Quantity> target{};

  bool is_on_track(const Step& step) const { return step.is_timed() && step.track == track; }
  const Step* step(int number) const;    ///< null where there is none
  const Step* step_of(int entry) const;  ///< the same by the number of its entry
  const Step* first() const;             ///< of the track; null where nothing was timed
  const Step* best() const;
  /// The time that the target asks for; 0 where there is none, or nothing to hold it against.
  double target_ns() const;
  /// "target 5x: reached, 13.1x (step 4)", or what is still missing; empty without a target.
  std::string target_text() const;
};

Steps steps_of(const Journal& journal);

/// How far the best step is from what is possible: sentences on the floor, Amdahl's bound and the target. Empty where
/// nothing was timed.
std::vector<std::string> what_is_left(const Steps& steps);

}  // namespace rafter::journal

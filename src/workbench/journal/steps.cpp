#include "workbench/journal/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/units.hpp"
#include "rafter/error.hpp"

namespace rafter::journal {

namespace {

/// Estimates do not depend on the machine that counts.
std::string track_of(const Entry& entry, const TimedCase& one) {
  return one.name + " | " + (one.is_estimate() ? "estimates" : entry.machine);
}

/// Returns the track with times, or with estimates, in most entries, the first of equals.
std::string main_track(const std::vector<Step>& steps, bool of_estimates) {
  std::map<std::string, int> n_steps;
  std::vector<std::string> order;
  for (const Step& step : steps) {
    for (const TimedCase& one : step.cases) {
      const std::string track = track_of(*step.entry, one);
      if (one.is_estimate() == of_estimates && one.best() != nullptr && n_steps[track]++ == 0) order.push_back(track);
    }
  }
  const auto most = std::max_element(
      order.begin(), order.end(), [&](const std::string& a, const std::string& b) { return n_steps[a] < n_steps[b]; });
  return most != order.end() ? *most : "";
}

/// Chooses the case that represents the step: that of the main track, or the first one with a time. A step that is
/// wrong has no time: that of another rung would not be its own.
void choose(Step& step, const std::string& main) {
  if (step.entry->verdict == Verdict::wrong) return;
  const TimedCase* chosen = nullptr;
  for (const TimedCase& one : step.cases) {
    if (one.best(step.entry->rung) == nullptr) continue;
    if (chosen == nullptr || track_of(*step.entry, one) == main) chosen = &one;
  }
  if (chosen == nullptr) return;
  step.track = track_of(*step.entry, *chosen);
  step.case_name = chosen->name;
  step.rung = *chosen->best(step.entry->rung);
  step.floor_ns = chosen->floor_ns;
  step.floor_limit = chosen->floor_limit;
}

/// Compares the step with earlier ones on its track.
void compare_with_earlier(Step& step, const std::vector<Step>& all) {
  const Step *first = nullptr, *last = nullptr, *best = nullptr;
  for (const Step& other : all) {
    if (&other == &step) break;
    if (!other.is_timed() || other.track != step.track) continue;
    if (first == nullptr) first = &other;
    if (best == nullptr || other.rung.ns < best->rung.ns) best = &other;
    last = &other;
  }
  if (last == nullptr) return;
  step.over_first = first->rung.ns / step.rung.ns;
  step.over_last = last->rung.ns / step.rung.ns;
  step.over_best = best->rung.ns / step.rung.ns;
  if (!step.predicted) return;
  step.predicted_factor = step.predicted->is_factor() ? step.predicted->value : last->rung.ns / step.predicted->value;
}

/// Returns the entry's own message, or that of the first note about it.
std::string message_of(const Journal& journal, const Entry& entry) {
  if (!entry.message.empty()) return entry.message;
  for (const Entry& note : journal.entries()) {
    if (note.kind == Kind::note && note.about == entry.number && !note.message.empty()) return note.message;
  }
  return "";
}

/// Returns nullopt also for invalid text in an edited file.
std::optional<Quantity> quantity_in(const std::string& text) {
  try {
    return text.empty() ? std::nullopt : std::optional(parse_quantity("it", text));
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::string Step::title() const {
  if (!message.empty()) return message;
  if (is_timed()) return rung.name;
  return entry->command.empty() ? entry->said : entry->command;
}

const Step* Steps::step(int number) const {
  return number >= 1 && number <= static_cast<int>(all.size()) ? &all[static_cast<std::size_t>(number) - 1] : nullptr;
}

const Step* Steps::step_of(int entry) const {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Step& one) { return one.entry->number == entry; });
  return found != all.end() ? &*found : nullptr;
}

const Step* Steps::first() const {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Step& step) { return is_on_track(step); });
  return found != all.end() ? &*found : nullptr;
}

std::string Steps::estimate_words() const {
  if (first() == nullptr || !first()->rung.is_estimate()) return "";
  return fmt::format("~: the model's estimates for an {}, from counts of the executor; no time was measured",
                     first()->rung.estimated_for);
}

const Step* Steps::best() const {
  const Step* best = nullptr;
  for (const Step& step : all) {
    if (is_on_track(step) && (best == nullptr || step.rung.ns < best->rung.ns)) best = &step;
  }
  return best;
}

double Steps::target_ns() const {
  if (!target || first() == nullptr) return 0;
  return target->is_factor() ? first()->rung.ns / target->value : target->value;
}

std::string Steps::target_text() const {
  if (!target) return "";
  const std::string name = fmt::format("target {}", target->text());
  if (best() == nullptr) return name + ": nothing has been timed yet";
  const double missing = best()->rung.ns / target_ns(), gained = first()->rung.ns / best()->rung.ns;
  if (missing > 1)
    return fmt::format("{}: {} so far (step {}, {}), {} to go", name, base::show_ratio(gained), best()->number,
                       best()->rung.time(), base::show_ratio(missing));
  const auto reached = std::find_if(all.begin(), all.end(),
                                    [&](const Step& step) { return is_on_track(step) && step.rung.ns <= target_ns(); });
  return fmt::format("{}: reached with step {}; {} in all (step {}, {})", name, reached->number,
                     base::show_ratio(gained), best()->number, best()->rung.time());
}

Steps steps_of(const Journal& journal) {
  Steps steps;
  for (const Entry& entry : journal.entries()) {
    if (entry.kind != Kind::step) continue;
    steps.all.push_back({.number = static_cast<int>(steps.all.size()) + 1,
                         .entry = &entry,
                         .message = message_of(journal, entry),
                         .cases = cases_of(entry),
                         .predicted = quantity_in(entry.prediction)});
  }
  steps.track = main_track(steps.all, /*of_estimates=*/false);
  if (steps.track.empty()) steps.track = main_track(steps.all, /*of_estimates=*/true);
  for (Step& step : steps.all) choose(step, steps.track);
  for (Step& step : steps.all) {
    if (step.is_timed()) compare_with_earlier(step, steps.all);
  }
  if (steps.first() != nullptr) steps.case_name = steps.first()->case_name;
  steps.target = quantity_in(journal.target());
  return steps;
}

std::vector<std::string> remaining_potential(const Steps& steps) {
  const Step* best = steps.best();
  if (best == nullptr) return {};
  std::vector<std::string> sentences;
  if (best->floor_ns > 0) {
    sentences.push_back(fmt::format("{} takes {}, {:.0f} % of the floor of {} ({}): at most {} remains.",
                                    best->rung.name, base::show_time(best->rung.ns), 100 * best->share_of_floor(),
                                    base::show_time(best->floor_ns), best->floor_limit,
                                    base::show_ratio(std::max(1., best->rung.ns / best->floor_ns))));
  }
  const auto& stages = best->rung.stages;
  const auto largest = std::max_element(stages.begin(), stages.end(),
                                        [](const StageShare& a, const StageShare& b) { return a.share < b.share; });
  if (largest != stages.end() && largest->share < 1) {
    sentences.push_back(
        fmt::format("Amdahl's law: removing its largest stage, {}, {:.0f} % of the time, would give {}.", largest->name,
                    100 * largest->share, base::show_ratio(largest->speedup_without())));
  }
  if (const std::string target = steps.target_text(); !target.empty())
    sentences.push_back(fmt::format("T{}.", target.substr(1)));
  return sentences;
}

}  // namespace rafter::journal

#include "workbench/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rafter/error.hpp"

namespace rafter::compare {

namespace {

const TimedRung* find(const Results& results, const TimedRung& rung) {
  const auto found = std::find_if(results.rungs.begin(), results.rungs.end(),
                                  [&](const TimedRung& other) { return other.matches(rung); });
  return found != results.rungs.end() ? &*found : nullptr;
}

/// Matches the rungs of both results and lists the unmatched ones.
Comparison match(const Results& before, const Results& after) {
  Comparison comparison;
  const auto name = [](const TimedRung& rung) { return fmt::format("{}, {}", rung.in_case(), rung.rung); };
  for (const TimedRung& rung : before.rungs) {
    if (const TimedRung* other = find(after, rung)) {
      comparison.rungs.push_back({.before = rung, .after = *other});
    } else {
      comparison.only_before.push_back(name(rung));
    }
  }
  for (const TimedRung& rung : after.rungs) {
    if (find(before, rung) == nullptr) comparison.only_after.push_back(name(rung));
  }
  if (comparison.rungs.empty()) {
    throw Error(ErrorCode::bad_argument,
                fmt::format("'{}' and '{}' have no case and rung in common: the first has {}, the second {}",
                            before.name, after.name, comparison.only_before.front(), comparison.only_after.front()));
  }
  return comparison;
}

/// Returns the lower quartile of a rung's times in a round: disturbances only make times longer.
double lower_quartile(const TimedRung& rung) { return lab::summarize(rung.samples_ns).lower_quartile; }

}  // namespace

bool Comparison::any_worse() const {
  return std::any_of(rungs.begin(), rungs.end(),
                     [](const ComparedRung& rung) { return rung.is_slower() || rung.is_newly_wrong(); });
}

Comparison compare(const Results& before, const Results& after) {
  Comparison comparison = match(before, after);
  for (ComparedRung& rung : comparison.rungs) {
    rung.before_ns = lab::summarize(rung.before.samples_ns).median;
    rung.after_ns = lab::summarize(rung.after.samples_ns).median;
    const double noise = std::max(rung.before.noise, rung.after.noise);
    rung.versus = lab::judge_unpaired(rung.after.samples_ns, rung.before.samples_ns, noise);
  }
  return comparison;
}

Comparison compare_rounds(const std::vector<std::pair<Results, Results>>& rounds) {
  Comparison comparison = match(rounds.at(0).first, rounds[0].second);
  for (ComparedRung& rung : comparison.rungs) {
    std::vector<double> before_ns, after_ns;
    for (const auto& [before, after] : rounds) {
      const TimedRung *was = find(before, rung.before), *is = find(after, rung.after);
      if (was == nullptr || is == nullptr) continue;
      if (!was->is_verified) rung.before = *was;
      if (!is->is_verified) rung.after = *is;
      if (was->samples_ns.empty() || is->samples_ns.empty()) continue;
      before_ns.push_back(lower_quartile(*was));
      after_ns.push_back(lower_quartile(*is));
    }
    if (!rung.before.is_verified || !rung.after.is_verified) continue;
    rung.before_ns = lab::summarize(before_ns).median;
    rung.after_ns = lab::summarize(after_ns).median;
    rung.versus = lab::judge(after_ns, before_ns, 0);
  }
  return comparison;
}

}  // namespace rafter::compare

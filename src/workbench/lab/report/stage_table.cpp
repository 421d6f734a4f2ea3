#include "workbench/lab/report/stage_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"

namespace rafter::lab {

namespace {

/// Returns Amdahl's bound as text: "1.03x".
std::string bound(const StageProfile& profile, const StageTime& stage) {
  return base::show_ratio(profile.speedup_without(stage));
}

std::string amdahl(const StageProfile& profile) {
  const auto [smallest, largest] = std::minmax_element(
      profile.stages.begin(), profile.stages.end(), [](const StageTime& a, const StageTime& b) { return a.ns < b.ns; });
  return fmt::format("speedup at most {} without {} (largest), {} without {} (smallest)", bound(profile, *largest),
                     largest->name, bound(profile, *smallest), smallest->name);
}

std::string stage_table(const Measurement& m, const std::string& where, base::Style style) {
  const StageProfile& profile = *m.stages;
  const std::string title = fmt::format("stages of {}{}", m.rung->name, where);
  std::string text = "  " + (style == base::Style::coloured ? "\x1b[1m" + title + "\x1b[0m" : title);
  text += fmt::format(": {} with stage timing, {} without\n", base::show_time(profile.total_ns()),
                      base::show_time(m.summary.median));
  text += fmt::format("    {:<24} {:>9}  {:>6}  {:>9}\n", "stage", "time", "share", "if free");
  for (const StageTime& stage : profile.stages) {
    text += fmt::format("    {:<24} {:>9}  {:>5.1f}%  {:>9}\n", stage.name, base::show_time(stage.ns),
                        100 * profile.share(stage), profile.stages.size() > 1 ? bound(profile, stage) : "-");
  }
  return profile.stages.size() > 1 ? text + base::wrapped(amdahl(profile), "    ", "      ") : text;
}

}  // namespace

std::string stage_tables(const CaseReport& report, const Parameter* swept, base::Style style) {
  const std::string where =
      swept != nullptr ? fmt::format(" at {} = {}", swept->name, show(*report.params.find(swept->name))) : "";
  std::string tables;
  std::string without;
  for (const Measurement& m : report.rungs) {
    if (m.status != Status::verified || !m.stages) continue;
    if (m.stages->stages.empty()) {
      without += (without.empty() ? "" : ", ") + m.rung->name;
    } else {
      tables += stage_table(m, where, style);
    }
  }
  if (without.empty()) return tables;
  const std::string sentence =
      tables.empty() ? fmt::format("{} has no stages{}: none of its rungs names stages", report.workload->name, where)
                     : fmt::format("without stages{}: {}", where, without);
  return tables + base::wrapped(sentence, "  ", "    ");
}

}  // namespace rafter::lab

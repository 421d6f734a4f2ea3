#include "workbench/lab/report/columns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rafter::lab {

namespace {

bool has_several_launches(std::span<const CaseReport> reports) {
  return std::any_of(reports.begin(), reports.end(), [](const CaseReport& report) {
    return std::any_of(report.rungs.begin(), report.rungs.end(),
                       [](const Measurement& m) { return m.n_launches.value_or(1) > 1; });
  });
}

int size_of(const std::string& text) { return static_cast<int>(text.size()); }

/// Returns the width of the longest name.
int longest_name(std::span<const CaseReport> reports, bool has_floors) {
  int longest = 4;  // "rung"
  for (const CaseReport& report : reports) {
    if (has_floors) longest = std::max(longest, size_of(floor_label(report)));
    for (const Measurement& m : report.rungs) longest = std::max(longest, size_of(label_of(m)));
  }
  return longest;
}

}  // namespace

int Columns::width() const {
  const auto with_gap = [](int column) { return column > 0 ? column + 2 : 0; };
  constexpr int median = 1 + 9, floor = 2 + 5, ratios = 1 + 7 + 2 + 7;
  return with_gap(value) + 2 + name + with_gap(launches) + median + with_gap(interval) + with_gap(rate) + floor +
         (bar > 0 ? bar + 1 : 0) + ratios;
}

std::string label_of(const Measurement& m) { return (m.rung->kind == RungKind::peer ? "peer " : "") + m.rung->name; }

std::string floor_label(const CaseReport& report) { return fmt::format("floor ({})", name(report.floor)); }

std::string value_text(const CaseReport& report, const Parameter& swept) {
  return show(*report.params.find(swept.name));
}

Columns columns_for(std::span<const CaseReport> reports, const Parameter* swept, int width) {
  Columns columns;
  for (const CaseReport& report : reports) {
    if (swept != nullptr)
      columns.value = std::max({columns.value, size_of(swept->name), size_of(value_text(report, *swept))});
    if (report.floor.limit == Floor::Limit::arithmetic) columns.rate = 12;  // "1.23 GFLOP/s"
  }
  columns.launches = has_several_launches(reports) ? 8 : 0;
  const int longest = longest_name(reports, swept != nullptr);
  columns.name = std::max(columns.name, longest);
  if (columns.width() > width) columns.name = longest;
  constexpr int shortest_bar = 3;
  const int too_wide = columns.width() - width;
  columns.bar = columns.bar - too_wide >= shortest_bar ? std::min(columns.bar, columns.bar - too_wide) : 0;
  for (int* column : {&columns.launches, &columns.interval, &columns.rate}) {
    if (columns.width() > width) *column = 0;
  }
  return columns;
}

}  // namespace rafter::lab

#include "workbench/lab/report/regime_table.hpp"

#include <fmt/format.h>

#include "base/terminal.hpp"
#include "base/units.hpp"

namespace rafter::lab {

namespace {

/// Whether the GPU works for less than half of the wall time, and for less than ten empty kernels.
bool is_launch_bound(const Measurement& m, Device device, const Roofs& roofs) {
  const auto wall = m.others.find(Regime::wall);
  return device == Device::cuda && wall != m.others.end() && wall->second.median > 2 * m.summary.median &&
         m.summary.median < 10 * roofs.launch_ns;
}

std::string time_cell(const Summary& summary) {
  return fmt::format("  {:>8}", summary.n > 0 ? base::show_time(summary.median) : "-");
}

}  // namespace

std::string regime_table(std::span<const CaseReport> reports, const Parameter* swept, const Roofs& roofs, int width) {
  const Columns columns = columns_for(reports, swept, width);
  const auto first_cells = [&](const std::string& value, const std::string& name) {
    const std::string before = swept != nullptr ? fmt::format("  {:>{}}", value, columns.value) : "";
    return before + fmt::format("  {:<{}}", name, columns.name);
  };
  std::string heading, rows, bound;
  bool any_impossible = false;
  for (const CaseReport& report : reports) {
    const std::string value = swept != nullptr ? value_text(report, *swept) : "";
    for (const Measurement& m : report.rungs) {
      if (m.others.empty()) continue;
      std::string names = fmt::format("  {:>8}", name(report.regime));
      std::string times = time_cell(m.summary);
      for (const auto& [regime, summary] : m.others) {
        names += fmt::format("  {:>8}", name(regime));
        times += time_cell(summary);
        any_impossible = any_impossible || summary.n == 0;
      }
      if (heading.empty()) heading = first_cells(swept != nullptr ? swept->name : "", "regimes") + names + "\n";
      rows += first_cells(value, label_of(m)) + times + "\n";
      if (!is_launch_bound(m, report.device, roofs)) continue;
      bound += (bound.empty() ? "" : ", ") + m.rung->name + (swept != nullptr ? " at " + value : "");
    }
  }
  std::string text = heading + rows;
  if (any_impossible) text += "  -: not supported\n";
  if (!bound.empty()) text += base::wrapped("launch-bound by wall time: " + bound, "  ", "    ", width);
  return text;
}

}  // namespace rafter::lab

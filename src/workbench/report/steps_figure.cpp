#include "workbench/report/steps_figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "workbench/plot/axes.hpp"

namespace rafter::report {

std::optional<draw::Figure> steps_figure(const journal::Steps& steps) {
  draw::Series times{.name = "", .marks = draw::Marks::line_and_points};
  draw::ChartPanel panel{.x = {.label = "step"}, .width = 560, .height = 220};
  draw::Range range{INFINITY, 0};
  const auto widen = [&](double ns) { range = {std::min(range.low, ns), std::max(range.high, ns)}; };
  for (const journal::Step& step : steps.all) {
    if (!steps.is_on_track(step)) continue;
    times.points.push_back({static_cast<double>(step.number), step.rung.ns});
    times.hints.push_back(
        fmt::format("step {}, {}: {}{}", step.number, step.rung.name, base::show_time(step.rung.ns),
                    step.over_last ? ", " + base::show_ratio(*step.over_last) + " over the last" : ""));
    panel.notes.push_back({times.points.back(), base::show_time(step.rung.ns)});
    widen(step.rung.ns);
  }
  constexpr std::size_t few = 12;
  if (times.points.size() < 2) return std::nullopt;
  if (times.points.size() > few) panel.notes.clear();
  const double first = times.points.front().x, last = times.points.back().x;
  panel.x.range = draw::Range{first - 0.4, last + 0.4};
  for (const auto& [x, y] : times.points) panel.x.ticks.push_back({x, fmt::format("{:.0f}", x)});
  if (const double target = steps.target_ns(); target > 0) {
    panel.references.push_back({draw::Reference::At::y, target, fmt::format("target {}", base::show_time(target))});
    widen(target);
  }
  if (const double floor = steps.best()->floor_ns; floor > 0) {
    panel.references.push_back({draw::Reference::At::y, floor, fmt::format("floor {}", base::show_time(floor))});
    widen(floor);
  }
  panel.y = plot::logarithmic_axis(range, plot::time_words);
  panel.y.label = "time of a call";
  panel.series.push_back(std::move(times));
  return draw::Figure{.title = "time over steps", .subtitle = steps.case_name, .panels = {std::move(panel)}};
}

}  // namespace rafter::report

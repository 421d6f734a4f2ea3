#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "rafter/error.hpp"
#include "workbench/plot/figures.hpp"

namespace rafter::plot {

draw::Figure worth_figure(std::span<const tune::ParameterWorth> parameters, const std::string& machine) {
  draw::Figure figure{.title = fmt::format("What each parameter is worth on {}", machine),
                      .subtitle = "the best time with each value, relative to the best of all",
                      .n_columns = parameters.size() > 3 ? 2 : 1};
  double best = 0;
  for (const tune::ParameterWorth& parameter : parameters) {
    for (const tune::ValueWorth& value : parameter.values) {
      if (value.best_ns) best = best == 0 ? *value.best_ns : std::min(best, *value.best_ns);
    }
  }
  if (best == 0) throw Error(ErrorCode::bad_argument, "nothing to draw: no combination was timed");
  for (const tune::ParameterWorth& parameter : parameters) {
    draw::BarPanel panel{.title = fmt::format("{}  ({})", parameter.name, base::show_ratio(parameter.ratio())),
                         .value = {.label = "share of the best", .unit = "%", .range = draw::Range{0, 104}},
                         .references = {{draw::Reference::At::x, 100, fmt::format("best {}", base::show_time(best))}}};
    for (const tune::ValueWorth& value : parameter.values) {
      if (value.best_ns)
        panel.bars.push_back({.label = value.value,
                              .value = 100 * best / *value.best_ns,
                              .note = base::show_time(*value.best_ns),
                              .hint = fmt::format("{} = {}: {:.6g} ns", parameter.name, value.value, *value.best_ns)});
    }
    figure.panels.emplace_back(std::move(panel));
  }
  return figure;
}

}  // namespace rafter::plot

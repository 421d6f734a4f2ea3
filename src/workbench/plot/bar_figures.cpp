#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "rafter/error.hpp"
#include "workbench/plot/figures.hpp"

namespace rafter::plot {

namespace {

draw::BarPanel panel_of(const MeasuredCase& one, bool names_workload) {
  draw::BarPanel panel{
      .title = names_workload ? one.workload + "  " + one.params : one.params,
      .value = {.label = "share of the floor", .unit = "%", .range = draw::Range{0, 104}},
      .references = {{draw::Reference::At::x, 100, fmt::format("floor {}", base::show_time(one.floor_ns))}}};
  const auto first = std::find_if(one.rungs.begin(), one.rungs.end(), [](const MeasuredRung& r) { return r.ns > 0; });
  for (const MeasuredRung& rung : one.rungs) {
    if (!(rung.ns > 0)) continue;
    const double share = std::min(100 * one.floor_ns / rung.ns, 100.);
    const std::string name = (rung.is_peer ? "peer " : "") + rung.name;
    panel.bars.push_back(
        {.label = name,
         .value = share,
         .note = fmt::format("{}, {}", base::show_time(rung.ns), base::show_ratio(first->ns / rung.ns)),
         .hint = fmt::format("{}: {:.6g} ns (95 %: {:.6g} to {:.6g}), {:.1f} % of the floor", name, rung.ns,
                             rung.low_ns, rung.high_ns, share)});
  }
  return panel;
}

}  // namespace

draw::Figure ladder_figure(std::span<const MeasuredCase> cases, const std::string& machine) {
  draw::Figure figure{.title = fmt::format("{} on {}", cases.front().workload, machine),
                      .subtitle = "medians, and speedup over the first rung",
                      .n_columns = cases.size() > 3 ? 2 : 1};
  const bool is_one_workload =
      std::all_of(cases.begin(), cases.end(), [&](const auto& one) { return one.workload == cases.front().workload; });
  if (!is_one_workload) figure.title = machine;
  for (const MeasuredCase& one : cases) figure.panels.emplace_back(panel_of(one, !is_one_workload));
  return figure;
}

namespace {

draw::BarPanel counts_panel(const MeasuredCase& one, bool names_workload) {
  draw::BarPanel panel{.title = names_workload ? one.workload + "  " + one.params : one.params,
                       .value = {.label = "bytes moved over the least", .unit = "x"}};
  const double least = one.bytes > 0 ? one.bytes : 1;
  if (one.bytes > 0)
    panel.references.push_back({draw::Reference::At::x, 1, fmt::format("least {}", base::show_bytes(one.bytes))});
  else
    panel.value = {.label = "bytes moved", .unit = "B"};
  double most = 1;
  for (const MeasuredRung& rung : one.rungs) {
    if (!(rung.bytes_moved > 0)) continue;
    const std::string estimate =
        rung.estimate_ns > 0 ? fmt::format(", estimate {}", base::show_time(rung.estimate_ns)) : "";
    most = std::max(most, rung.bytes_moved / least);
    panel.bars.push_back({.label = rung.name,
                          .value = rung.bytes_moved / least,
                          .note = base::show_bytes(rung.bytes_moved) + estimate,
                          .hint = fmt::format("{}: {:.0f} bytes moved, {:.0f} % of them used{}; counted, not timed",
                                              rung.name, rung.bytes_moved, 100 * rung.used, estimate)});
  }
  panel.value.range = draw::Range{0, 1.04 * most};
  return panel;
}

}  // namespace

draw::Figure counts_figure(std::span<const MeasuredCase> cases, const std::string& machine) {
  draw::Figure figure{.title = machine};
  bool is_one_workload = true;
  std::string gpu;
  for (const MeasuredCase& one : cases) {
    is_one_workload = is_one_workload && one.workload == cases.front().workload;
    if (gpu.empty()) gpu = one.estimate_gpu;
  }
  if (is_one_workload && !cases.empty()) figure.title = fmt::format("{} on {}", cases.front().workload, machine);
  figure.subtitle = "bytes counted on the executor";
  if (!gpu.empty()) figure.subtitle += fmt::format(", and the model's estimates for an {}", gpu);
  figure.subtitle += ": no time was measured";
  for (const MeasuredCase& one : cases) {
    if (one.is_counted()) figure.panels.emplace_back(counts_panel(one, !is_one_workload));
  }
  if (figure.panels.empty()) throw Error(ErrorCode::bad_argument, "nothing to draw: nothing was timed or counted");
  figure.n_columns = figure.panels.size() > 3 ? 2 : 1;
  return figure;
}

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

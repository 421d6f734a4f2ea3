#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/units.hpp"
#include "rafter/error.hpp"
#include "workbench/plot/axes.hpp"
#include "workbench/plot/figures.hpp"

namespace rafter::plot {

namespace {

bool has_times(const Curve& curve) { return std::any_of(curve.ns.begin(), curve.ns.end(), is_positive); }

constexpr double panel_width = 330;

// ---- axes ----

/// Returns the ratio of the largest to the smallest gap between adjacent numbers: 1 if they are evenly spaced.
double unevenness(const std::vector<double>& numbers) {
  double low = INFINITY, high = 0;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    low = std::min(low, numbers[i] - numbers[i - 1]);
    high = std::max(high, numbers[i] - numbers[i - 1]);
  }
  return high / low;
}

/// Returns the scale with the more even spacing of values; logarithmic for two values far apart.
draw::Scale scale_of(const Sweep& sweep) {
  const auto& values = sweep.values;
  if (!sweep.of_numbers || values.size() < 2 || !(values.front().at > 0)) return draw::Scale::linear;
  std::vector<double> plain, logarithms;
  for (const SweepValue& value : values) {
    plain.push_back(value.at);
    logarithms.push_back(std::log2(value.at));
  }
  const bool far = values.back().at >= 4 * values.front().at;
  if (!far || (values.size() > 2 && unevenness(plain) <= unevenness(logarithms))) return draw::Scale::linear;
  const bool binary = std::all_of(logarithms.begin(), logarithms.end(), [](double x) { return x == std::round(x); });
  return binary ? draw::Scale::log2 : draw::Scale::log10;
}

/// Returns an axis with ticks at the values if there are few.
draw::Axis value_axis(const Sweep& sweep) {
  constexpr std::size_t few = 16;
  draw::Axis axis{.label = sweep.parameter, .unit = sweep.meaning, .scale = scale_of(sweep)};
  if (sweep.values.size() <= few || !sweep.of_numbers) {
    for (const SweepValue& value : sweep.values) axis.ticks.push_back({value.at, value.text});
  }
  if (!sweep.of_numbers) axis.range = draw::Range{-0.4, static_cast<double>(sweep.values.size()) - 0.6};
  return axis;
}

// ---- panels ----

draw::Marks marks_of(const Sweep& sweep) {
  return sweep.of_numbers ? draw::Marks::line_and_points : draw::Marks::points;
}

/// Returns a series with a gap (NaN) for each missing number.
draw::Series series_of(const Sweep& sweep, std::string name, const std::vector<double>& numbers) {
  draw::Series series{.name = std::move(name), .marks = marks_of(sweep)};
  for (std::size_t i = 0; i < numbers.size(); ++i) series.points.push_back({sweep.values[i].at, numbers[i]});
  return series;
}

/// Adds hints such as "chunked, n = 2^20: 242 us".
void add_hints(draw::Series& series, const Sweep& sweep, std::string (*words)(double)) {
  for (std::size_t i = 0; i < series.points.size(); ++i)
    series.hints.push_back(
        fmt::format("{}, {} = {}: {}", series.name, sweep.parameter, sweep.values[i].text, words(series.points[i].y)));
}

draw::Range range_of(const std::vector<draw::Series>& all) {
  draw::Range range{INFINITY, 0};
  for (const draw::Series& series : all) {
    for (const auto& [x, y] : series.points) {
      if (is_positive(y)) range = {std::min(range.low, y), std::max(range.high, y)};
    }
  }
  return range;
}

/// Returns an axis from zero, unless that would hide small values.
draw::Axis ratio_axis(draw::Range data) {
  data = {std::min(data.low, 1.), std::max(data.high, 1.)};
  draw::Axis axis = data.high > 12 * data.low ? logarithmic_axis(data, ratio_words)
                                              : draw::Axis{.range = draw::Range{0, 1.08 * data.high}};
  axis.label = "speedup";
  return axis;
}

std::string label_of(const Curve& curve) { return (curve.kind == Curve::Kind::peer ? "peer " : "") + curve.name; }

draw::Look look_of(const Curve& curve) {
  return curve.kind == Curve::Kind::peer ? draw::Look::dashed : draw::Look::solid;
}

draw::ChartPanel time_panel(const Sweep& sweep) {
  draw::ChartPanel panel{.title = "time of a call", .x = value_axis(sweep), .width = panel_width};
  for (std::size_t i = 0; i < sweep.curves.size(); ++i) {
    const Curve& curve = sweep.curves[i];
    if (!has_times(curve)) continue;
    draw::Series series = series_of(sweep, label_of(curve), curve.ns);
    add_hints(series, sweep, [](double ns) { return base::show_time(ns); });
    series.look = look_of(curve);
    series.identity = i;
    panel.series.push_back(std::move(series));
  }
  draw::Series floor = series_of(sweep, "floor", sweep.floors_ns);
  add_hints(floor, sweep, [](double ns) { return base::show_time(ns); });
  floor.marks = draw::Marks::line;
  floor.look = draw::Look::reference;
  if (std::all_of(sweep.floors_ns.begin(), sweep.floors_ns.end(), is_positive))
    panel.series.push_back(std::move(floor));
  panel.y = logarithmic_axis(range_of(panel.series), time_words);
  return panel;
}

/// Returns the last rung of the ladder, or null.
const Curve* op_of(const Sweep& sweep) {
  const auto found = std::find_if(sweep.curves.rbegin(), sweep.curves.rend(),
                                  [](const Curve& curve) { return curve.kind == Curve::Kind::rung; });
  return found != sweep.curves.rend() && has_times(*found) ? &*found : nullptr;
}

/// Returns nullopt if there is nothing to compare the op with.
std::optional<draw::ChartPanel> speedup_panel(const Sweep& sweep) {
  const Curve* op = op_of(sweep);
  if (op == nullptr) return std::nullopt;
  draw::ChartPanel panel{.title = "speedup of " + op->name, .x = value_axis(sweep), .width = panel_width};
  for (std::size_t i = 0; i < sweep.curves.size(); ++i) {
    const Curve& other = sweep.curves[i];
    if (&other == op || (i > 0 && other.kind == Curve::Kind::rung)) continue;
    std::vector<double> ratios;
    for (std::size_t v = 0; v < op->ns.size(); ++v) ratios.push_back(other.ns[v] / op->ns[v]);
    if (std::none_of(ratios.begin(), ratios.end(), is_positive)) continue;
    draw::Series series = series_of(sweep, "over " + label_of(other), ratios);
    add_hints(series, sweep, [](double ratio) { return base::show_ratio(ratio); });
    series.look = look_of(other);
    series.identity = i;
    panel.series.push_back(std::move(series));
  }
  if (panel.series.empty()) return std::nullopt;
  panel.y = ratio_axis(range_of(panel.series));
  panel.references.push_back({draw::Reference::At::y, 1, ""});
  return panel;
}

/// Returns the parameters that all sweeps share.
std::vector<std::string> shared_by(std::span<const Sweep> sweeps) {
  std::vector<std::string> shared = sweeps.front().others;
  for (const Sweep& sweep : sweeps) {
    std::erase_if(shared, [&](const std::string& one) {
      return std::find(sweep.others.begin(), sweep.others.end(), one) == sweep.others.end();
    });
  }
  return shared;
}

/// Returns the parameters that distinguish a sweep from the others, such as "channels=4 maps=16: ", or "".
std::string prefix_of(const Sweep& sweep, const std::vector<std::string>& shared) {
  std::string text;
  for (const std::string& one : sweep.others) {
    if (std::find(shared.begin(), shared.end(), one) == shared.end()) text += (text.empty() ? "" : " ") + one;
  }
  return text.empty() ? "" : text + ": ";
}

}  // namespace

draw::Figure sweep_figure(std::span<const Sweep> sweeps, const std::string& machine) {
  const std::vector<std::string> shared = shared_by(sweeps);
  draw::Figure figure{.n_columns = 2};
  for (const Sweep& sweep : sweeps) {
    if (std::none_of(sweep.curves.begin(), sweep.curves.end(), has_times)) continue;
    draw::ChartPanel times = time_panel(sweep);
    times.title = prefix_of(sweep, shared) + times.title;
    figure.panels.push_back(std::move(times));
    std::optional<draw::ChartPanel> speedup = speedup_panel(sweep);
    speedup ? figure.panels.push_back(std::move(*speedup)) : void(figure.n_columns = 1);
  }
  if (figure.panels.empty()) throw Error(ErrorCode::bad_argument, "nothing to draw: no rung has verified times");
  const Sweep& first = sweeps.front();
  figure.title = fmt::format("{} on {}", first.workload, machine);
  figure.subtitle = fmt::format("{}{}medians, {}", fmt::join(shared, " "), shared.empty() ? "" : "; ",
                                first.regime == "cold" ? "cold caches" : first.regime);
  return figure;
}

}  // namespace rafter::plot

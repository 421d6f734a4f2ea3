#include "workbench/draw/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "rafter/error.hpp"

namespace rafter::draw {

namespace {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::bad_argument, fmt::format(text, std::forward<Args>(args)...));
}

void require_on_axis(const Axis& axis, char letter, double value, std::string_view of) {
  if (axis.scale != Scale::linear && std::isfinite(value) && !(value > 0)) {
    refuse("{} has {} = {:g}, which a logarithmic axis cannot show", of, letter, value);
  }
}

void require_range(const Axis& axis, char letter) {
  if (!axis.range) return;
  const auto [low, high] = *axis.range;
  if (!std::isfinite(low) || !std::isfinite(high) || !(low < high)) {
    refuse("the range of {} must be increasing, not from {:g} to {:g}", letter, low, high);
  }
  require_on_axis(axis, letter, low, "an axis' range");
}

void require_finite(double value, std::string_view of) {
  if (!std::isfinite(value)) refuse("{} is {:g}, which an axis cannot show", of, value);
}

void require_size(double points, std::string_view of) {
  if (!(points >= 40 && points <= 4000)) refuse("a plot's {} must be 40 to 4000 points, not {:g}", of, points);
}

void require_drawable(const FieldPanel& panel) {
  if (panel.n_rows < 1 || panel.n_columns < 1) {
    refuse("a field needs cells, this one has {} x {}", panel.n_rows, panel.n_columns);
  }
  if (std::ssize(panel.values) != panel.n_rows * panel.n_columns) {
    refuse("a field of {} x {} cells has {} values", panel.n_rows, panel.n_columns, panel.values.size());
  }
  if (!panel.x.range || !panel.y.range) refuse("a field needs the ranges of its x and y axes");
  for (const auto& [axis, letter] : {std::pair{&panel.x, 'x'}, {&panel.y, 'y'}, {&panel.colour, 'c'}}) {
    if (axis->scale != Scale::linear) refuse("the axes and colours of a field are linear");
    require_range(*axis, letter);
  }
}

void require_drawable(const Series& series, const ChartPanel& panel) {
  const std::string of = fmt::format("series '{}'", series.name);
  bool any = false;
  for (const auto& [x, y] : series.points) {
    require_on_axis(panel.x, 'x', x, of);
    require_on_axis(panel.y, 'y', y, of);
    any = any || (std::isfinite(x) && std::isfinite(y));
  }
  if (series.points.empty()) refuse("{} has no points", of);
  if (!series.hints.empty() && series.hints.size() != series.points.size())
    refuse("{} has {} points and {} hints", of, series.points.size(), series.hints.size());
  if (!any) refuse("{} has {} points and none of them is finite", of, series.points.size());
}

void require_drawable(const ChartPanel& panel) {
  require_size(panel.width, "width");
  require_size(panel.height, "height");
  require_range(panel.x, 'x');
  require_range(panel.y, 'y');
  if (panel.series.empty()) refuse("chart '{}' has no series", panel.title);
  for (const Series& series : panel.series) require_drawable(series, panel);
  for (const Reference& line : panel.references) {
    const std::string of = fmt::format("reference '{}'", line.label);
    require_finite(line.value, of);
    if (line.at == Reference::At::x) require_on_axis(panel.x, 'x', line.value, of);
    if (line.at == Reference::At::y) require_on_axis(panel.y, 'y', line.value, of);
  }
  for (const Note& note : panel.notes) {
    const std::string of = fmt::format("note '{}'", note.text);
    require_finite(note.at.x, of);
    require_finite(note.at.y, of);
    require_on_axis(panel.x, 'x', note.at.x, of);
    require_on_axis(panel.y, 'y', note.at.y, of);
  }
}

void require_drawable(const BarPanel& panel) {
  require_size(panel.width, "width");
  require_range(panel.value, 'x');
  if (panel.value.scale != Scale::linear) refuse("bars need a linear axis: a logarithmic one has no zero");
  if (panel.bars.empty()) refuse("bar chart '{}' has no bars", panel.title);
  for (const Bar& bar : panel.bars) {
    require_finite(bar.value, fmt::format("bar '{}'", bar.label));
    if (bar.value < 0) refuse("bar '{}' is {:g}: bars must not be negative", bar.label, bar.value);
  }
  for (const Reference& line : panel.references) {
    require_finite(line.value, fmt::format("reference '{}'", line.label));
    if (line.at != Reference::At::x) refuse("reference '{}' of a bar chart must be at an x", line.label);
  }
}

}  // namespace

void require_drawable(const Figure& figure) {
  if (figure.panels.empty()) refuse("a figure needs a panel");
  if (figure.n_columns < 1) refuse("a figure must have one column of panels or more, not {}", figure.n_columns);
  for (const Panel& panel : figure.panels) std::visit([](const auto& one) { require_drawable(one); }, panel);
}

}  // namespace rafter::draw

#include "apps/solve/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rafter::solve {

namespace {

std::string extremes(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const auto n_odd = std::count_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
  if (n_odd > 0) return fmt::format("{} of {} values are not finite", n_odd, values.size());
  return fmt::format("values from {:.4g} to {:.4g}", *low, *high);
}

}  // namespace

draw::Figure picture_of(Slice slice, const FieldNote& note, const std::optional<draw::Range>& range) {
  draw::FieldPanel panel;
  panel.x = {.label = {slice.right}, .range = draw::Range{0, slice.width}};
  panel.y = {.label = {slice.up}, .range = draw::Range{0, slice.height}};
  panel.colour = {.label = note.quantity, .range = range};
  panel.n_rows = slice.n_rows;
  panel.n_columns = slice.n_columns;

  draw::Figure figure;
  figure.title = fmt::format("{} at t = {:.6g}", note.quantity, note.time);
  figure.subtitle = fmt::format("step {}, slice at {} = {:.4g} (cell {}), {}", note.step, slice.across, slice.position,
                                slice.cell, extremes(slice.values));
  panel.values = std::move(slice.values);
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace rafter::solve

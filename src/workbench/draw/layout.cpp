#include "workbench/draw/layout.hpp"

#include <algorithm>
#include <cmath>

#include "workbench/draw/axes.hpp"

namespace rafter::draw {

namespace {

constexpr double edge = 12;             // margin of the page
constexpr double panel_gap = 22;        // between panels
constexpr double narrowest_page = 400;  // if there is a title

/// A column or row of panels: the most space that any of them needs before, in and after its plot.
struct Lane {
  double before = 0;
  double plot = 0;
  double after = 0;
  double end(double start) const { return start + before + plot + after; }
};

void grow(Lane& lane, double before, double plot, double after) {
  lane.before = std::max(lane.before, before);
  lane.plot = std::max(lane.plot, plot);
  lane.after = std::max(lane.after, after);
}

/// Rounds so that plots begin on whole points, which are whole pixels in a PNG.
void round_up(std::vector<Lane>& lanes) {
  for (Lane& lane : lanes) lane = {std::ceil(lane.before), std::ceil(lane.plot), std::ceil(lane.after)};
}

struct Grid {
  std::vector<Lane> columns, rows;
};

Grid grid_of(const std::vector<PanelSize>& sizes, std::size_t n_columns) {
  Grid grid{std::vector<Lane>(n_columns), std::vector<Lane>((sizes.size() + n_columns - 1) / n_columns)};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto& [width, height, margins] = sizes[i];
    grow(grid.columns[i % n_columns], margins.left, width, margins.right);
    grow(grid.rows[i / n_columns], margins.top, height, margins.bottom);
  }
  round_up(grid.columns);
  round_up(grid.rows);
  return grid;
}

/// Sets the page's width, its title and subtitle; returns the top of the panels.
double place_words(Layout& layout, const Figure& figure, const std::vector<Lane>& columns) {
  layout.width = 2 * edge - panel_gap;
  for (const Lane& column : columns) layout.width = column.end(layout.width) + panel_gap;
  const double words =
      std::max(text_width(figure.title, figure_title_style), text_width(figure.subtitle, subtitle_style));
  const double left = edge + columns[0].before;
  layout.width = std::ceil(std::max(layout.width, std::min(left + words + edge, narrowest_page)));

  double top = edge;
  layout.title = {left, top + figure_title_style.size};
  if (!figure.title.empty()) top = layout.title.y + 6;
  layout.subtitle_at = {left, top + subtitle_style.size};
  if (!figure.subtitle.empty()) {
    layout.subtitle = wrapped(figure.subtitle, subtitle_style, layout.width - left - edge, 3);
    top += subtitle_line * static_cast<double>(layout.subtitle.size()) + 2;
  }
  return top > edge ? std::ceil(top + 8) : edge;
}

}  // namespace

Layout layout_of(const Figure& figure) {
  Layout layout;
  std::vector<PanelSize> sizes;
  for (const Panel& panel : figure.panels) {
    layout.artists.push_back(std::visit([](const auto& one) { return artist_of(one); }, panel));
    layout.pixels_per_point = std::max(layout.pixels_per_point, layout.artists.back()->pixels_per_point());
    sizes.push_back(layout.artists.back()->size());
  }
  const auto n_columns = std::min(static_cast<std::size_t>(figure.n_columns), sizes.size());
  const auto [columns, rows] = grid_of(sizes, n_columns);

  double top = place_words(layout, figure, columns);
  layout.plots.resize(sizes.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    double left = edge;
    for (std::size_t c = 0; c < n_columns && r * n_columns + c < sizes.size(); ++c) {
      const PanelSize& size = sizes[r * n_columns + c];
      layout.plots[r * n_columns + c] = {left + columns[c].before, top + rows[r].before, size.width, size.height};
      left = columns[c].end(left) + panel_gap;
    }
    top = rows[r].end(top) + panel_gap;
  }
  layout.height = top - panel_gap + edge;
  return layout;
}

}  // namespace rafter::draw

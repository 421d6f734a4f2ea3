// Draws a field: every cell in its colour, and the colour bar.
#include <algorithm>
#include <cmath>
#include <utility>

#include "workbench/draw/artist.hpp"
#include "workbench/draw/axes.hpp"
#include "workbench/draw/colour.hpp"

namespace rafter::draw {

namespace {

constexpr int most_pixels = 2048;   // per side
constexpr double usual_side = 360;  // points
constexpr double bar_gap = 16;
constexpr double bar_width = 12;

/// The longer side of a plot: every cell has the same whole number of pixels.
struct Side {
  int pixels = 0;
  int pixels_per_point = 2;
  double points() const { return static_cast<double>(pixels) / pixels_per_point; }
};

Side side_of(std::int64_t n_cells) {
  const auto n = static_cast<int>(std::min<std::int64_t>(n_cells, most_pixels));
  Side best{};
  for (int per_point = 2; per_point <= 6; ++per_point) {
    const int per_cell = std::max(1, static_cast<int>(std::lround(usual_side * per_point / n)));
    const Side side{per_cell * n, per_point};
    const auto off = [](const Side& s) { return std::abs(s.points() - usual_side); };
    if (best.pixels == 0 || off(side) < off(best) - 60) best = side;  // finer only if it is worth the bytes
  }
  return best;
}

/// Returns the cells of pixel `i` of `n_pixels` <= `n_cells`.
std::pair<std::int64_t, std::int64_t> cells_of(int i, int n_pixels, std::int64_t n_cells) {
  return {i * n_cells / n_pixels, (i + 1) * n_cells / n_pixels};
}

double mean(const FieldPanel& panel, std::pair<std::int64_t, std::int64_t> rows,
            std::pair<std::int64_t, std::int64_t> columns) {
  double sum = 0;
  for (std::int64_t r = rows.first; r < rows.second; ++r) {
    for (std::int64_t c = columns.first; c < columns.second; ++c) {
      sum += panel.values[static_cast<std::size_t>(r * panel.n_columns + c)];
    }
  }
  return sum / static_cast<double>((rows.second - rows.first) * (columns.second - columns.first));
}

/// Returns a raster with at most this many pixels in each direction; cells that share a pixel are averaged.
Raster raster_of(const FieldPanel& panel, const Ruler& colours, int most_across, int most_upward) {
  Raster raster{static_cast<int>(std::min<std::int64_t>(panel.n_columns, most_across)),
                static_cast<int>(std::min<std::int64_t>(panel.n_rows, most_upward)),
                {}};
  raster.pixels.reserve(static_cast<std::size_t>(raster.width) * static_cast<std::size_t>(raster.height));
  for (int j = raster.height - 1; j >= 0; --j) {
    const auto rows = cells_of(j, raster.height, panel.n_rows);
    for (int i = 0; i < raster.width; ++i) {
      const double value = mean(panel, rows, cells_of(i, raster.width, panel.n_columns));
      raster.pixels.push_back(colour_of(colours.place(value)));
    }
  }
  return raster;
}

Raster colour_bar() {
  Raster raster{1, 512, {}};
  for (int i = raster.height - 1; i >= 0; --i) raster.pixels.push_back(colour_of(i / (raster.height - 1.)));
  return raster;
}

Range range_of(const FieldPanel& panel) {
  if (panel.colour.range) return *panel.colour.range;
  Extent extent;
  for (const double value : panel.values) extent.add(value);
  return extent.range();
}

class FieldArtist final : public Artist {
 public:
  explicit FieldArtist(const FieldPanel& panel)
      : panel_(panel),
        side_(side_of(std::max(panel.n_rows, panel.n_columns))),
        width_(length(*panel.x.range)),
        height_(length(*panel.y.range)),
        x_(panel.x, *panel.x.range, width_, Direction::across),
        y_(panel.y, *panel.y.range, height_, Direction::upward),
        colours_(panel.colour, range_of(panel), height_, Direction::upward) {}

  int pixels_per_point() const override { return side_.pixels_per_point; }

  PanelSize size() const override {
    const double top = std::max(title_height(panel_.title), bar_label_height(colours_));
    const double right = bar_gap + bar_width + bar_axis_width(colours_, bar_width);
    return {width_, height_, {side_axis_width(y_), top, right, bottom_axis_height(x_)}};
  }

  void draw(Canvas& canvas, const Box& plot) const override {
    draw_panel_title(canvas, plot, panel_.title);
    canvas.raster(plot, raster_of(panel_, colours_, pixels(width_), pixels(height_)));
    canvas.frame(plot, ink);
    draw_bottom_axis(canvas, plot, x_);
    draw_left_axis(canvas, plot, y_);
    const Box bar{plot.right() + bar_gap, plot.y, bar_width, plot.height};
    canvas.raster(bar, colour_bar());
    canvas.frame(bar, ink);
    draw_bar_axis(canvas, bar, colours_);
  }

 private:
  /// Returns the length of a side of the plot in the proportions of the ranges, but at least a ninth of the longer
  /// side.
  double length(Range own) const {
    const auto extent = [](const Axis& axis) { return axis.range->high - axis.range->low; };
    const double share = (own.high - own.low) / std::max(extent(panel_.x), extent(panel_.y));
    const double pixels = std::round(share * side_.pixels);
    return std::max(pixels, std::round(side_.pixels / 9.)) / side_.pixels_per_point;
  }

  int pixels(double points) const { return static_cast<int>(std::lround(points * side_.pixels_per_point)); }

  const FieldPanel& panel_;
  Side side_;
  double width_;
  double height_;
  Ruler x_;
  Ruler y_;
  Ruler colours_;
};

}  // namespace

std::unique_ptr<Artist> artist_of(const FieldPanel& panel) { return std::make_unique<FieldArtist>(panel); }

}  // namespace rafter::draw

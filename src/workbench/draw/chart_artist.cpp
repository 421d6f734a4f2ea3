// Draws curves and points on two axes, with a legend to the right.
#include <algorithm>
#include <cmath>

#include "workbench/draw/artist.hpp"
#include "workbench/draw/axes.hpp"
#include "workbench/draw/labels.hpp"

namespace rafter::draw {

namespace {

constexpr double legend_gap = 16;
constexpr double legend_line = 15;          // distance of entries
constexpr double sample = 18;               // length of a line in the legend
constexpr double widest_series_name = 160;  // longer names are cut
constexpr Marker markers[] = {Marker::circle, Marker::square, Marker::triangle, Marker::diamond};

constexpr Stroke reference_stroke{.colour = soft, .width = 1, .dash = 4};

/// The appearance of a series, the same in every panel.
struct Appearance {
  Stroke stroke{};
  Marker marker = Marker::circle;
  MarkerFill fill = MarkerFill::filled;
};

Appearance appearance_of(const Series& series, std::size_t place) {
  const std::size_t i = series.identity.value_or(place);
  const Marker marker = markers[i % std::size(markers)];
  switch (series.look) {
    case Look::solid: return {{.colour = series_colour(i)}, marker, MarkerFill::filled};
    case Look::dashed: return {{.colour = series_colour(i), .width = 1.3, .dash = 3}, marker, MarkerFill::hollow};
    case Look::reference: break;
  }
  return {reference_stroke, marker, MarkerFill::filled};
}

bool is_finite(const DataPoint& point) { return std::isfinite(point.x) && std::isfinite(point.y); }

Range range_of(const ChartPanel& panel, const Axis& axis, double DataPoint::*part, Reference::At at) {
  if (axis.range) return *axis.range;
  Extent extent;
  for (const Series& series : panel.series) {
    for (const DataPoint& point : series.points) {
      if (is_finite(point)) extent.add(point.*part);
    }
  }
  for (const Note& note : panel.notes) extent.add(note.at.*part);
  for (const Reference& line : panel.references) {
    if (line.at == at) extent.add(line.value);
  }
  return extent.padded(axis.scale);
}

class ChartArtist final : public Artist {
 public:
  explicit ChartArtist(const ChartPanel& panel)
      : panel_(panel),
        x_(panel.x, range_of(panel, panel.x, &DataPoint::x, Reference::At::x), panel.width, Direction::across),
        y_(panel.y, range_of(panel, panel.y, &DataPoint::y, Reference::At::y), panel.height, Direction::upward) {}

  PanelSize size() const override {
    double names = 0;
    for (const Series& series : panel_.series) names = std::max(names, text_width(shown_name(series), number_style));
    const double right = names > 0 ? legend_gap + sample + 6 + names : 8;
    const auto n_named = std::count_if(panel_.series.begin(), panel_.series.end(), has_name);
    const double below = std::max(bottom_axis_height(x_), legend_line * static_cast<double>(n_named) - panel_.height);
    return {panel_.width, panel_.height, {side_axis_width(y_), title_height(panel_.title), right, below}};
  }

  void draw(Canvas& canvas, const Box& plot) const override {
    draw_panel_title(canvas, plot, panel_.title);
    draw_grid_across(canvas, plot, y_);
    draw_grid_upward(canvas, plot, x_);
    canvas.rule({plot.x, plot.y}, {plot.x, plot.bottom()}, ink);
    canvas.rule({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, ink);
    draw_bottom_axis(canvas, plot, x_);
    draw_left_axis(canvas, plot, y_);
    Labels labels(plot);
    canvas.clip({plot.x - 4, plot.y - 4, plot.width + 8, plot.height + 8});  // markers at the edge are not cut
    for (const Reference& line : panel_.references) draw_reference(canvas, plot, line);
    for (std::size_t i = 0; i < panel_.series.size(); ++i) draw_series(canvas, plot, i, labels);
    canvas.unclip();
    for (const Reference& line : panel_.references) {
      const auto [from, to] = ends(plot, line);
      labels.avoid_line(from, to);
    }
    for (const Reference& line : panel_.references) name_reference(canvas, plot, line, labels);
    for (const Note& note : panel_.notes) draw_note(canvas, plot, note, labels);
    draw_legend(canvas, plot);
  }

 private:
  static bool has_name(const Series& series) { return !series.name.empty(); }
  static std::string shown_name(const Series& series) { return fitted(series.name, number_style, widest_series_name); }

  Point place(const Box& plot, const DataPoint& at) const {
    const auto bounded = [](double share) { return std::clamp(share, -10., 11.); };  // avoids overflow far outside
    return {plot.x + plot.width * bounded(x_.place(at.x)), plot.bottom() - plot.height * bounded(y_.place(at.y))};
  }

  std::pair<Point, Point> ends(const Box& plot, const Reference& line) const {
    if (line.at == Reference::At::x) {
      const double x = plot.x + plot.width * x_.place(line.value);
      return {{x, plot.y}, {x, plot.bottom()}};
    }
    const double y = plot.bottom() - plot.height * y_.place(line.value);
    return {{plot.x, y}, {plot.right(), y}};
  }

  void draw_reference(Canvas& canvas, const Box& plot, const Reference& line) const {
    const auto [from, to] = ends(plot, line);
    canvas.curve(std::vector{from, to}, reference_stroke);
  }

  void name_reference(Canvas& canvas, const Box& plot, const Reference& line, Labels& labels) const {
    const auto [from, to] = ends(plot, line);
    const std::string text = fitted(line.label, note_style, plot.width - 12);
    const double width = text_width(text, note_style), down = text_height(note_style) + 1;
    if (line.at == Reference::At::y) {
      labels.draw(canvas, text, note_style, Labels::along(plot.x + 6, plot.right() - width - 4, to.y - 4, to.y + down));
      return;
    }
    std::vector<Point> beside;
    for (double y = plot.y + down; y < plot.bottom() - 6; y += down) {
      beside.push_back({to.x + 5, y});
      beside.push_back({to.x - width - 5, y});
    }
    labels.draw(canvas, text, note_style, beside);
  }

  void draw_series(Canvas& canvas, const Box& plot, std::size_t i, Labels& labels) const {
    const Series& series = panel_.series[i];
    const Appearance look = appearance_of(series, i);
    std::vector<Point> piece;
    const auto end_piece = [&] {
      if (series.marks != Marks::points) canvas.curve(piece, look.stroke);
      for (std::size_t k = 1; k < piece.size() && series.marks != Marks::points; ++k) {
        labels.avoid_line(piece[k - 1], piece[k]);
      }
      for (const Point& point : piece) {
        if (series.marks != Marks::line || piece.size() == 1) draw_marker(canvas, point, look);
        labels.avoid({point.x - 3, point.y - 3, 6, 6});
      }
      piece.clear();
    };
    for (const DataPoint& point : series.points) {
      if (is_finite(point)) {
        piece.push_back(place(plot, point));
      } else {
        end_piece();
      }
    }
    end_piece();
    for (std::size_t k = 0; k < series.hints.size(); ++k) {
      const Point at = place(plot, series.points[k]);
      if (is_finite(series.points[k])) canvas.hint({at.x - 5, at.y - 5, 10, 10}, series.hints[k]);
    }
  }

  static void draw_marker(Canvas& canvas, Point at, const Appearance& look) {
    canvas.marker(at, look.marker, look.stroke.colour, look.fill);
  }

  void draw_note(Canvas& canvas, const Box& plot, const Note& note, Labels& labels) const {
    const std::string text = fitted(note.text, note_style, plot.width / 2);
    labels.draw(canvas, text, note_style, Labels::around(place(plot, note.at), text_width(text, note_style)));
  }

  void draw_legend(Canvas& canvas, const Box& plot) const {
    Point at{plot.right() + legend_gap, plot.y + 7};
    for (std::size_t i = 0; i < panel_.series.size(); ++i) {
      const Series& series = panel_.series[i];
      if (!has_name(series)) continue;
      const Appearance look = appearance_of(series, i);
      if (series.marks != Marks::points) canvas.curve(std::vector<Point>{at, {at.x + sample, at.y}}, look.stroke);
      if (series.marks != Marks::line) draw_marker(canvas, {at.x + sample / 2, at.y}, look);
      canvas.text({at.x + sample + 6, at.y + 3.1}, shown_name(series), number_style);
      at.y += legend_line;
    }
  }

  const ChartPanel& panel_;
  Ruler x_;
  Ruler y_;
};

}  // namespace

std::unique_ptr<Artist> artist_of(const ChartPanel& panel) { return std::make_unique<ChartArtist>(panel); }

}  // namespace rafter::draw

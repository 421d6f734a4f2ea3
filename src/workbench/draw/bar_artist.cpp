// Draws horizontal bars with names on the left and notes at their ends.
#include <algorithm>

#include "workbench/draw/artist.hpp"
#include "workbench/draw/axes.hpp"

namespace rafter::draw {

namespace {

constexpr double thickness = 13;
constexpr double pitch = 20;
constexpr double widest_bar_name = 180;
constexpr double reference_line = 12;  // height of a line of reference labels above the plot

class BarArtist final : public Artist {
 public:
  explicit BarArtist(const BarPanel& panel)
      : panel_(panel), value_(panel.value, range_of(panel), panel.width, Direction::across) {}

  PanelSize size() const override {
    double names = 0, notes = 0;
    for (const Bar& bar : panel_.bars) {
      names = std::max(names, text_width(shown_name(bar), label_style));
      notes = std::max(notes, text_width(bar.note, note_style));
    }
    const double height = pitch * static_cast<double>(panel_.bars.size());
    const double top = title_height(panel_.title) + reference_line * static_cast<double>(panel_.references.size());
    return {panel_.width, height, {names + 8, top, notes + 8, bottom_axis_height(value_)}};
  }

  void draw(Canvas& canvas, const Box& plot) const override {
    const double above = reference_line * static_cast<double>(panel_.references.size());
    draw_panel_title(canvas, {plot.x, plot.y - above, plot.width, plot.height}, panel_.title);
    draw_grid_upward(canvas, plot, value_);
    for (std::size_t i = 0; i < panel_.bars.size(); ++i) draw_bar(canvas, plot, i);
    for (std::size_t i = 0; i < panel_.references.size(); ++i) draw_reference(canvas, plot, i);
    for (std::size_t i = 0; i < panel_.bars.size(); ++i) draw_note(canvas, plot, i);
    canvas.rule({plot.x, plot.y}, {plot.x, plot.bottom()}, ink);
    draw_bottom_axis(canvas, plot, value_);
  }

 private:
  static std::string shown_name(const Bar& bar) { return fitted(bar.label, label_style, widest_bar_name); }

  static Range range_of(const BarPanel& panel) {
    if (panel.value.range) return *panel.value.range;
    double largest = 0;
    for (const Bar& bar : panel.bars) largest = std::max(largest, bar.value);
    for (const Reference& line : panel.references) largest = std::max(largest, line.value);
    return {0, largest > 0 ? 1.04 * largest : 1};
  }

  double x_of(const Box& plot, double value) const {
    return plot.x + plot.width * std::clamp(value_.place(value), 0., 1.);
  }
  static double y_of(const Box& plot, std::size_t i) { return plot.y + pitch * (static_cast<double>(i) + 0.5); }

  void draw_bar(Canvas& canvas, const Box& plot, std::size_t i) const {
    const Bar& bar = panel_.bars[i];
    const double y = y_of(plot, i);
    canvas.fill({plot.x, y - thickness / 2, x_of(plot, bar.value) - plot.x, thickness}, series_colour(0));
    canvas.text({plot.x - 7, y + 3.4}, shown_name(bar), label_style, Align::right);
    canvas.hint({plot.x, y - pitch / 2, plot.width, pitch}, bar.hint);
  }

  void draw_note(Canvas& canvas, const Box& plot, std::size_t i) const {
    const Bar& bar = panel_.bars[i];
    if (bar.note.empty()) return;
    const double x = x_of(plot, bar.value) + 5, y = y_of(plot, i);
    canvas.fill({x - 1, y - 5.5, text_width(bar.note, note_style) + 2, 11}, white);
    canvas.text({x, y + 3.1}, bar.note, note_style);
  }

  void draw_reference(Canvas& canvas, const Box& plot, std::size_t i) const {
    const Reference& line = panel_.references[i];
    const double x = x_of(plot, line.value), top = plot.y - reference_line * static_cast<double>(i);
    canvas.curve(std::vector<Point>{{x, top - 3}, {x, plot.bottom()}}, {.colour = ink, .width = 1, .dash = 4});
    const std::string text = fitted(line.label, note_style, plot.width);
    const double half = text_width(text, note_style) / 2;
    const double middle = std::clamp(x, plot.x + half, std::max(plot.x + half, plot.right() - half));
    canvas.text({middle, top - 5}, text, note_style, Align::centre);
  }

  const BarPanel& panel_;
  Ruler value_;
};

}  // namespace

std::unique_ptr<Artist> artist_of(const BarPanel& panel) { return std::make_unique<BarArtist>(panel); }

}  // namespace rafter::draw

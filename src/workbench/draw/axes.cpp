#include "workbench/draw/axes.hpp"

#include <algorithm>

namespace rafter::draw {

namespace {

constexpr double mark = 3.5;  // length of a tick; half of it without a number
constexpr double widest_bar_label = 150;
constexpr double gap = 3;            // between marks, numbers and labels
constexpr double label_height = 12;  // height of a line of label_style
constexpr double half_digit = 3.1;   // half the height of a digit of number_style

double mark_of(const Tick& tick) { return tick.label.empty() ? mark / 2 : mark; }
double numbers_width(const Ruler& ruler) { return mark + gap + ruler.widest_number(); }

double x_of(const Box& plot, const Ruler& ruler, const Tick& tick) {
  return plot.x + plot.width * ruler.place(tick.value);
}
double y_of(const Box& plot, const Ruler& ruler, const Tick& tick) {
  return plot.bottom() - plot.height * ruler.place(tick.value);
}

}  // namespace

double bottom_axis_height(const Ruler& ruler) {
  return mark + gap + number_style.size + (ruler.label().empty() ? 0 : gap + label_height);
}

double side_axis_width(const Ruler& ruler) {
  return numbers_width(ruler) + (ruler.label().empty() ? 0 : 2 * gap + label_height);
}

void draw_bottom_axis(Canvas& canvas, const Box& plot, const Ruler& ruler) {
  const double numbers = plot.bottom() + mark + gap + 0.8 * number_style.size;
  for (const Tick& tick : ruler.ticks()) {
    const double x = x_of(plot, ruler, tick);
    canvas.rule({x, plot.bottom()}, {x, plot.bottom() + mark_of(tick)}, ink);
    canvas.text({x, numbers}, tick.label, number_style, Align::centre);
  }
  const std::string label = fitted(ruler.label(), label_style, plot.width + 40);
  canvas.text({plot.x + plot.width / 2, numbers + gap + label_height}, label, label_style, Align::centre);
}

void draw_left_axis(Canvas& canvas, const Box& plot, const Ruler& ruler) {
  for (const Tick& tick : ruler.ticks()) {
    const double y = y_of(plot, ruler, tick);
    canvas.rule({plot.x - mark_of(tick), y}, {plot.x, y}, ink);
    canvas.text({plot.x - mark - gap, y + half_digit}, tick.label, number_style, Align::right);
  }
  const std::string label = fitted(ruler.label(), label_style, plot.height + 20);
  const Point at{plot.x - numbers_width(ruler) - 2.5 * gap, plot.y + plot.height / 2};
  if (label.size() > 2) {
    canvas.text_upward(at, label, label_style);
  } else {  // single letters are not rotated
    canvas.text({at.x, at.y + half_digit}, label, label_style, Align::right);
  }
}

void draw_bar_axis(Canvas& canvas, const Box& bar, const Ruler& ruler) {
  for (const Tick& tick : ruler.ticks()) {
    const double y = y_of(bar, ruler, tick);
    canvas.rule({bar.right(), y}, {bar.right() + mark_of(tick), y}, ink);
    canvas.text({bar.right() + mark + gap, y + half_digit}, tick.label, number_style);
  }
  canvas.text({bar.x, bar.y - 8}, fitted(ruler.label(), label_style, widest_bar_label), label_style);
}

double bar_axis_width(const Ruler& ruler, double bar_width) {
  const double label = std::min(widest_bar_label, text_width(ruler.label(), label_style));
  return std::max(numbers_width(ruler), label - bar_width);
}

double bar_label_height(const Ruler& ruler) { return ruler.label().empty() ? 0 : 8 + label_style.size; }

void draw_grid_across(Canvas& canvas, const Box& plot, const Ruler& ruler) {
  for (const Tick& tick : ruler.ticks()) {
    const double y = y_of(plot, ruler, tick);
    if (!tick.label.empty()) canvas.rule({plot.x, y}, {plot.right(), y}, faint);
  }
}

void draw_grid_upward(Canvas& canvas, const Box& plot, const Ruler& ruler) {
  for (const Tick& tick : ruler.ticks()) {
    const double x = x_of(plot, ruler, tick);
    if (!tick.label.empty()) canvas.rule({x, plot.y}, {x, plot.bottom()}, faint);
  }
}

void draw_panel_title(Canvas& canvas, const Box& plot, const std::string& title) {
  canvas.text({plot.x, plot.y - 8}, fitted(title, panel_title_style, plot.width + 60), panel_title_style);
}

double title_height(const std::string& title) { return title.empty() ? 0 : 8 + panel_title_style.size; }

}  // namespace rafter::draw

#include "workbench/draw/labels.hpp"

#include <algorithm>
#include <cmath>

namespace rafter::draw {

namespace {

constexpr double ascent = 0.8;  // relative to the text's size
constexpr double descent = 0.22;
constexpr double clearance = 5;  // between a point and its text

}  // namespace

double text_height(const TextStyle& style) { return (ascent + descent) * style.size; }

void Labels::avoid_line(Point from, Point to) {
  constexpr double step = 4;
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const int n = std::clamp(static_cast<int>(length / step), 1, 1000);
  for (int i = 0; i <= n; ++i) {
    const double t = static_cast<double>(i) / n;
    avoid({from.x + t * (to.x - from.x) - 1, from.y + t * (to.y - from.y) - 1, 2, 2});
  }
}

std::vector<Point> Labels::around(Point at, double width) {
  std::vector<Point> all;
  for (const double away : {0., 6., 12., 20., 30., 42., 56.}) {
    const double gap = clearance + away;
    const double up = at.y - gap, middle = at.y + 3, down = at.y + gap + 7;
    const double right = at.x + gap, left = at.x - gap - width, centre = at.x - width / 2;
    all.insert(all.end(), {{right, up},
                           {left, up},
                           {right, down},
                           {left, down},
                           {right + 1, middle},
                           {left - 1, middle},
                           {centre, up - 1},
                           {centre, down + 1}});
  }
  return all;
}

std::vector<Point> Labels::along(double from, double to, double above, double below) {
  constexpr double step = 12;
  std::vector<Point> all;
  for (const double y : {above, below}) {
    for (double x = to; x >= from; x -= step) all.push_back({x, y});
    all.push_back({from, y});
  }
  return all;
}

double Labels::cost(const Box& box) const {
  const auto covered = std::count_if(taken_.begin(), taken_.end(), [&](const Box& b) { return b.overlaps(box); });
  return static_cast<double>(covered) + (plot_.contains(box) ? 0 : 1000);
}

void Labels::draw(Canvas& canvas, const std::string& text, const TextStyle& style, std::span<const Point> candidates) {
  const double width = text_width(text, style);
  const auto box_of = [&](Point corner) {
    return Box{corner.x, corner.y - ascent * style.size, width, text_height(style)};
  };
  const auto best = std::min_element(candidates.begin(), candidates.end(),
                                     [&](Point a, Point b) { return cost(box_of(a)) < cost(box_of(b)); });
  canvas.text(*best, text, style);
  avoid(box_of(*best));
}

}  // namespace rafter::draw

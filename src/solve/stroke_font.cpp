// Text as strokes of a round pen: letters are lines and arcs, so they are smooth at every size and need no font file.
// Units: digits are 7 high, small letters 5; the baseline is at 0, y goes up.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <sstream>

#include "solve/image.hpp"

namespace rafter::solve {

namespace {

constexpr double digit_height = 7;
constexpr double pen = 0.92;

struct Shape {
  char character;
  double advance;
  const char* path;  // M x y: begin; L x y: line; A cx cy rx ry from to: an arc, degrees, which begins anew
};

constexpr Shape shapes[] = {
    {'a', 6.0, "A 2.4 2.5 2.1 2.5 0 360 M 4.5 5 L 4.5 0"},
    {'b', 6.0, "M 0.5 7.4 L 0.5 0 A 2.6 2.5 2.1 2.5 0 360"},
    {'c', 5.2, "A 2.4 2.5 2.1 2.5 48 312"},
    {'d', 6.0, "A 2.4 2.5 2.1 2.5 0 360 M 4.5 7.4 L 4.5 0"},
    {'e', 5.7, "M 0.4 2.6 L 4.5 2.6 A 2.4 2.5 2.1 2.5 2 316"},
    {'f', 3.7, "A 2.9 5.8 1.5 1.6 75 180 L 1.4 0 M 0.2 4.9 L 2.9 4.9"},
    {'g', 6.0, "A 2.4 2.5 2.1 2.5 0 360 M 4.5 5 L 4.5 -0.2 A 2.5 -0.2 2 2 0 -145"},
    {'h', 6.0, "M 0.5 7.4 L 0.5 0 M 0.5 2.9 A 2.5 3 2 2 180 0 L 4.5 0"},
    {'i', 2.4, "M 0.9 5 L 0.9 0 M 0.9 7 L 0.9 7.1"},
    {'j', 2.6, "M 1.3 5 L 1.3 -0.9 A 0.1 -0.9 1.2 1.2 0 -100 M 1.3 7 L 1.3 7.1"},
    {'k', 5.3, "M 0.5 7.4 L 0.5 0 M 4.2 5 L 0.5 1.7 M 1.8 2.9 L 4.4 0"},
    {'l', 2.4, "M 0.9 7.4 L 0.9 0"},
    {'m', 8.9, "M 0.5 5 L 0.5 0 M 0.5 3 A 2.2 3.3 1.7 1.7 180 0 L 3.9 0 M 3.9 3 A 5.6 3.3 1.7 1.7 180 0 L 7.3 0"},
    {'n', 6.0, "M 0.5 5 L 0.5 0 M 0.5 2.9 A 2.5 3 2 2 180 0 L 4.5 0"},
    {'o', 5.8, "A 2.5 2.5 2.2 2.5 0 360"},
    {'p', 6.0, "M 0.5 5 L 0.5 -2.2 A 2.6 2.5 2.1 2.5 0 360"},
    {'q', 6.0, "A 2.4 2.5 2.1 2.5 0 360 M 4.5 5 L 4.5 -2.2"},
    {'r', 3.9, "M 0.5 5 L 0.5 0 M 0.5 2.6 A 2.6 2.8 2.1 2.2 180 75"},
    {'s', 5.0, "A 2.2 3.75 1.65 1.25 35 270 A 2.2 1.25 1.8 1.25 90 -150"},
    {'t', 3.9, "M 1.4 6.7 L 1.4 1.5 A 2.9 1.5 1.5 1.5 180 280 M 0.2 4.9 L 3.1 4.9"},
    {'u', 6.0, "M 0.5 5 L 0.5 2 A 2.5 2 2 2 180 360 M 4.5 5 L 4.5 0"},
    {'v', 5.1, "M 0.3 5 L 2.3 0 L 4.3 5"},
    {'w', 7.6, "M 0.3 5 L 1.9 0 L 3.5 5 L 5.1 0 L 6.7 5"},
    {'x', 5.1, "M 0.4 5 L 4.2 0 M 4.2 5 L 0.4 0"},
    {'y', 5.1, "M 0.3 5 L 2.4 0 M 4.4 5 L 1.9 -1.3 A 0.7 -0.8 1.3 1.3 -25 -95"},
    {'z', 5.0, "M 0.5 5 L 4 5 L 0.4 0 L 4.2 0"},
    {'0', 5.8, "A 2.5 3.5 2.1 3.5 0 360"},
    {'1', 5.8, "M 1 5.5 L 2.9 7 L 2.9 0"},
    {'2', 5.8, "A 2.4 5 2 2 165 -38 L 0.4 0 L 4.6 0"},
    {'3', 5.8, "A 2.4 5.25 1.85 1.75 150 -90 A 2.4 1.75 2.1 1.75 90 -152"},
    {'4', 5.8, "M 3.6 0 L 3.6 7 L 0.3 2 L 4.8 2"},
    {'5', 5.8, "M 4.2 7 L 1 7 L 0.7 3.7 A 2.4 2.25 2.15 2.25 140 -145"},
    {'6', 5.8, "A 2.5 2.2 2.1 2.2 0 360 M 0.4 2.3 A 4.3 2.4 3.9 4.6 180 102"},
    {'7', 5.8, "M 0.4 7 L 4.6 7 L 1.8 0"},
    {'8', 5.8, "A 2.5 5.25 1.8 1.75 0 360 A 2.5 1.75 2.1 1.75 0 360"},
    {'9', 5.8, "A 2.5 4.8 2.1 2.2 0 360 M 4.6 4.7 A 0.7 4.6 3.9 4.6 0 -78"},
    {'.', 2.7, "M 1 0.1 L 1 0.15"},
    {',', 2.7, "M 1.1 0.2 L 0.6 -1.2"},
    {':', 2.7, "M 1 0.1 L 1 0.15 M 1 4.6 L 1 4.65"},
    {'-', 5.2, "M 0.7 2.7 L 4.3 2.7"},
    {'+', 6.0, "M 0.7 2.9 L 4.9 2.9 M 2.8 5 L 2.8 0.8"},
    {'=', 6.0, "M 0.7 3.9 L 4.9 3.9 M 0.7 1.8 L 4.9 1.8"},
    {'*', 5.4, "M 0.9 4.5 L 4.1 1.3 M 0.9 1.3 L 4.1 4.5"},
    {'/', 4.2, "M 0.3 -0.9 L 3.5 7.6"},
    {'(', 3.2, "A 5.2 2.9 4.4 6.2 135 225"},
    {')', 3.2, "A -2.4 2.9 4.4 6.2 -45 45"},
    {'^', 5.0, "M 0.7 4.6 L 2.3 7 L 3.9 4.6"},
    {' ', 3.1, ""},
};

struct Point {
  double x;
  double y;
};
struct Segment {
  Point a;
  Point b;
};
struct Glyph {
  double advance = 0;
  std::vector<Segment> segments;
};

Glyph glyph_of(const Shape& shape) {
  Glyph glyph{shape.advance, {}};
  std::istringstream path(shape.path);
  Point now{};
  const auto line_to = [&](Point next) {
    glyph.segments.push_back({now, next});
    now = next;
  };
  for (char command; path >> command;) {
    double cx = 0, cy = 0, rx = 0, ry = 0, from = 0, to = 0;
    path >> cx >> cy;
    if (command == 'M') now = {cx, cy};
    if (command == 'L') line_to({cx, cy});
    if (command != 'A') continue;
    path >> rx >> ry >> from >> to;
    const auto on_arc = [&](double degrees) {
      const double angle = degrees * std::numbers::pi / 180;
      return Point{cx + rx * std::cos(angle), cy + ry * std::sin(angle)};
    };
    now = on_arc(from);
    const int n = 2 + static_cast<int>(std::abs(to - from) / 10);
    for (int i = 1; i <= n; ++i) line_to(on_arc(from + (to - from) * i / n));
  }
  return glyph;
}

const Glyph& glyph_of(char character) {
  static const std::map<char, Glyph> glyphs = [] {
    std::map<char, Glyph> all;
    for (const Shape& shape : shapes) all[shape.character] = glyph_of(shape);
    return all;
  }();
  const auto found = glyphs.find(character);
  return found != glyphs.end() ? found->second : glyphs.at(' ');
}

double distance(Point p, const Segment& s) {
  const double dx = s.b.x - s.a.x, dy = s.b.y - s.a.y;
  const double length2 = dx * dx + dy * dy;
  const double t = length2 > 0 ? std::clamp(((p.x - s.a.x) * dx + (p.y - s.a.y) * dy) / length2, 0., 1.) : 0;
  return std::hypot(p.x - s.a.x - t * dx, p.y - s.a.y - t * dy);
}

void draw_glyph(Image& image, double x, double baseline, const Glyph& glyph, const TextStyle& style) {
  const double scale = style.height / digit_height;
  const double half_pen = 0.5 * pen * style.weight * scale;
  const int x_end = static_cast<int>(std::ceil(x + (glyph.advance + 1) * scale));
  const int y_end = static_cast<int>(std::ceil(baseline + 4 * scale));
  for (int py = static_cast<int>(baseline - 9.5 * scale); py < y_end; ++py) {
    for (int px = static_cast<int>(x - scale); px < x_end; ++px) {
      const Point here{(px + 0.5 - x) / scale, (baseline - py - 0.5) / scale};
      double nearest = 1e9;
      for (const Segment& segment : glyph.segments) nearest = std::min(nearest, distance(here, segment));
      image.blend(px, py, style.colour, 0.5 + half_pen - nearest * scale);
    }
  }
}

}  // namespace

void draw_text(Image& image, double x, double baseline, std::string_view text, const TextStyle& style) {
  for (const char character : text) {
    const Glyph& glyph = glyph_of(character);
    draw_glyph(image, x, baseline, glyph, style);
    x += glyph.advance * style.height / digit_height;
  }
}

double text_width(std::string_view text, const TextStyle& style) {
  double units = 0;
  for (const char character : text) units += glyph_of(character).advance;
  return units * style.height / digit_height;
}

}  // namespace rafter::solve

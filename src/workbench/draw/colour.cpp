#include "workbench/draw/colour.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rafter::draw {

namespace {

/// A colour in Oklab's polar form: lightness, chroma, hue in degrees.
struct Polar {
  double lightness;
  double chroma;
  double hue;
};

// Hue and chroma of the control points; lightness is linear from darkest to lightest.
constexpr std::array<Polar, 6> control_points{
    {{0, 0.045, 275}, {0, 0.150, 295}, {0, 0.185, 345}, {0, 0.190, 388}, {0, 0.165, 423}, {0, 0.085, 465}}};
constexpr double darkest = 0.13;
constexpr double lightest = 0.97;

using Linear = std::array<double, 3>;

// Oklab to linear sRGB, with the constants of its definition.
Linear linear_of(const Polar& c) {
  const double a = c.chroma * std::cos(c.hue * std::numbers::pi / 180);
  const double b = c.chroma * std::sin(c.hue * std::numbers::pi / 180);
  const auto cube = [](double x) { return x * x * x; };
  const double l = cube(c.lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cube(c.lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cube(c.lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

bool can_be_shown(const Linear& rgb) {
  return std::all_of(rgb.begin(), rgb.end(), [](double x) { return x >= 0 && x <= 1; });
}

/// Returns the nearest displayable colour of this lightness and hue.
Colour shown(Polar c) {
  while (c.chroma > 0 && !can_be_shown(linear_of(c))) c.chroma -= 0.001;
  Colour colour{};
  const Linear rgb = linear_of(c);
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = std::clamp(rgb[i], 0., 1.);
    const double encoded = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
    colour[i] = static_cast<std::uint8_t>(std::lround(255 * encoded));
  }
  return colour;
}

/// Returns a point on a smooth curve through the control points (Catmull-Rom).
Polar at(double t) {
  constexpr auto last = static_cast<int>(control_points.size()) - 1;
  const int i = std::min(static_cast<int>(t * last), last - 1);
  const double u = t * last - i;
  const auto control_point = [&](int k) { return control_points[static_cast<std::size_t>(std::clamp(k, 0, last))]; };
  const auto curve = [&](double Polar::*part) {
    const double p0 = control_point(i - 1).*part, p1 = control_point(i).*part, p2 = control_point(i + 1).*part,
                 p3 = control_point(i + 2).*part;
    return p1 + 0.5 * u * (p2 - p0 + u * (2 * p0 - 5 * p1 + 4 * p2 - p3 + u * (3 * (p1 - p2) + p3 - p0)));
  };
  return {darkest + (lightest - darkest) * t, curve(&Polar::chroma), curve(&Polar::hue)};
}

}  // namespace

Colour colour_of(double value) {
  static const auto table = [] {
    std::array<Colour, 512> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = shown(at(static_cast<double>(i) / (all.size() - 1)));
    return all;
  }();
  if (std::isnan(value)) return colour_of_nan;
  return table[static_cast<std::size_t>(std::lround(std::clamp(value, 0., 1.) * (table.size() - 1)))];
}

}  // namespace rafter::draw

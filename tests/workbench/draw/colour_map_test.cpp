#include <gtest/gtest.h>

#include <cmath>

#include "workbench/draw/colour.hpp"

namespace rafter::draw {
namespace {

/// Returns the CIE lightness of a colour.
double lightness(const Colour& colour) {
  const auto linear = [](std::uint8_t c) {
    const double x = c / 255.;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  };
  const double y = 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(ColourMap, LightnessGrowsEvenly) {
  EXPECT_LT(lightness(colour_of(0)), 5);
  EXPECT_GT(lightness(colour_of(1)), 94);
  for (int i = 0; i < 20; ++i) {
    const double step = lightness(colour_of((i + 1) / 20.)) - lightness(colour_of(i / 20.));
    EXPECT_GT(step, 2) << i;
    EXPECT_LT(step, 8) << i;
  }
  EXPECT_EQ(colour_of(-1), colour_of(0));
  EXPECT_EQ(colour_of(2), colour_of(1));
  EXPECT_EQ(colour_of(std::nan("")), colour_of_nan);
}

TEST(Palette, EveryColourIsVisibleOnWhite) {
  for (const Colour& colour : palette) EXPECT_LT(lightness(colour), 75);
}

}  // namespace
}  // namespace rafter::draw

// Pictures: decoded again, looked at where the answer is known.
#include "solve/picture.hpp"

#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/expect_error.hpp"
#include "solve/colour_map.hpp"
#include "solve/ticks.hpp"

namespace rafter::solve {
namespace {

using lab::expect_error;

constexpr Colour white{255, 255, 255};

/// A picture read back from its file.
struct Decoded {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
  Colour at(int x, int y) const {
    const auto i = static_cast<std::size_t>(3 * (y * width + x));
    return {pixels[i], pixels[i + 1], pixels[i + 2]};
  }
};

Decoded decoded(const std::string& file) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_TRUE(png_image_begin_read_from_memory(&image, file.data(), file.size())) << image.message;
  image.format = PNG_FORMAT_RGB;
  Decoded result{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  result.pixels.resize(static_cast<std::size_t>(result.width) * static_cast<std::size_t>(result.height) * 3);
  EXPECT_TRUE(png_image_finish_read(&image, nullptr, result.pixels.data(), 0, nullptr)) << image.message;
  return result;
}

/// 3 x 4 x 5 cells, each with its index.
const FieldNote note{"temperature", {3, 4, 5}, {1, 1, 1}, 7, 0.5};
std::vector<float> numbered() {
  std::vector<float> values(60);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return values;
}

Decoded picture(const Slice& slice, const std::optional<Range>& range = std::nullopt) {
  return decoded(png_of(picture_of(slice, note, range)));
}

/// The middle of a cell of the slice; row 0 is at the bottom.
Colour cell_colour(const Decoded& picture, const Slice& slice, std::int64_t row, std::int64_t column) {
  const Plot plot = plot_of(slice);
  const auto middle = [](std::int64_t i, std::int64_t n, int pixels) {
    return static_cast<int>((static_cast<double>(i) + 0.5) / static_cast<double>(n) * pixels);
  };
  return picture.at(plot.x + middle(column, slice.n_columns, plot.width),
                    plot.y + plot.height - 1 - middle(row, slice.n_rows, plot.height));
}

TEST(Picture, ExtremesHaveTheEndsOfTheScale) {
  const Slice slice = slice_of<float>(note, numbered(), {'z', 1});
  const Decoded image = picture(slice);
  EXPECT_EQ(cell_colour(image, slice, 0, 0), colour_of(0));
  EXPECT_EQ(cell_colour(image, slice, 3, 4), colour_of(1));
  EXPECT_EQ(cell_colour(image, slice, 0, 4), colour_of(4. / 19));
  EXPECT_EQ(image.at(0, 0), white);
}

TEST(Picture, TheScaleBesideItRunsFromLowToHigh) {
  const Slice slice = slice_of<float>(note, numbered(), {});
  const Plot plot = plot_of(slice);
  const Decoded image = picture(slice);
  const int x = plot.x + plot.width + 28 + 11;
  EXPECT_EQ(image.at(x, plot.y + plot.height - 1), colour_of(0));
  EXPECT_EQ(image.at(x, plot.y), colour_of(1));
}

TEST(Picture, ItsPlotHasTheBoxsProportions) {
  const FieldNote flat{"temperature", {4, 10, 20}, {1, 3, 1}, 0, 0};
  const std::vector<double> values(800, 1.);
  const Slice slice = slice_of<double>(flat, values, {});  // 30 high, 20 wide
  const Plot plot = plot_of(slice);
  EXPECT_EQ(plot.height, 720);
  EXPECT_EQ(plot.width, 480);
  const Image image = picture_of(slice, flat, std::nullopt);
  EXPECT_GT(image.width(), plot.x + plot.width);
  EXPECT_GT(image.height(), plot.y + plot.height);
}

TEST(Picture, LargeGridsShareAPixelByTheirMean) {
  const FieldNote large{"temperature", {1, 4096, 4096}, {1, 1, 1}, 0, 0};
  std::vector<float> values(4096 * 4096);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 2);
  const Slice slice = slice_of<float>(large, values, {'z', 0});
  const Plot plot = plot_of(slice);
  EXPECT_EQ(plot.width, 2048);
  EXPECT_EQ(picture_of(slice, large, std::nullopt).at(plot.x + 100, plot.y + 100), colour_of(0.5));
}

TEST(Picture, EveryAxisIsCutRightly) {
  const Slice across_y = slice_of<float>(note, numbered(), {'y', 2});
  EXPECT_EQ(across_y.n_rows, 3);
  EXPECT_EQ(across_y.n_columns, 5);
  EXPECT_EQ(across_y.values[5], 30);  // z = 1, y = 2, x = 0
  EXPECT_EQ(across_y.position, 2.5);
  const Slice across_x = slice_of<float>(note, numbered(), {'x', {}});
  EXPECT_EQ(across_x.cell, 2);
  EXPECT_EQ(across_x.up, 'z');
  EXPECT_EQ(across_x.right, 'y');
  EXPECT_EQ(across_x.values[4], 22);  // z = 1, y = 0, x = 2
  expect_error(ErrorCode::bad_argument, "cells go from 0 to 2", [] { slice_of<float>(note, numbered(), {'z', 3}); });
  expect_error(ErrorCode::bad_argument, "across z, y or x", [] { slice_of<float>(note, numbered(), {'w', 0}); });
}

TEST(Picture, ARangeIsObeyed) {
  const Slice slice = slice_of<float>(note, numbered(), {'z', 0});
  const Decoded image = picture(slice, Range{0, 38});
  EXPECT_EQ(cell_colour(image, slice, 3, 4), colour_of(0.5));
  EXPECT_EQ(cell_colour(picture(slice, Range{-10, -5}), slice, 0, 0), colour_of(1));  // beyond: its end
}

TEST(Picture, OddFieldsStillGiveOne) {
  auto values = numbered();
  values[0] = std::numeric_limits<float>::quiet_NaN();
  const Slice with_nan = slice_of<float>(note, values, {'z', 0});
  EXPECT_EQ(cell_colour(picture(with_nan), with_nan, 0, 0), colour_of_nan);
  for (const double value : {0., 5., -1e-300, 1e300, std::numeric_limits<double>::infinity()}) {
    const std::vector<double> constant(60, value);
    const Slice slice = slice_of<double>(note, constant, {});
    EXPECT_GT(picture(slice).width, 0) << value;
  }
  std::vector<double> widest(60, -1.7e308);
  widest[30] = 1.7e308;
  EXPECT_GT(picture(slice_of<double>(note, widest, {})).width, 0);
}

/// CIE lightness.
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

std::vector<std::string> labels(double low, double high, int n = 5) {
  std::vector<std::string> all;
  for (const Tick& tick : ticks_of(low, high, n).ticks) all.push_back(tick.label);
  return all;
}

TEST(Ticks, AreRoundNumbersWithin) {
  EXPECT_EQ(labels(0, 1), (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(-3, 7), (std::vector<std::string>{"-2", "0", "2", "4", "6"}));
  EXPECT_EQ(labels(0, 3e-7), (std::vector<std::string>{"0", "1", "2", "3"}));
  EXPECT_EQ(ticks_of(0, 3e-7, 5).exponent, -7);
  EXPECT_EQ(ticks_of(0, 2e6, 5).exponent, 6);
  EXPECT_TRUE(labels(1, 1).empty());
  EXPECT_TRUE(labels(0, std::numeric_limits<double>::infinity()).empty());
}

TEST(Text, DrawsWithinItsWidth) {
  const TextStyle style{20, 1, {0, 0, 0}};
  for (const char character : std::string("abcdefghijklmnopqrstuvwxyz0123456789.,:-+=*/()^")) {
    const std::string text(1, character);
    Image image(60, 60, white);
    draw_text(image, 20, 40, text, style);
    int n_dark = 0;
    for (int y = 0; y < 60; ++y) {
      for (int x = 0; x < 60; ++x) {
        const bool dark = image.at(x, y)[0] < 128;
        n_dark += dark ? 1 : 0;
        EXPECT_FALSE(dark && (x < 17 || x > 22 + text_width(text, style) || y < 15 || y > 49)) << character;
      }
    }
    EXPECT_GT(n_dark, 3) << character;
  }
}

}  // namespace
}  // namespace rafter::solve

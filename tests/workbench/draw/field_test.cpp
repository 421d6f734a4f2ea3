// Fields, rendered, decoded and checked at known positions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "workbench/draw/colour.hpp"
#include "workbench/draw/decoded.hpp"
#include "workbench/draw/render.hpp"

namespace rafter::draw {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Extents {
  double height, width;
};

Figure field(std::int64_t n_rows, std::int64_t n_columns, std::vector<double> values, Extents extents = {1, 1}) {
  FieldPanel panel{.x = {.label = "x", .range = Range{0, extents.width}},
                   .y = {.label = "y", .range = Range{0, extents.height}},
                   .colour = {.label = "temperature", .unit = "K"},
                   .n_rows = n_rows,
                   .n_columns = n_columns,
                   .values = std::move(values)};
  return {"temperature", "", {panel}, 1};
}

std::vector<double> numbered(int n) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(i);
  return values;
}

/// The rendered figure of a field: its plot in pixels, and the colours of cells.
class Picture {
 public:
  explicit Picture(const Figure& figure)
      : panel_(std::get<FieldPanel>(figure.panels[0])), layout_(layout_of(figure)), png_(render(figure, Format::png)) {}

  Box plot() const {
    const Box& box = layout_.plots[0];
    const double scale = layout_.pixels_per_point;
    return {box.x * scale, box.y * scale, box.width * scale, box.height * scale};
  }
  /// Returns the colour in the middle of a cell; row 0 is at the bottom.
  Colour cell(std::int64_t row, std::int64_t column) const {
    const auto middle = [](std::int64_t i, std::int64_t n, double pixels) {
      return (static_cast<double>(i) + 0.5) / static_cast<double>(n) * pixels;
    };
    return png_.at(static_cast<int>(plot().x + middle(column, panel_.n_columns, plot().width)),
                   static_cast<int>(plot().bottom() - middle(row, panel_.n_rows, plot().height)));
  }
  const Decoded& png() const { return png_; }

 private:
  const FieldPanel& panel_;
  Layout layout_;
  Decoded png_;
};

TEST(FieldPicture, ExtremesHaveTheEndsOfTheScale) {
  const Figure figure = field(4, 5, numbered(20));
  const Picture picture(figure);
  EXPECT_EQ(picture.cell(0, 0), colour_of(0));
  EXPECT_EQ(picture.cell(3, 4), colour_of(1));
  EXPECT_EQ(picture.cell(0, 4), colour_of(4. / 19));
  EXPECT_EQ(picture.png().at(0, 0), white);
}

TEST(FieldPicture, EveryCellHasTheSamePixels) {
  for (const int n : {1, 3, 7, 64, 100, 241, 500, 719}) {
    std::vector<double> values(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i % 2;
    const Figure figure = field(1, n, values, {1, static_cast<double>(n)});
    const Picture picture(figure);
    const Box plot = picture.plot();
    EXPECT_EQ(std::fmod(plot.width, n), 0) << n;
    EXPECT_EQ(std::fmod(plot.x, 1), 0) << n;
    const int per_cell = static_cast<int>(plot.width) / n, y = static_cast<int>(plot.y + plot.height / 2);
    if (n < 2 || per_cell < 4) continue;  // otherwise the frame hides a cell's edge
    const int edge = static_cast<int>(plot.x) + per_cell;
    EXPECT_EQ(picture.png().at(edge - 1, y), colour_of(0)) << n;
    EXPECT_EQ(picture.png().at(edge, y), colour_of(1)) << n;
  }
}

TEST(FieldPicture, TheColourBarRunsFromLowToHigh) {
  const Figure figure = field(4, 5, numbered(20));
  const Picture picture(figure);
  const int x = static_cast<int>(picture.plot().right()) + 2 * (16 + 6);
  const auto share = [&](double up) {
    return picture.png().at(x, static_cast<int>(picture.plot().bottom() - up * picture.plot().height));
  };
  for (std::size_t channel = 0; channel < 3; ++channel) {
    for (const double up : {0.005, 0.25, 0.5, 0.75, 0.995}) {
      EXPECT_NEAR(share(up)[channel], colour_of(up)[channel], 3) << up;
    }
  }
}

TEST(FieldPicture, HasTheBoxsProportions) {
  const Figure figure = field(10, 20, std::vector<double>(200, 1.), {30, 20});
  const Picture picture(figure);
  EXPECT_NEAR(picture.plot().height, 1.5 * picture.plot().width, 1);
  EXPECT_GT(picture.png().width(), picture.plot().right());
  EXPECT_GT(picture.png().height(), picture.plot().bottom());
}

TEST(FieldPicture, CellsOfLargeGridsShareAPixelByTheirMean) {
  std::vector<double> values(16 * 4096);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 2);
  const Figure figure = field(16, 4096, std::move(values), {0.1, 1});
  const Picture picture(figure);
  EXPECT_EQ(picture.plot().width, 2048);
  EXPECT_EQ(picture.cell(10, 1000), colour_of(0.5));
}

TEST(FieldPicture, RespectsTheRange) {
  Figure figure = field(4, 5, numbered(20));
  auto& range = std::get<FieldPanel>(figure.panels[0]).colour.range;
  range = Range{0, 38};
  EXPECT_EQ(Picture(figure).cell(3, 4), colour_of(0.5));
  range = Range{-10, -5};
  EXPECT_EQ(Picture(figure).cell(0, 0), colour_of(1));  // clamped to the end
}

TEST(FieldPicture, NonFiniteValuesHaveColours) {
  auto values = numbered(20);
  values[0] = std::nan("");
  values[1] = infinity;
  values[2] = -infinity;
  const Figure figure = field(4, 5, values);
  const Picture picture(figure);
  EXPECT_EQ(picture.cell(0, 0), colour_of_nan);
  EXPECT_EQ(picture.cell(0, 1), colour_of(1));
  EXPECT_EQ(picture.cell(0, 2), colour_of(0));
  EXPECT_EQ(picture.cell(0, 3), colour_of(0));  // the lowest finite value
}

TEST(FieldPicture, UnusualFieldsCanBeDrawn) {
  for (const double value : {0., 5., -1e-300, 1e300, infinity}) {
    const Figure figure = field(1, 1, {value});
    EXPECT_EQ(Picture(figure).cell(0, 0), std::isfinite(value) ? colour_of(0.5) : colour_of(1)) << value;
  }
  const Figure widest = field(1, 2, {-1.7e308, 1.7e308});
  EXPECT_EQ(Picture(widest).cell(0, 0), colour_of(0));
  EXPECT_EQ(Picture(widest).cell(0, 1), colour_of(1));
}

TEST(FieldPicture, IsAnImageInSvgAndPdfToo) {
  const Figure figure = field(4, 5, numbered(20));
  const std::string svg = render(figure, Format::svg), pdf = render(figure, Format::pdf);
  EXPECT_NE(svg.find("<image "), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(pdf.find("/Subtype /Image"), std::string::npos);
  EXPECT_TRUE(pdf.ends_with("%%EOF\n"));
}

}  // namespace
}  // namespace rafter::draw

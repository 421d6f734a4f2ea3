// The positions of curves, references, notes and bars.
#include <gtest/gtest.h>

#include <cmath>

#include "rafter/error.hpp"
#include "workbench/draw/decoded.hpp"
#include "workbench/draw/render.hpp"
#include "workbench/draw/ruler.hpp"

namespace rafter::draw {
namespace {

Figure figure_of(Panel panel) { return {"title", "subtitle", {std::move(panel)}, 1}; }

/// A figure of one panel, rendered and decoded.
class ChartPicture {
 public:
  explicit ChartPicture(const Figure& figure) : layout_(layout_of(figure)), png_(render(figure, Format::png)) {}

  const Box& plot() const { return layout_.plots[0]; }
  /// Returns the pixel at fractions of the plot's sides, from its lower left corner.
  Colour at(double right, double up) const {
    const double scale = layout_.pixels_per_point;
    return png_.at(static_cast<int>(scale * (plot().x + right * plot().width)),
                   static_cast<int>(scale * (plot().bottom() - up * plot().height)));
  }
  int count(const Box& box, Colour colour) const { return png_.count(box, layout_.pixels_per_point, colour); }
  Box page() const { return {0, 0, layout_.width, layout_.height}; }

 private:
  Layout layout_;
  Decoded png_;
};

ChartPanel chart(Axis x, Axis y, std::vector<DataPoint> points, Marks marks = Marks::points) {
  return {.x = std::move(x), .y = std::move(y), .series = {{"speed", std::move(points), marks}}};
}

TEST(Chart, PlacesPointsByTheirValues) {
  const Axis axis{.range = Range{0, 10}};
  const ChartPicture picture(figure_of(chart(axis, axis, {{2.5, 7.5}, {5, 2}})));
  EXPECT_EQ(picture.at(0.25, 0.75), palette[0]);
  EXPECT_EQ(picture.at(0.5, 0.2), palette[0]);
  EXPECT_EQ(picture.at(0.75, 0.3), white);
}

TEST(Chart, LogarithmicAxesHaveEqualDistancesForEqualRatios) {
  const Axis size{.scale = Scale::log2, .range = Range{1, 256}}, rate{.scale = Scale::log10, .range = Range{0.01, 100}};
  const ChartPicture picture(figure_of(chart(size, rate, {{4, 0.1}, {16, 1}, {64, 10}})));
  EXPECT_EQ(picture.at(0.25, 0.25), palette[0]);
  EXPECT_EQ(picture.at(0.5, 0.5), palette[0]);
  EXPECT_EQ(picture.at(0.75, 0.75), palette[0]);
}

TEST(Chart, LineHasGapsAtMissingPoints) {
  const Axis axis{.range = Range{0, 10}};
  const ChartPicture picture(
      figure_of(chart(axis, axis, {{0, 3.1}, {4, 3.1}, {5, std::nan("")}, {6, 3.1}, {10, 3.1}}, Marks::line)));
  EXPECT_EQ(picture.at(0.33, 0.31), palette[0]);
  EXPECT_EQ(picture.at(0.51, 0.31), white);
  EXPECT_EQ(picture.at(0.71, 0.31), palette[0]);
}

TEST(Chart, ClipsPointsOutsideTheRange) {
  const Axis axis{.range = Range{0, 10}};
  const ChartPicture picture(figure_of(chart(axis, axis, {{-1e300, 5}, {5, 1e300}, {5, 5}}, Marks::line_and_points)));
  const Box& plot = picture.plot();
  const Box left{0, 0, plot.x - 5, plot.bottom()}, above{0, 0, plot.right(), plot.y - 5};
  EXPECT_EQ(picture.count(left, palette[0]), 0);
  EXPECT_EQ(picture.count(above, palette[0]), 0);
}

TEST(Chart, ReferenceIsDashedAndWithinTheAxis) {
  ChartPanel panel = chart({}, {}, {{1, 1}, {2, 2}});
  const ChartPicture without(figure_of(panel));
  panel.references = {{Reference::At::y, 8, "roof"}};
  const ChartPicture with(figure_of(panel));
  EXPECT_GT(with.count(with.plot(), soft), without.count(without.plot(), soft) + 200);
  EXPECT_LT(with.count(with.plot(), soft), 2 * 2 * 400);
}

TEST(Chart, LegendIsNextToThePlot) {
  ChartPanel panel = chart({}, {}, {{1, 1}, {2, 2}});
  panel.series.push_back({"another with a name so long that it must be cut before its end", {{1, 2}}, Marks::line});
  const ChartPicture picture(figure_of(panel));
  const Box& plot = picture.plot();
  const Box beside{plot.right() + 8, plot.y, picture.page().width - plot.right() - 8, plot.height};
  EXPECT_GT(picture.count(beside, palette[0]), 20);
  EXPECT_GT(picture.count(beside, palette[1]), 20);
  EXPECT_GT(picture.count(beside, ink), 20);
  const Box edge{picture.page().width - 4, 0, 4, picture.page().height};
  EXPECT_EQ(picture.count(edge, white), 2 * 2 * 4 * static_cast<int>(picture.page().height));
}

TEST(Chart, LegendHigherThanThePlotIsOnThePage) {
  ChartPanel panel = chart({}, {}, {{1, 1}, {2, 2}});
  for (int i = 0; i < 29; ++i) panel.series.push_back({"one", {{1, 2}}, Marks::line});
  const ChartPicture picture(figure_of(panel));
  EXPECT_GT(picture.page().height, picture.plot().y + 30 * 15);
}

TEST(Chart, SeriesKeepsItsIdentityAndItsStyle) {
  const Axis axis{.range = Range{0, 10}};
  ChartPanel panel = chart(axis, axis, {{5, 5}});
  panel.series[0].identity = 3;
  EXPECT_EQ(ChartPicture(figure_of(panel)).at(0.5, 0.5), palette[3]);
  panel.series[0].look = Look::dashed;  // its markers are hollow
  const ChartPicture dashed(figure_of(panel));
  EXPECT_EQ(dashed.at(0.5, 0.5), white);
  EXPECT_GT(dashed.count(dashed.plot(), palette[3]), 5);
  panel.series[0] = {"floor", {{0, 5}, {10, 5}}, Marks::line, Look::reference};
  const ChartPicture reference(figure_of(panel));
  EXPECT_EQ(reference.count(reference.plot(), palette[0]), 0);
  EXPECT_GT(reference.count(reference.plot(), soft), 200);
}

TEST(Chart, GivenTicksAreWithinTheRangeAndDoNotTouch) {
  const Axis axis{.range = Range{0, 10}, .ticks = {{11, "out"}, {5, "five"}, {5.01, "hidden"}, {9, "nine"}, {0, ""}}};
  const Ruler ruler(axis, *axis.range, 400, Direction::across);
  ASSERT_EQ(ruler.ticks().size(), 4u);
  std::string labels;
  for (const Tick& tick : ruler.ticks()) labels += tick.label + "|";
  EXPECT_EQ(labels, "|five||nine|");
}

TEST(Chart, NotesOfAdjacentPointsDoNotOverlap) {
  const Axis axis{.range = Range{0, 10}};
  ChartPanel one = chart(axis, axis, {{5, 5}, {5.1, 5.1}});
  ChartPanel both = one;
  one.notes = {{{5, 5}, "mmmm"}};
  both.notes = {{{5, 5}, "mmmm"}, {{5.1, 5.1}, "mmmm"}};
  const ChartPicture first(figure_of(one)), second(figure_of(both));
  EXPECT_NEAR(second.count(second.plot(), soft), 2 * first.count(first.plot(), soft), 8);
}

TEST(Chart, ConstantSeriesAndSinglePointHaveAxes) {
  for (const Scale scale : {Scale::linear, Scale::log2, Scale::log10}) {
    const Axis axis{.scale = scale};
    const ChartPicture picture(figure_of(chart(axis, axis, {{7, 7}})));
    EXPECT_GT(picture.count(picture.plot(), palette[0]), 30);
  }
}

TEST(Bars, AreAsLongAsTheirValues) {
  const BarPanel panel{.value = {.label = "time", .unit = "ms", .range = Range{0, 8}},
                       .bars = {{"plain", 8, ""}, {"shared", 2, "4x"}}};
  const ChartPicture picture(figure_of(panel));
  EXPECT_EQ(picture.at(0.9, 0.75), palette[0]);
  EXPECT_EQ(picture.at(0.24, 0.25), palette[0]);
  EXPECT_NE(picture.at(0.26, 0.25), palette[0]);
}

TEST(Bars, AreEmptyForZero) {
  const ChartPicture picture(figure_of(BarPanel{.bars = {{"none", 0, "0"}}}));
  EXPECT_EQ(picture.count(picture.page(), palette[0]), 0);
}

TEST(Layout, AlignsPlotsOfAColumnAndFitsThePage) {
  ChartPanel wide_numbers = chart({}, {.label = "rate", .unit = "GB/s"}, {{0, 9000}, {1, 9999}});
  const Figure figure{"t", "", {chart({}, {}, {{1, 1}}), wide_numbers, wide_numbers}, 2};
  const Layout layout = layout_of(figure);
  EXPECT_EQ(layout.plots[0].x, layout.plots[2].x);
  EXPECT_EQ(layout.plots[0].y, layout.plots[1].y);
  EXPECT_FALSE(layout.plots[0].overlaps(layout.plots[1]));
  EXPECT_FALSE(layout.plots[0].overlaps(layout.plots[2]));
  for (const Box& plot : layout.plots) EXPECT_TRUE((Box{0, 0, layout.width, layout.height}.contains(plot)));
}

TEST(Layout, LongTitlesDoNotMakeWidePages) {
  Figure figure = figure_of(chart({}, {}, {{1, 1}}));
  const double width = layout_of(figure).width;
  figure.title = figure.subtitle = std::string(3000, 'w');
  std::get<ChartPanel>(figure.panels[0]).x.label = figure.title;
  std::get<ChartPanel>(figure.panels[0]).y.label = figure.title;
  EXPECT_EQ(layout_of(figure).width, layout_of(figure_of(chart({}, {.label = "y"}, {{1, 1}}))).width);
  EXPECT_LT(layout_of(figure).width, width + 30);
  EXPECT_FALSE(render(figure, Format::png).empty());
}

TEST(Chart, HasHintsOnlyInSvg) {
  const Figure figure{.panels = {ChartPanel{.series = {{.points = {{1, 2}, {3, NAN}, {4, 5}},
                                                        .hints = {"a <b> & \"c\"", "gap", "last"}}}},
                                 BarPanel{.bars = {{.label = "bar", .value = 3, .hint = "of a bar"}}}}};
  const std::string svg = render(figure, Format::svg);
  for (const char* hint :
       {"<title>a &lt;b&gt; &amp; &quot;c&quot;</title>", "<title>last</title>", "<title>of a bar</title>"})
    EXPECT_NE(svg.find(hint), std::string::npos) << hint;
  EXPECT_EQ(svg.find("<title>gap</title>"), std::string::npos) << "there is no point";
  EXPECT_TRUE(svg.ends_with("</g>\n</svg>\n"));
  EXPECT_EQ(render(figure, Format::pdf).find("<title>"), std::string::npos);
  Figure uneven = figure;
  std::get<ChartPanel>(uneven.panels[0]).series[0].hints.pop_back();
  EXPECT_THROW(render(uneven, Format::svg), Error);
}

TEST(Chart, IsLinesAndLettersInSvgAndPdf) {
  ChartPanel panel = chart({.label = "elements", .scale = Scale::log2}, {}, {{1, 1}, {4, 2}}, Marks::line);
  panel.notes = {{{1, 1}, "here"}};
  const Figure figure = figure_of(panel);
  const std::string svg = render(figure, Format::svg), pdf = render(figure, Format::pdf);
  EXPECT_TRUE(svg.starts_with("<?xml"));
  EXPECT_NE(svg.find("<path "), std::string::npos);
  EXPECT_EQ(svg.find("<image "), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_TRUE(pdf.starts_with("%PDF-"));
  EXPECT_NE(pdf.find("/FontFile"), std::string::npos);
  EXPECT_TRUE(pdf.ends_with("%%EOF\n"));
}

TEST(Chart, DarkThemeHasADarkBackgroundAndLightText) {
  const Axis axis{.range = Range{0, 10}};
  Figure figure = figure_of(chart(axis, axis, {{2.5, 7.5}}));
  figure.theme = Theme::dark;
  const ChartPicture picture(figure);
  EXPECT_EQ(picture.at(0.75, 0.3), themed(white, Theme::dark));
  EXPECT_EQ(picture.at(0.25, 0.75), themed(palette[0], Theme::dark));
  EXPECT_EQ(picture.count(picture.page(), white), 0);
  EXPECT_GT(picture.count(picture.page(), themed(ink, Theme::dark)), 0);
}

}  // namespace
}  // namespace rafter::draw

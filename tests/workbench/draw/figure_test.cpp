// Figures that cannot be drawn are rejected with a reason before anything is written.
#include "workbench/draw/figure.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "workbench/draw/render.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::draw {
namespace {

using lab::expect_error;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void expect_refused(const std::string& part, Panel panel) {
  expect_error(ErrorCode::bad_argument, part, [&] { require_drawable(Figure{"t", "", {std::move(panel)}, 1}); });
}

ChartPanel chart(std::vector<DataPoint> points) {
  ChartPanel panel;
  panel.series.push_back({"speed", std::move(points), Marks::line});
  return panel;
}

TEST(Figure, NeedsSomethingToShow) {
  expect_error(ErrorCode::bad_argument, "a figure needs a panel", [] { require_drawable(Figure{}); });
  expect_refused("has no series", ChartPanel{});
  expect_refused("series 'speed' has no points", chart({}));
  expect_refused("series 'speed' has 2 points and none of them is finite", chart({{nan, 1}, {1, nan}}));
  expect_refused("has no bars", BarPanel{});
  expect_refused("a field needs cells, this one has 0 x 0", FieldPanel{});
}

TEST(Figure, RejectsZerosOnLogarithmicAxes) {
  ChartPanel panel = chart({{1, 1}, {2, 0}});
  require_drawable(Figure{"", "", {panel}, 1});
  panel.y.scale = Scale::log10;
  expect_refused("series 'speed' has y = 0, which a logarithmic axis cannot show", panel);
  panel.y.scale = Scale::linear;
  panel.x = {.scale = Scale::log2, .range = Range{0, 8}};
  expect_refused("an axis' range has x = 0", panel);
  panel.x.range.reset();
  panel.references = {{Reference::At::x, -1, "floor"}};
  expect_refused("reference 'floor' has x = -1", panel);
  panel.references.clear();
  panel.notes = {{{0, 1}, "here"}};
  expect_refused("note 'here' has x = 0", panel);
}

TEST(Figure, RejectsInvalidRangesAndSizes) {
  ChartPanel panel = chart({{1, 1}});
  panel.x.range = Range{2, 2};
  expect_refused("the range of x must be increasing, not from 2 to 2", panel);
  panel.x.range = Range{0, nan};
  expect_refused("the range of x", panel);
  panel.x.range.reset();
  panel.width = 1e6;
  expect_refused("a plot's width must be 40 to 4000 points, not 1e+06", panel);

  FieldPanel field{.n_rows = 2, .n_columns = 3, .values = std::vector<double>(5)};
  expect_refused("a field of 2 x 3 cells has 5 values", field);
  field.values.resize(6);
  expect_refused("a field needs the ranges of its x and y axes", field);
}

TEST(Figure, BarsBeginAtZero) {
  BarPanel panel{.bars = {{"a", -1, ""}}};
  expect_refused("bar 'a' is -1", panel);
  panel.bars = {{"a", nan, ""}};
  expect_refused("bar 'a' is nan", panel);
  panel.bars = {{"a", 1, ""}};
  panel.references = {{Reference::At::y, 1, "floor"}};
  expect_refused("reference 'floor' of a bar chart must be at an x", panel);
  panel.references.clear();
  panel.value.scale = Scale::log10;
  expect_refused("bars need a linear axis", panel);
}

TEST(Figure, FormatFollowsFromTheFileName) {
  EXPECT_EQ(format_of("a/b.png"), Format::png);
  EXPECT_EQ(format_of("b.SVG"), Format::svg);
  EXPECT_EQ(format_of("b.pdf"), Format::pdf);
  for (const char* name : {"a.jpg", "png", "a.png/b", ""}) {
    expect_error(ErrorCode::bad_argument, "FILE.png, FILE.svg or FILE.pdf", [&] { format_of(name); });
  }
}

TEST(Figure, WritesFilesCompletelyOrNotAtAll) {
  const lab::TemporaryFolder folder;
  const auto path = folder.path() / "a.png";
  EXPECT_THROW(write_figure(path, Figure{}), Error);
  EXPECT_THROW(write_figure(path, Figure{"\xff", "", {chart({{1, 1}})}, 1}), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  if (why_no_drawing()) GTEST_SKIP() << *why_no_drawing();
  write_figure(path, Figure{"t", "", {chart({{1, 1}})}, 1});
  EXPECT_TRUE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace rafter::draw

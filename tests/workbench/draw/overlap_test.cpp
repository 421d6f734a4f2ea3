// No text covers a line, a marker or another text.
#include "workbench/draw/overlap.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "workbench/draw/layout.hpp"
#include "workbench/draw/render.hpp"

namespace rafter::draw {
namespace {

SvgShapes shapes_of(ChartPanel panel) {
  const Figure figure{"title", "subtitle", {std::move(panel)}, 1};
  return {render(figure, Format::svg), layout_of(figure).plots[0]};
}

/// A roofline: a bent roof with a name on each side, and a column of points for each of several rungs.
ChartPanel roofline(int n_cases) {
  ChartPanel panel{.x = {.scale = Scale::log10, .range = Range{0.1, 100}},
                   .y = {.scale = Scale::log10, .range = Range{1e6, 1e12}}};
  for (int rung = 0; rung < 5; ++rung) {
    Series series{.name = fmt::format("rung {}", rung), .points = {}, .marks = Marks::points};
    for (int i = 0; i < n_cases; ++i) series.points.push_back({0.25, 1e9 * std::pow(3, i - rung)});
    panel.series.push_back(std::move(series));
  }
  panel.series.push_back({.name = "roofs",
                          .points = {{0.1, 2e9}, {15, 3e11}, {100, 3e11}},
                          .marks = Marks::line,
                          .look = Look::reference});
  panel.notes = {{{0.1, 2e9}, "memory 22.2 GB/s"}, {{40, 3e11}, "fp32 304 GFLOP/s"}};
  for (int i = 0; i < n_cases; ++i)
    panel.notes.push_back({{0.25, 1e9 * std::pow(3, i)}, fmt::format("n={}", 1000 * (i + 1))});
  return panel;
}

TEST(Overlap, FindsATextOnALine) {
  ChartPanel panel{.x = {.range = Range{0, 1}}, .y = {.range = Range{0, 1}}, .width = 60, .height = 40};
  for (int i = 0; i < 21; ++i) panel.series.push_back({.points = {{0, i / 20.}, {1, i / 20.}}, .marks = Marks::line});
  panel.notes = {{{0.5, 0.5}, "text"}};
  EXPECT_EQ(shapes_of(panel).n_overlaps(), 1) << "there is no free place";
}

TEST(Overlap, IsAvoidedByTheNamesOfRoofsAndSizes) {
  for (const int n : {1, 2, 4, 6}) {
    const SvgShapes shapes = shapes_of(roofline(n));
    EXPECT_EQ(shapes.texts().size(), static_cast<std::size_t>(n) + 2);
    EXPECT_GT(shapes.n_marks(), 100u);
    EXPECT_EQ(shapes.n_overlaps(), 0) << n << " cases";
  }
}

TEST(Overlap, IsAvoidedByTheNamesOfReferences) {
  ChartPanel panel{.x = {.range = Range{0, 10}}, .y = {.scale = Scale::log10, .range = Range{1, 1000}}};
  Series times{.marks = Marks::line_and_points};
  for (int i = 1; i < 10; ++i) {
    times.points.push_back({static_cast<double>(i), 800. / i});
    panel.notes.push_back({times.points.back(), fmt::format("{} ms", 800 / i)});
  }
  panel.series.push_back(std::move(times));
  panel.references = {{Reference::At::y, 90, "target 90.0 ms"},
                      {Reference::At::y, 80, "floor 80.0 ms"},
                      {Reference::At::x, 4.5, "WRONG"}};
  const SvgShapes shapes = shapes_of(panel);
  EXPECT_EQ(shapes.texts().size(), 12u);
  EXPECT_EQ(shapes.n_overlaps(), 0);
}

}  // namespace
}  // namespace rafter::draw

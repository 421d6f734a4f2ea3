// Slices of a field and their figures.
#include "apps/solve/picture.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "workbench/draw/render.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter::solve {
namespace {

using lab::expect_error;

/// A field of 3 x 4 x 5 cells, each with its index.
const FieldNote sliced{"temperature", {3, 4, 5}, {1, 2, 4}, 7, 0.5};
std::vector<float> numbered() {
  std::vector<float> values(60);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return values;
}

TEST(Slice, CutsEveryAxis) {
  const Slice across_y = slice_of<float>(sliced, numbered(), {'y', 2});
  EXPECT_EQ(across_y.n_rows, 3);
  EXPECT_EQ(across_y.n_columns, 5);
  EXPECT_EQ(across_y.values[5], 30);  // z = 1, y = 2, x = 0
  EXPECT_EQ(across_y.position, 5);
  const Slice across_x = slice_of<float>(sliced, numbered(), {'x', {}});
  EXPECT_EQ(across_x.cell, 2);
  EXPECT_EQ(across_x.up, 'z');
  EXPECT_EQ(across_x.right, 'y');
  EXPECT_EQ(across_x.values[4], 22);  // z = 1, y = 0, x = 2
  expect_error(ErrorCode::bad_argument, "cells are 0 to 2", [] { slice_of<float>(sliced, numbered(), {'z', 3}); });
  expect_error(ErrorCode::bad_argument, "perpendicular to z, y or x", [] {
    slice_of<float>(sliced, numbered(), {'w', 0});
  });
}

TEST(Picture, ShowsTheSliceAndItsPosition) {
  const Slice slice = slice_of<float>(sliced, numbered(), {'z', 1});
  const draw::Figure figure = picture_of(slice, sliced, draw::Range{0, 50});
  EXPECT_EQ(figure.title, "temperature at t = 0.5");
  EXPECT_EQ(figure.subtitle, "step 7, slice at z = 1.5 (cell 1), values from 20 to 39");
  const auto& panel = std::get<draw::FieldPanel>(figure.panels.at(0));
  EXPECT_EQ(panel.values, slice.values);
  EXPECT_EQ(panel.n_rows, 4);
  EXPECT_EQ(panel.n_columns, 5);
  EXPECT_EQ(panel.x.label, "x");
  EXPECT_EQ(panel.y.label, "y");
  EXPECT_EQ(panel.x.range->high, 20);
  EXPECT_EQ(panel.y.range->high, 8);
  EXPECT_EQ(panel.colour.range->high, 50);
  draw::require_drawable(figure);
}

TEST(Picture, DrawsConstantAndNonFiniteFields) {
  auto values = numbered();
  values[2] = std::numeric_limits<float>::quiet_NaN();
  values[3] = std::numeric_limits<float>::infinity();
  const draw::Figure figure = picture_of(slice_of<float>(sliced, values, {'z', 0}), sliced, {});
  EXPECT_TRUE(figure.subtitle.ends_with("2 of 20 values are not finite")) << figure.subtitle;
  if (draw::why_no_drawing()) GTEST_SKIP() << *draw::why_no_drawing();
  EXPECT_TRUE(draw::render(figure, draw::Format::png).starts_with("\x89PNG"));
}

}  // namespace
}  // namespace rafter::solve

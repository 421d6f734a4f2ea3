#include "apps/solve/initial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/npy.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::solve {
namespace {

using lab::expect_error;

std::vector<double> made(const Initial& initial, const GridShape& shape, const GridSpacing& spacing = {}) {
  return std::get<std::vector<double>>(initial_field(initial, shape, spacing, Precision::float64).values);
}

std::size_t cell(const GridShape& shape, std::int64_t z, std::int64_t y, std::int64_t x) {
  return static_cast<std::size_t>((z * shape.ny + y) * shape.nx + x);
}

TEST(Initial, GaussianIsCentredAndSymmetric) {
  const GridShape shape{11, 13, 15};
  const GridSpacing spacing{2, 1, 0.5};
  const auto u = made({.kind = Initial::Kind::gaussian, .amplitude = 3, .width = 0.2}, shape, spacing);
  EXPECT_EQ(u[cell(shape, 5, 6, 7)], 3);
  EXPECT_EQ(u[cell(shape, 4, 6, 7)], u[cell(shape, 6, 6, 7)]);
  EXPECT_EQ(u[cell(shape, 5, 6, 3)], u[cell(shape, 5, 6, 11)]);
  EXPECT_EQ(u[cell(shape, 5, 4, 7)], u[cell(shape, 5, 6, 11)]);  // two cells of 1 are four of 0.5
  const double width = 0.2 * 7.5;                                // fraction of the shortest side
  EXPECT_NEAR(u[cell(shape, 4, 6, 7)], 3 * std::exp(-0.5 * 4 / (width * width)), 1e-14);
}

// A tenth of the shortest side would be less than a cell: a spike that the stencil does not resolve.
TEST(Initial, ThinGridsResolveTheGaussian) {
  for (const GridShape& shape : {GridShape{1, 64, 65}, {4, 64, 65}, {9, 64, 65}, {64, 1, 1}}) {
    const Initial gaussian{.kind = Initial::Kind::gaussian};
    const auto u = made(gaussian, shape, {0.5, 0.5, 0.5});
    const auto middle = cell(shape, shape.nz / 2, shape.ny / 2, shape.nx / 2);
    const bool is_rod = shape.nx == 1;
    const std::size_t next = is_rod ? middle + 1 : middle - 1;
    const double width =
        length_on(gaussian, shape, {0.5, 0.5, 0.5}) * (shape.nz == 1   ? 32
                                                       : shape.ny == 1 ? 32
                                                                       : static_cast<double>(shape.nz) * 0.5);
    EXPECT_GE(width, 1.) << shape.nz;  // two spacings
    EXPECT_GT(u[next], 0.5 * u[middle]) << shape.nz;
    const auto sphere = made({.kind = Initial::Kind::hot_sphere}, shape, {0.5, 0.5, 0.5});
    EXPECT_GE(std::count(sphere.begin(), sphere.end(), 1.), 4) << shape.nz;
  }
  // On a flat grid it is as wide as in a layer of the cube; an explicit width is kept.
  EXPECT_EQ(length_on({}, {1, 64, 64}, {}), 0.1);
  EXPECT_EQ(length_on({.width = 0.01}, {4, 64, 64}, {}), 0.01);
}

TEST(Initial, SphereIsHotInsideItsRadius) {
  const GridShape shape{20, 20, 20};
  const auto u = made({.kind = Initial::Kind::hot_sphere, .amplitude = 2, .radius = 0.25}, shape);
  const auto n_hot = std::count(u.begin(), u.end(), 2.);
  EXPECT_EQ(n_hot + std::count(u.begin(), u.end(), 0.), std::ssize(u));
  EXPECT_NEAR(static_cast<double>(n_hot), 4. / 3 * 3.14159 * 125, 30);
  EXPECT_EQ(u[cell(shape, 10, 10, 10)], 2);
  EXPECT_EQ(u[cell(shape, 10, 10, 16)], 0);
}

TEST(Initial, RandomFieldsFollowTheirSeed) {
  const GridShape shape{8, 9, 10};
  const Initial random{.kind = Initial::Kind::random, .amplitude = 4, .seed = 5};
  const auto u = made(random, shape);
  EXPECT_EQ(u, made(random, shape));
  EXPECT_NE(u, made({.kind = Initial::Kind::random, .amplitude = 4, .seed = 6}, shape));
  const auto [least, most] = std::minmax_element(u.begin(), u.end());
  EXPECT_GE(*least, 0);
  EXPECT_LT(*most, 4);
  EXPECT_GT(*most - *least, 3.8);
}

TEST(Initial, NamesMatchTheTool) {
  for (const std::string& known : initial_names()) EXPECT_EQ(name(initial_called(known).value()), known);
  EXPECT_FALSE(initial_called("gausian"));
}

TEST(Initial, RecognisesFilesByTheirEnding) {
  EXPECT_TRUE(names_a_field_file("a.npy"));
  EXPECT_TRUE(names_a_field_file("a.h5"));
  EXPECT_TRUE(names_a_field_file("a.h5:/data/u"));
  EXPECT_TRUE(names_a_field_file("b.h5:c/a.hdf5:u"));
  EXPECT_FALSE(names_a_field_file("gaussian"));
  expect_error(ErrorCode::bad_argument, "is not a field file", [] { field_from_file("a.txt"); });
  const lab::TemporaryFolder folder;
  const std::vector<float> values{1, 2};
  base::write_npy<float>(folder.path() / "a.npy", {1, 1, 2}, values);
  EXPECT_EQ(field_from_file((folder.path() / "a.npy").string()).shape.nx, 2);
}

TEST(Field, ConvertsPrecisions) {
  const Field field = converted({{1, 1, 2}, std::vector<double>{0.1, 1e300}}, Precision::float32);
  EXPECT_EQ(std::get<std::vector<float>>(field.values)[0], 0.1f);
  EXPECT_EQ(std::get<std::vector<double>>(converted(field, Precision::float64).values)[0], static_cast<double>(0.1f));
}

TEST(Field, ReportsAFieldThatDoesNotFit) {
  expect_error(ErrorCode::out_of_memory, "does not fit", [] {
    make_field({1 << 20, 1 << 20, 1 << 20}, Precision::float64);
  });
}

}  // namespace
}  // namespace rafter::solve

#include "workbench/tune/space.hpp"

#include <gtest/gtest.h>

#include <set>

#include "workbench/lab/expect_error.hpp"

namespace rafter::tune {

using lab::expect_error;

TEST(TuneSpace, HasEveryCombinationThatSatisfiesTheCondition) {
  const Space space = parse_space({"TILE=16,32,64", "UNROLL=1,2,4"}, "TILE*UNROLL <= 64", {});
  const Points points = points_of(space, 1000, 1);
  EXPECT_EQ(points.n_combinations, 9);
  EXPECT_FALSE(points.is_sample);
  std::vector<std::string> names;
  for (const Point& point : points.points) names.push_back(name_of(space, point));
  EXPECT_EQ(names, (std::vector<std::string>{"TILE=16 UNROLL=1", "TILE=16 UNROLL=2", "TILE=16 UNROLL=4",
                                             "TILE=32 UNROLL=1", "TILE=32 UNROLL=2", "TILE=64 UNROLL=1"}));
  EXPECT_EQ(macros_of(space, points.points.back()), (std::vector<std::string>{"-DTILE=64", "-DUNROLL=1"}));
}

TEST(TuneSpace, AcceptsValuesThatAreNotNumbers) {
  const Space space = parse_space({"TYPE=float,double", "N=4"}, "N == 4", {});
  EXPECT_EQ(points_of(space, 10, 1).points.size(), 2u);
  expect_error(ErrorCode::bad_argument, "TYPE", [&] { points_of(parse_space({"TYPE=a,b"}, "TYPE == 1", {}), 10, 1); });
}

TEST(TuneSpace, SamplesALargeSpace) {
  std::vector<std::string> parameters;
  for (const char name : std::string("ABCDEFGHIJKL")) parameters.push_back(std::string(1, name) + "=1,2,3,4");
  const Space space = parse_space(parameters, "A < 3", {});  // 2^24 combinations
  const Points points = points_of(space, 100, 7);
  EXPECT_TRUE(points.is_sample);
  EXPECT_EQ(points.n_combinations, 16777216);
  EXPECT_EQ(std::set<Point>(points.points.begin(), points.points.end()).size(), 100u);
  for (const Point& point : points.points) EXPECT_LT(point[0], 2u);
  EXPECT_EQ(points_of(space, 100, 7).points, points.points) << "the seed repeats it";
  EXPECT_NE(points_of(space, 100, 8).points, points.points);
  EXPECT_EQ(points_of(parse_space({"A=1,2,3,4,5,6,7,8", "B=1,2,3,4,5,6,7,8"}, "", {}), 10, 1).points.size(), 10u);
}

TEST(TuneSpace, ConditionsMayNameSizes) {
  const Space space = parse_space({"TILE=8,16,32"}, "n % TILE == 0 or TILE == 32", {{"n", 24}});
  const Points points = points_of(space, 100, 1);
  ASSERT_EQ(points.points.size(), 2u);
  EXPECT_EQ(name_of(space, points.points[0]), "TILE=8");
  EXPECT_EQ(name_of(space, points.points[1]), "TILE=32");
  lab::expect_error(ErrorCode::bad_argument, "n is given by --param and by --set", [] {
    parse_space({"n=1,2"}, "", {{"n", 24}});
  });
}

TEST(TuneSpace, RejectsMalformedParameters) {
  expect_error(ErrorCode::bad_argument, "allows none of the 4", [] {
    points_of(parse_space({"A=1,2", "B=3,4"}, "A > B", {}), 10, 1);
  });
  expect_error(ErrorCode::bad_argument, "nothing to tune", [] { parse_space({}, "", {}); });
  expect_error(ErrorCode::bad_argument, "twice", [] { parse_space({"A=1,1"}, "", {}); });
  expect_error(ErrorCode::bad_argument, "twice", [] { parse_space({"A=1", "A=2"}, "", {}); });
  expect_error(ErrorCode::bad_argument, "empty value", [] { parse_space({"A=1,,2"}, "", {}); });
  expect_error(ErrorCode::bad_argument, "TILE=16,32,64", [] { parse_space({"A"}, "", {}); });
  expect_error(ErrorCode::bad_argument, "did you mean 'TILE'?",
               [] { points_of(parse_space({"TILE=1"}, "TIL > 0", {}), 10, 1); });
}

}  // namespace rafter::tune

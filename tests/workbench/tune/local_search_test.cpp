#include "workbench/tune/local_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "workbench/lab/expect_error.hpp"

namespace rafter::tune {
namespace {

/// A space of 4^12 combinations; the value is the distance from the point (2, 2, ...).
Space large_space(const std::string& where = "") {
  std::vector<std::string> parameters;
  for (const char name : std::string("ABCDEFGHIJKL")) parameters.push_back(std::string(1, name) + "=1,2,4,8");
  return parse_space(parameters, where, {});
}

double distance(const Point& point) {
  double sum = 0;
  for (const std::size_t value : point) sum += std::abs(static_cast<double>(value) - 2);
  return sum;
}

std::vector<double> distances(const std::vector<Point>& points) {
  std::vector<double> values;
  for (const Point& point : points) values.push_back(distance(point));
  return values;
}

double best_of(const std::vector<Visited>& visited) {
  double best = std::numeric_limits<double>::infinity();
  for (const Visited& one : visited) best = std::min(best, one.value);
  return best;
}

TEST(LocalSearch, FindsTheBestOfALargeSpaceWithFewTrials) {
  const Space space = large_space();
  const auto visited = search_locally(space, {.most_points = 400, .seed = 3}, distances);
  EXPECT_EQ(best_of(visited), 0);
  EXPECT_EQ(visited.size(), 400u);
  std::set<Point> distinct;
  for (const Visited& one : visited) distinct.insert(one.point);
  EXPECT_EQ(distinct.size(), visited.size()) << "each is tried once";
  EXPECT_GT(best_of(search_locally(space, {.most_points = 400, .n_starts = 400, .seed = 3}, distances)), 0)
      << "random points alone do not find it";
}

TEST(LocalSearch, RepeatsWithItsSeed) {
  const Space space = large_space();
  const auto points = [&](std::uint64_t seed) {
    std::vector<Point> all;
    for (const Visited& one : search_locally(space, {.most_points = 60, .seed = seed}, distances))
      all.push_back(one.point);
    return all;
  };
  EXPECT_EQ(points(5), points(5));
  EXPECT_NE(points(5), points(6));
}

TEST(LocalSearch, TriesEveryPointOfASmallSpace) {
  const Space space = parse_space({"A=1,2,4", "B=x,y,z"}, "A < 4", {});
  EXPECT_EQ(search_locally(space, {.most_points = 100, .n_starts = 2}, distances).size(), 6u);
  const auto wrong = [](const std::vector<Point>& points) {
    return std::vector<double>(points.size(), std::numeric_limits<double>::infinity());
  };
  EXPECT_EQ(search_locally(space, {.most_points = 100, .n_starts = 2}, wrong).size(), 6u) << "although none is right";
  EXPECT_EQ(search_locally(space, {.most_points = 4, .n_starts = 3}, wrong).size(), 4u);
}

TEST(LocalSearch, EndsWhereTheConditionLeavesFewOfMany) {
  const Space space = large_space("A + B + C + D == 4");  // one of 256
  EXPECT_EQ(search_locally(space, {.most_points = 4, .n_starts = 2}, distances).size(), 4u);
  lab::expect_error(ErrorCode::bad_argument, "allows none",
                    [] { search_locally(large_space("A > 8"), {.most_points = 4, .n_starts = 2}, distances); });
}

TEST(LocalSearch, NeighboursDifferInOneParameter) {
  const Space space = parse_space({"A=1,2,4,8", "B=x,y,z"}, "A < 8", {});
  std::set<std::string> names;
  for (const Point& point : neighbours_of(space, {2, 0})) names.insert(name_of(space, point));
  EXPECT_EQ(names, (std::set<std::string>{"A=2 B=x", "A=4 B=y", "A=4 B=z"}));
}

}  // namespace
}  // namespace rafter::tune

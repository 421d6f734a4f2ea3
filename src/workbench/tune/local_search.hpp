// A greedy search among neighbours for spaces that are too large to be tried as a whole.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "workbench/tune/space.hpp"

namespace rafter::tune {

struct LocalOptions {
  std::size_t most_points = 1000;  ///< The search ends after that many.
  std::size_t n_starts = 8;        ///< Random points that are tried before each descent.
  std::uint64_t seed = 1;
};

/// Returns a value for each point: the smaller the better, infinity for a combination that is not right.
using Evaluate = std::function<std::vector<double>(const std::vector<Point>& points)>;

struct Visited {
  Point point{};
  double value = 0;
};

/// Tries random points, goes from the best of them to its best neighbour until none is better, and starts again with
/// new random points. Neighbours differ in one parameter: by one step if its values are numbers, else in any way.
/// Returns the points in the order in which they were tried, each once. Ends when the space is exhausted, too. Throws
/// Error (bad_argument) if the condition allows no point.
std::vector<Visited> search_locally(const Space& space, const LocalOptions& options, const Evaluate& evaluate);

/// The neighbours of a point that the condition allows.
std::vector<Point> neighbours_of(const Space& space, const Point& point);

}  // namespace rafter::tune

#include "workbench/tune/local_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>

#include "rafter/error.hpp"

namespace rafter::tune {

namespace {

bool has_only_numbers(const Dimension& dimension) {
  return std::all_of(dimension.values.begin(), dimension.values.end(), [](const std::string& value) {
    char* end = nullptr;
    std::strtod(value.c_str(), &end);
    return end != value.c_str() && *end == '\0';
  });
}

/// The search's memory: what was tried, and what is left of the budget.
class Search {
 public:
  Search(const Space& space, const LocalOptions& options, const Evaluate& evaluate)
      : space_(space), options_(options), evaluate_(evaluate), random_(options.seed) {}

  bool is_over() const { return visited_.size() >= options_.most_points; }
  std::vector<Visited> take_visited() { return std::move(visited_); }

  /// Tries those of the points that are new, as far as the budget goes. Returns the best of all of them.
  const Visited* try_points(const std::vector<Point>& points) {
    std::vector<Point> fresh;
    for (const Point& point : points) {
      if (visited_.size() + fresh.size() == options_.most_points) break;
      if (!index_.contains(point) && std::find(fresh.begin(), fresh.end(), point) == fresh.end())
        fresh.push_back(point);
    }
    const std::vector<double> values = fresh.empty() ? std::vector<double>{} : evaluate_(fresh);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      index_[fresh[i]] = visited_.size();
      visited_.push_back({fresh[i], values[i]});
    }
    const Visited* best = nullptr;
    for (const Point& point : points) {
      const auto known = index_.find(point);
      if (known == index_.end()) continue;
      const Visited& one = visited_[known->second];
      if (best == nullptr || one.value < best->value) best = &one;
    }
    return best;
  }

  /// Random points that were not tried; none if there are no more.
  std::vector<Point> starts() {
    std::vector<Point> found;
    // A sample of everything known and the points wanted holds enough new ones, if the space does.
    for (std::size_t wanted = options_.n_starts + visited_.size(); found.empty(); wanted *= 2) {
      const Points drawn = draw(wanted);
      for (const Point& point : drawn.points) {
        if (!index_.contains(point)) found.push_back(point);
      }
      if (!drawn.is_sample || drawn.points.size() < wanted) break;
    }
    std::shuffle(found.begin(), found.end(), random_);
    if (found.size() > options_.n_starts) found.resize(options_.n_starts);
    return found;
  }

 private:
  /// A condition that is rarely satisfied may have no other point than those that were tried.
  Points draw(std::size_t n) {
    try {
      return points_of(space_, n, random_());
    } catch (const Error&) {
      if (visited_.empty()) throw;
      return {};
    }
  }

  const Space& space_;
  const LocalOptions& options_;
  const Evaluate& evaluate_;
  std::mt19937_64 random_;
  std::vector<Visited> visited_{};
  std::map<Point, std::size_t> index_{};
};

}  // namespace

std::vector<Point> neighbours_of(const Space& space, const Point& point) {
  std::vector<Point> neighbours;
  for (std::size_t d = 0; d < point.size(); ++d) {
    const bool is_ordered = has_only_numbers(space.dimensions[d]);
    for (std::size_t value = 0; value < space.dimensions[d].values.size(); ++value) {
      const std::size_t distance = value > point[d] ? value - point[d] : point[d] - value;
      if (distance == 0 || (is_ordered && distance > 1)) continue;
      Point neighbour = point;
      neighbour[d] = value;
      if (is_allowed(space, neighbour)) neighbours.push_back(std::move(neighbour));
    }
  }
  return neighbours;
}

std::vector<Visited> search_locally(const Space& space, const LocalOptions& options, const Evaluate& evaluate) {
  Search search(space, options, evaluate);
  while (!search.is_over()) {
    const std::vector<Point> starts = search.starts();
    const Visited* found = search.try_points(starts);
    if (found == nullptr) break;
    Visited here = *found;
    while (here.value < std::numeric_limits<double>::infinity()) {
      const Visited* best = search.try_points(neighbours_of(space, here.point));
      if (best == nullptr || !(best->value < here.value)) break;
      here = *best;
    }
  }
  return search.take_visited();
}

}  // namespace rafter::tune

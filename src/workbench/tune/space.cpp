#include "workbench/tune/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include "rafter/error.hpp"

namespace rafter::tune {

namespace {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::bad_argument, fmt::format(text, std::forward<Args>(args)...));
}

/// The point with an index in lexicographic order.
Point point_at(const Space& space, std::uint64_t index) {
  Point point(space.dimensions.size());
  for (std::size_t d = point.size(); d-- > 0;) {
    const std::size_t n = space.dimensions[d].values.size();
    point[d] = static_cast<std::size_t>(index % n);
    index /= n;
  }
  return point;
}

}  // namespace

Space parse_space(const std::vector<std::string>& parameters, const std::string& where, const base::Names& sizes) {
  Space space{.sizes = sizes};
  if (!where.empty()) space.where.emplace(where);
  for (const std::string& text : parameters) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      refuse("--param {}: expected NAME=VALUE,VALUE,..., such as TILE=16,32,64", text);
    Dimension dimension{.name = text.substr(0, equals)};
    std::string rest = text.substr(equals + 1) + ",";
    for (std::size_t end; (end = rest.find(',')) != std::string::npos; rest.erase(0, end + 1)) {
      const std::string value = rest.substr(0, end);
      if (value.empty()) refuse("--param {}: an empty value", text);
      if (std::find(dimension.values.begin(), dimension.values.end(), value) != dimension.values.end())
        refuse("--param {}: {} is given twice", text, value);
      dimension.values.push_back(value);
    }
    if (sizes.contains(dimension.name)) refuse("{} is given by --param and by --set", dimension.name);
    for (const Dimension& other : space.dimensions) {
      if (other.name == dimension.name) refuse("--param {} was given twice", dimension.name);
    }
    space.dimensions.push_back(std::move(dimension));
  }
  if (space.dimensions.empty()) refuse("nothing to tune: --param NAME=VALUE,VALUE,... for each macro of the source");
  return space;
}

double size_of(const Space& space) {
  double n = 1;
  for (const Dimension& dimension : space.dimensions) n *= static_cast<double>(dimension.values.size());
  return n;
}

bool is_allowed(const Space& space, const Point& point) {
  if (!space.where) return true;
  base::Names names = names_of(space, point);
  names.insert(space.sizes.begin(), space.sizes.end());
  return space.where->evaluate(names) != 0;
}

Points points_of(const Space& space, std::size_t most, std::uint64_t seed) {
  constexpr double most_enumerated = 2e6;
  Points result{.n_combinations = size_of(space)};
  std::mt19937_64 random(seed);
  if (result.n_combinations <= most_enumerated) {
    const auto n = static_cast<std::uint64_t>(result.n_combinations);
    for (std::uint64_t index = 0; index < n; ++index) {
      const Point point = point_at(space, index);
      if (is_allowed(space, point)) result.points.push_back(point);
    }
    if (result.points.size() > most) {
      std::vector<Point> drawn;
      std::sample(result.points.begin(), result.points.end(), std::back_inserter(drawn), most, random);
      result.points = drawn;
      result.is_sample = true;
    }
  } else {
    std::set<Point> drawn;
    const auto n = static_cast<std::uint64_t>(std::min(result.n_combinations, 1e18));
    for (std::size_t tries = 0; tries < 1000 * most && drawn.size() < most; ++tries) {
      const Point point = point_at(space, random() % n);
      if (is_allowed(space, point)) drawn.insert(point);
    }
    result.points.assign(drawn.begin(), drawn.end());
    result.is_sample = true;
  }
  if (result.points.empty())
    refuse("--where '{}' allows none of the {:g} combinations", space.where->text(), result.n_combinations);
  return result;
}

std::string name_of(const Space& space, const Point& point) {
  std::string text;
  for (std::size_t d = 0; d < point.size(); ++d)
    text += fmt::format("{}{}={}", d > 0 ? " " : "", space.dimensions[d].name, space.dimensions[d].values[point[d]]);
  return text;
}

base::Names names_of(const Space& space, const Point& point) {
  base::Names names;
  for (std::size_t d = 0; d < point.size(); ++d) {
    const std::string& value = space.dimensions[d].values[point[d]];
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    if (end != value.c_str() && *end == '\0') names[space.dimensions[d].name] = number;
  }
  return names;
}

std::vector<std::string> macros_of(const Space& space, const Point& point) {
  std::vector<std::string> macros;
  for (std::size_t d = 0; d < point.size(); ++d)
    macros.push_back(fmt::format("-D{}={}", space.dimensions[d].name, space.dimensions[d].values[point[d]]));
  return macros;
}

}  // namespace rafter::tune

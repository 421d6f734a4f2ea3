// The space of parameters to search: every combination of values that the condition allows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/expression.hpp"

namespace rafter::tune {

/// One parameter: a macro of the source, and the values to try.
struct Dimension {
  std::string name;
  std::vector<std::string> values{};  ///< as the macro has them; numbers may stand in expressions
};

/// One value for each dimension.
using Point = std::vector<std::size_t>;

struct Space {
  std::vector<Dimension> dimensions{};
  std::string where{};  ///< empty: all
};

/// From NAME=VALUE,VALUE,... as they were typed. Throws Error (bad_argument): no values, one twice, a name twice.
Space make_space(const std::vector<std::string>& parameters, const std::string& where);

/// How many combinations there are, whether or not the condition allows them.
double size_of(const Space& space);

struct Points {
  std::vector<Point> points{};
  double n_combinations = 0;  ///< that there are
  bool is_sample = false;     ///< there were too many: these were drawn
};

/// Those that the condition allows, all of them or `most` drawn with the seed. Throws Error (bad_argument) where it
/// allows none, or names what is no parameter.
Points points_of(const Space& space, std::size_t most, std::uint64_t seed);

/// "TILE=16 UNROLL=2"
std::string name_of(const Space& space, const Point& point);
/// Values that are numbers, by name.
base::Names names_of(const Space& space, const Point& point);
/// -DTILE=16, ...
std::vector<std::string> macros_of(const Space& space, const Point& point);

}  // namespace rafter::tune

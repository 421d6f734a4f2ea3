// The parameter space of a search: all combinations of values that satisfy a condition.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/expression.hpp"

namespace rafter::tune {

/// A macro of the source and the values to try.
struct Dimension {
  std::string name;
  std::vector<std::string> values{};  ///< Texts for the macro; numbers are also names in expressions.
};

/// The index of a value for each dimension.
using Point = std::vector<std::size_t>;

struct Space {
  std::vector<Dimension> dimensions{};
  std::optional<base::Expression> where{};  ///< Nothing: all combinations.
  base::Names sizes{};                      ///< Names that the condition may use, too.
};

/// Parses NAME=VALUE,VALUE,... and a condition. Throws Error (bad_argument) for an empty list, for a repeated name or
/// value, and for a parameter that is called like a size.
Space parse_space(const std::vector<std::string>& parameters, const std::string& where, const base::Names& sizes);

/// The number of combinations, including those that the condition excludes.
double size_of(const Space& space);

/// Whether the condition allows a point. Throws Error (bad_argument) if it uses an unknown name.
bool is_allowed(const Space& space, const Point& point);

struct Points {
  std::vector<Point> points{};
  double n_combinations = 0;  ///< In the whole space.
  bool is_sample = false;     ///< The points are a random sample.
};

/// Returns the points that satisfy the condition, at most `most`; of more it draws a sample with the seed. Throws Error
/// (bad_argument) if no point satisfies the condition or it uses an unknown name.
Points points_of(const Space& space, std::size_t most, std::uint64_t seed);

/// The name of a point, "TILE=16 UNROLL=2".
std::string name_of(const Space& space, const Point& point);
/// The numeric values of a point by name.
base::Names names_of(const Space& space, const Point& point);
/// The compiler options of a point, -DTILE=16 and so on.
std::vector<std::string> macros_of(const Space& space, const Point& point);

}  // namespace rafter::tune

// Arithmetic expressions on the command line: "n/256", "ceil(n/256)", "TILE*UNROLL <= 128".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::base {

/// The values of names.
using Names = std::map<std::string, double, std::less<>>;

/// Evaluates an expression of numbers (12, 1e8, 0.5), names, + - * / % ^ (power), ( ), < <= > >= == !=, ! && ||, and
/// ceil, floor, sqrt, log2, abs, min, max. Division is not rounded. A comparison is 1 or 0. Throws Error (bad_argument)
/// with the position of a syntax error, with similar names for an unknown one, and for results that are not finite,
/// such as 1/0.
double evaluate(std::string_view expression, const Names& names);

/// Evaluates to an integer. Throws Error (bad_argument) for a fraction; the message suggests how to round.
std::int64_t evaluate_integer(std::string_view expression, const Names& names);

/// Splits a list of expressions, "ceil(n/4), min(a, b)"; commas within parentheses do not separate.
std::vector<std::string> split_list(std::string_view list);

/// Returns the names an expression uses, each once, in order.
std::vector<std::string> names_in(std::string_view expression);

}  // namespace rafter::base

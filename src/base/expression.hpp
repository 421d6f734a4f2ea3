// Arithmetic as people type it where a number is expected: "n/256", "ceil(n/256)", "TILE*UNROLL <= 128".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::base {

/// The numbers that names stand for.
using Names = std::map<std::string, double, std::less<>>;

/// Numbers (12, 1e8, 0.5), names, + - * / % ^ (power), ( ), < <= > >= == !=, ! && ||, and ceil, floor, sqrt, log2, abs,
/// min, max. Division is not rounded. A comparison is 1 or 0. Throws Error (bad_argument) with the place of a mistake,
/// the near names of an unknown one, and for whatever is no number, as 1/0.
double evaluate(std::string_view expression, const Names& names);

/// The same where a whole number is meant; a fraction is an error that says how to round.
std::int64_t evaluate_whole(std::string_view expression, const Names& names);

/// The expressions of a list, "ceil(n/4), min(a, b)": commas within parentheses do not separate.
std::vector<std::string> split_list(std::string_view list);

/// The names an expression uses, each once, in order.
std::vector<std::string> names_in(std::string_view expression);

}  // namespace rafter::base

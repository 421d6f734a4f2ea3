// Arithmetic expressions as users type them where a number is expected: "n/256", "ceil(n/256)", "TILE*UNROLL <= 128".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::base {

/// The values of names in expressions.
using Names = std::map<std::string, double, std::less<>>;

/// A parsed expression: numbers (12, 1e8, 0.5), names, + - * / % ^ (power), ( ), < <= > >= == !=, ! && ||, also written
/// not and or, and ceil, floor, sqrt, exp, log, log2, sin, cos, tanh, abs, min, max. Division does not round. A
/// comparison is 1 or 0.
class Expression {
 public:
  /// Parses the text. Throws Error (bad_argument) with the position of a syntax error, or with similar names for an
  /// unknown function.
  explicit Expression(std::string_view text);

  const std::string& text() const { return text_; }
  /// The names that the expression uses, each once, in order of appearance.
  const std::vector<std::string>& names() const { return names_; }

  /// Throws Error (bad_argument) for a name without a value and for a result that is not finite, such as 1/0.
  double evaluate(const Names& values) const;
  /// Evaluates for many values at once: `values` has those of each of names(), one or as many as `results`. Results may
  /// be infinite or NaN.
  void evaluate_many(std::span<const std::span<const double>> values, std::span<double> results) const;
  /// Evaluates to an integer. Throws Error (bad_argument) for a fraction and says how to round it.
  std::int64_t evaluate_integer(const Names& values) const;

 private:
  /// One step in postfix order: pushes a constant or a named value, or replaces the top values by a function of them.
  struct Step {
    double constant = 0;
    std::size_t name = 0;  ///< Index into names_, if n_arguments is named.
    int n_arguments = 0;   ///< Values taken from the stack; 0 for a constant.
    double (*apply)(const double* arguments) = nullptr;
  };
  static constexpr int named = -1;
  class Parser;

  std::string text_;
  std::vector<std::string> names_{};
  std::vector<Step> steps_{};
};

/// Parses and evaluates an expression that is used once.
double evaluate(std::string_view expression, const Names& values);
std::int64_t evaluate_integer(std::string_view expression, const Names& values);

/// Splits a list of expressions, "ceil(n/4), min(a, b)", at the commas outside parentheses.
std::vector<std::string> split_list(std::string_view list);

}  // namespace rafter::base

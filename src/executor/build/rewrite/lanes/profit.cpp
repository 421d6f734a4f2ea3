#include "executor/build/rewrite/lanes/profit.hpp"

#include <algorithm>

#include "executor/build/rewrite/lanes/expression_text.hpp"
#include "executor/build/rewrite/lanes/expressions.hpp"
#include "executor/build/rewrite/lanes/uniformity.hpp"

namespace rafter::simt::build::lanes {

namespace {

/// An unknown type is assumed to be floating-point.
bool is_floating(std::string_view type) {
  const auto names = [&](std::string_view word) { return type.find(word) != type.npos; };
  return !names("int") && !names("unsigned") && !names("long") && type != "size_t" && type != "bool";
}

class Profit {
 public:
  explicit Profit(const Callees& callees) : callees_(callees) {}

  bool of(const Statement& statement, bool in_loop) {
    const bool is_loop = statement.kind == StatementKind::loop || statement.kind == StatementKind::loop_once;
    const bool inside = in_loop || is_loop;
    for (const Declared& declared : statement.declared) {
      if (declared.value && inside && is_slow(*declared.value)) return false;
      note_linear(declared);
    }
    // A loop's start runs once, and its variables are known in the condition.
    if (is_loop && statement.parts.size() == 2 && !of(*statement.parts[0], in_loop)) return false;
    if (statement.condition && inside && is_slow(*statement.condition)) return false;
    for (const Assignment& assignment : statement.assignments) {
      if (inside && (is_slow(*assignment.target) || (assignment.value && is_slow(*assignment.value)))) return false;
    }
    const std::size_t first = is_loop && statement.parts.size() == 2 ? 1 : 0;
    return std::all_of(statement.parts.begin() + static_cast<std::ptrdiff_t>(first), statement.parts.end(),
                       [&](const StatementPtr& part) { return of(*part, inside); });
  }

 private:
  /// Follows the linear types of rafter_simt/lanes/.
  static void note_linear(const Declared& declared) {
    Variable& variable = *declared.variable;
    const bool keeps_form = variable.n_assignments == 0 || variable.counts_loop;
    const bool is_wide = variable.type.find("long") != std::string::npos ||
                         variable.type.find("64") != std::string::npos || variable.type == "size_t";
    variable.is_linear =
        keeps_form && declared.value && !is_floating(variable.type) && !is_wide && is_linear(*declared.value);
  }

  static bool is_linear(const Expression& expression) {
    if (expression.kind == ExpressionKind::thread_index) return true;
    if (expression.variable) return expression.variable->is_linear;
    const auto& parts = expression.parts;
    if (expression.kind == ExpressionKind::cast) return !is_floating(expression.text) && is_linear(*parts[0]);
    if (expression.kind != ExpressionKind::binary) return false;
    if (expression.text == "+" && !varies(*parts[0])) return is_linear(*parts[1]);
    return (expression.text == "+" || expression.text == "-") && is_linear(*parts[0]) && !varies(*parts[1]);
  }

  /// Whether the text shows that an expression is an integer; an unknown type is assumed to be floating-point.
  static bool is_integer(const Expression& expression) {
    switch (expression.kind) {
      case ExpressionKind::thread_index: return true;
      case ExpressionKind::literal: return expression.text != "real";
      case ExpressionKind::name: return expression.variable && !is_floating(expression.variable->type);
      case ExpressionKind::cast: return !is_floating(expression.text);
      case ExpressionKind::subscript: return is_integer(*expression.parts[0]);
      case ExpressionKind::conditional: return is_integer(*expression.parts[1]) && is_integer(*expression.parts[2]);
      case ExpressionKind::unary:
      case ExpressionKind::binary:
        return std::all_of(expression.parts.begin(), expression.parts.end(),
                           [](const ExpressionPtr& part) { return is_integer(*part); });
      default: return false;
    }
  }

  /// Whether lanes access consecutive elements.
  static bool is_row(const Expression& subscript) {
    const Variable* array = subscript.parts[0]->variable;
    return is_linear(*subscript.parts[1]) && !(array && is_vector(array->type));
  }

  bool is_slow(const Expression& expression) const {
    if (!varies(expression)) return false;
    if (expression.kind == ExpressionKind::subscript && !is_row(expression)) return true;
    if (expression.kind == ExpressionKind::member && element_of(expression).subscript) return true;
    if (expression.kind == ExpressionKind::call && callees_.has(expression.text)) return true;
    const bool divides =
        expression.kind == ExpressionKind::binary && (expression.text == "/" || expression.text == "%");
    if (divides && is_integer(expression) && expression.parts[1]->kind != ExpressionKind::literal) return true;
    return std::any_of(expression.parts.begin(), expression.parts.end(),
                       [&](const ExpressionPtr& part) { return is_slow(*part); });
  }

  const Callees& callees_;
};

}  // namespace

bool is_worthwhile(Body& body, const Callees& callees) { return Profit(callees).of(*body.block, false); }

}  // namespace rafter::simt::build::lanes

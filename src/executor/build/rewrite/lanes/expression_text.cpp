#include "executor/build/rewrite/lanes/expression_text.hpp"

#include <algorithm>

#include "executor/build/rewrite/lanes/expressions.hpp"
#include "executor/build/rewrite/lanes/uniformity.hpp"

namespace rafter::simt::build::lanes {

Element element_of(const Expression& expression) {
  std::string path;
  const Expression* at = &expression;
  for (; at->kind == ExpressionKind::member; at = at->parts[0].get()) path = "." + at->text + path;
  if (at->kind != ExpressionKind::subscript) return {};
  if (path.empty()) return {at, ""};
  return {at, ", [](auto& rafter_simt_e) -> auto& { return rafter_simt_e" + path + "; }"};
}

std::string ExpressionText::of(const Expression& expression, const std::string& mask) {
  if (!varies(expression)) return uniform(expression, mask);
  if (const Element element = element_of(expression); element.subscript) {
    return "rafter_lanes::load(" + mask + ", " + of(*element.subscript->parts[0], mask) + ", " +
           of(*element.subscript->parts[1], mask) + element.part + ")";
  }
  switch (expression.kind) {
    case ExpressionKind::thread_index: return "threadIdx.x";
    case ExpressionKind::name: return expression.text;
    case ExpressionKind::unary: return "(" + expression.text + of(*expression.parts[0], mask) + ")";
    case ExpressionKind::binary: return binary(expression, mask);
    case ExpressionKind::conditional: return conditional(expression, mask);
    case ExpressionKind::member: return of(*expression.parts[0], mask) + "." + expression.text;
    case ExpressionKind::cast:
      return "rafter_lanes::to<" + expression.text + ">(" + of(*expression.parts[0], mask) + ")";
    case ExpressionKind::call: return call(expression, mask);
    default: throw Unknown();
  }
}

/// Returns the source text of an expression that has one value for all lanes.
std::string ExpressionText::uniform(const Expression& expression, const std::string& mask) {
  const auto part = [&](std::size_t i) { return uniform(*expression.parts[i], mask); };
  switch (expression.kind) {
    case ExpressionKind::literal: return pass_.tokens.flat(expression.first, expression.last);
    case ExpressionKind::name: return expression.text;
    case ExpressionKind::unary: return "(" + expression.text + part(0) + ")";
    case ExpressionKind::binary: {
      const std::string& op = expression.text;
      if (op == "<<" || op == ">>") return binary(op, part(0), part(1), mask);
      return "(" + part(0) + " " + op + " " + part(1) + ")";
    }
    case ExpressionKind::conditional: return "(" + part(0) + " ? " + part(1) + " : " + part(2) + ")";
    case ExpressionKind::subscript: return part(0) + "[" + part(1) + "]";
    case ExpressionKind::member: return part(0) + "." + expression.text;
    case ExpressionKind::cast: return "static_cast<" + expression.text + ">(" + part(0) + ")";
    case ExpressionKind::call: {
      std::string text = function_of(expression) + "(";
      for (std::size_t i = 0; i < expression.parts.size(); ++i) text += (i > 0 ? ", " : "") + part(i);
      return text + ")";
    }
    default: throw Unknown();
  }
}

std::string ExpressionText::binary(const std::string& op, const std::string& a, const std::string& b,
                                   const std::string& mask) {
  if (op == "/") return "rafter_lanes::divide(" + mask + ", " + a + ", " + b + ")";
  if (op == "%") return "rafter_lanes::remainder(" + mask + ", " + a + ", " + b + ")";
  if (op == "<<") return "rafter_lanes::shift_left(" + a + ", " + b + ")";
  if (op == ">>") return "rafter_lanes::shift_right(" + a + ", " + b + ")";
  return "(" + a + " " + op + " " + b + ")";
}

std::string ExpressionText::binary(const Expression& expression, const std::string& mask) {
  const std::string& op = expression.text;
  const Expression &left = *expression.parts[0], &right = *expression.parts[1];
  if (op != "&&" && op != "||") return binary(op, of(left, mask), of(right, mask), mask);
  if (needs_mask(right)) {
    return (op == "&&" ? "rafter_lanes::and_then(" : "rafter_lanes::or_else(") + mask + ", " + of(left, mask) + ", " +
           deferred(right) + ")";
  }
  return "(rafter_lanes::to_mask(" + of(left, mask) + ") " + op[0] + " rafter_lanes::to_mask(" + of(right, mask) + "))";
}

std::string ExpressionText::conditional(const Expression& expression, const std::string& mask) {
  const Expression &condition = *expression.parts[0], &then = *expression.parts[1], &otherwise = *expression.parts[2];
  const bool may_evaluate_all = varies(condition) && !needs_mask(then) && !needs_mask(otherwise);
  if (may_evaluate_all) {
    return "rafter_lanes::blend(" + of(condition, mask) + ", " + of(then, mask) + ", " + of(otherwise, mask) + ")";
  }
  return "rafter_lanes::choose(" + mask + ", " + of(condition, mask) + ", " + deferred(then) + ", " +
         deferred(otherwise) + ")";
}

std::string ExpressionText::deferred(const Expression& expression) {
  const std::string mask = "rafter_simt_needed" + std::to_string(n_masks_++);
  return "[&](const rafter_lanes::Mask& " + mask + ") RAFTER_SIMT_LAMBDA { return " + of(expression, mask) + "; }";
}

bool ExpressionText::needs_mask(const Expression& expression) const {
  const bool calls = expression.kind == ExpressionKind::call &&
                     (pass_.options.callees.has(expression.text) || expression.text.starts_with("__ld"));
  const bool divides = expression.kind == ExpressionKind::binary &&
                       (expression.text == "/" || expression.text == "%") &&
                       expression.parts[1]->kind != ExpressionKind::literal;
  if (calls || divides || expression.kind == ExpressionKind::subscript) return true;
  return std::any_of(expression.parts.begin(), expression.parts.end(),
                     [&](const ExpressionPtr& part) { return needs_mask(*part); });
}

/// Returns the function to call; expf and logf are replaced (rafter_simt/numbers/lane_math.hpp) unless the program
/// defines its own.
std::string ExpressionText::function_of(const Expression& call) const {
  const bool is_replaced = (call.text == "expf" || call.text == "logf") && !pass_.options.callees.has(call.text);
  return (is_replaced ? "::rafter_simt::lane_" : "") + call.text;
}

std::string ExpressionText::call(const Expression& expression, const std::string& mask) {
  std::string arguments;
  for (const ExpressionPtr& part : expression.parts) arguments += ", " + of(*part, mask);
  if (expression.text.starts_with("make_") && is_vector(std::string_view(expression.text).substr(5)))
    return "rafter_lanes::Lanes<" + expression.text.substr(5) + ">{" + arguments.substr(2) + "}";
  const std::string function = "[](const auto&... rafter_simt_a) RAFTER_SIMT_LAMBDA { return " +
                               function_of(expression) + "(rafter_simt_a...); }";
  if (pass_.options.callees.has(expression.text))
    return "rafter_lanes::each_active(" + mask + ", " + function + arguments + ")";
  return "rafter_lanes::each(" + function + arguments + ")";
}

}  // namespace rafter::simt::build::lanes

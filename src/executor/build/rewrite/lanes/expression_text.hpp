// Emits expressions for the lanes of a vector.
#pragma once

#include <string>

#include "executor/build/rewrite/lanes/syntax.hpp"
#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build::lanes {

/// An element of an array, or a part of one: `bodies[i].position.x`.
struct Element {
  const Expression* subscript = nullptr;  // nullptr if the expression is not an element
  // a function that selects the part of the element; empty for the whole element
  std::string part;
};
Element element_of(const Expression& expression);

class ExpressionText {
 public:
  explicit ExpressionText(const Pass& pass) : pass_(pass) {}

  /// Returns the expression's value in the lanes of `mask`, the name of a mask variable.
  std::string of(const Expression& expression, const std::string& mask);
  /// Returns `a op b` for two such texts.
  static std::string binary(const std::string& op, const std::string& a, const std::string& b, const std::string& mask);

 private:
  std::string uniform(const Expression& expression, const std::string& mask);
  std::string binary(const Expression& expression, const std::string& mask);
  std::string conditional(const Expression& expression, const std::string& mask);
  std::string call(const Expression& expression, const std::string& mask);
  std::string function_of(const Expression& call) const;
  /// Returns a lambda that takes the mask of the lanes that need the value.
  std::string deferred(const Expression& expression);
  /// Whether the expression may be evaluated only for active lanes: it reads memory, divides, or calls a function of
  /// the program.
  bool needs_mask(const Expression& expression) const;

  const Pass& pass_;
  int n_masks_ = 0;
};

}  // namespace rafter::simt::build::lanes

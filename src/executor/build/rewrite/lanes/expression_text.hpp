// Expressions for lanes.
#pragma once

#include <string>

#include "executor/build/rewrite/lanes/syntax.hpp"
#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build::lanes {

/// An element of an array, or a part of one: `bodies[i].position.x`.
struct Element {
  const Expression* subscript = nullptr;  // or nothing: it is none
  std::string part;                       // a function that names it in the element, or nothing for all of it
};
Element element_of(const Expression& expression);

class ExpressionText {
 public:
  explicit ExpressionText(const Pass& pass) : pass_(pass) {}

  /// Its value in the lanes of a mask, which is a variable's name.
  std::string of(const Expression& expression, const std::string& mask);
  /// `a op b` of such texts.
  static std::string binary(const std::string& op, const std::string& a, const std::string& b, const std::string& mask);

 private:
  std::string uniform(const Expression& expression, const std::string& mask);
  std::string binary(const Expression& expression, const std::string& mask);
  std::string conditional(const Expression& expression, const std::string& mask);
  std::string call(const Expression& expression, const std::string& mask);
  std::string function_of(const Expression& call) const;
  /// A function of the mask of those lanes that ask for the value.
  std::string asked_by_some(const Expression& expression);
  /// Whether it may be asked only for lanes at work: it reads memory, divides, or calls a function of the program.
  bool is_hazard(const Expression& expression) const;

  const Pass& pass_;
  int n_masks_ = 0;
};

}  // namespace rafter::simt::build::lanes

// The syntax tree of a kernel's body, restricted to the plain C constructs that can be vectorised.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace rafter::simt::build::lanes {

/// A parameter or a variable.
struct Variable {
  std::string name;
  std::string type;  // without const; `auto` if the source says so
  bool is_pointer = false;
  bool is_parameter = false;
  bool counts_loop = false;  // declared in a `for` and changed only by its step, by += or -=
  int n_assignments = 0;     // after its declaration
  bool is_varying = false;   // lanes may differ
  bool is_linear = false;    // the value grows by one from lane to lane
  int depth = 0;             // number of varying conditions around its declaration
};

enum class ExpressionKind { literal, name, thread_index, unary, binary, conditional, subscript, member, call, cast };

struct Expression {
  ExpressionKind kind;
  int first, last;   // tokens
  std::string text;  // an operator, the name of a member, function or type; `real` for a floating-point literal
  std::vector<std::unique_ptr<Expression>> parts;  // operands; array and index; arguments
  Variable* variable = nullptr;                    // of a name, if the kernel declares it
};
using ExpressionPtr = std::unique_ptr<Expression>;

/// `target op value`, where op is =, +=, ...; `++target` is `target += 1` without a value.
struct Assignment {
  ExpressionPtr target, value;
  std::string op;
};

struct Declared {
  Variable* variable = nullptr;
  ExpressionPtr value;  // nullptr if there is none
};

enum class StatementKind {
  block,
  declaration,
  assignments,  // one or several, separated by commas
  condition,    // if
  loop,         // for, while
  loop_once,    // do
  break_,
  continue_,
  return_,
};

struct Statement {
  StatementKind kind;
  int line = 0;
  std::vector<std::unique_ptr<Statement>> parts;  // of a block; then and else; a loop's start, if it has one, and body
  ExpressionPtr condition;
  std::vector<Declared> declared;
  std::vector<Assignment> assignments;  // of a statement, or of a loop's step
  bool is_guard = false;                // a condition that all lanes or no lane fulfils (`if (i >= n) return;`)
  bool is_varying = false;  // a condition, or a loop that lanes leave at different times; a return of some lanes
};
using StatementPtr = std::unique_ptr<Statement>;

struct Body {
  StatementPtr block;
  std::vector<std::unique_ptr<Variable>> variables;
};

}  // namespace rafter::simt::build::lanes

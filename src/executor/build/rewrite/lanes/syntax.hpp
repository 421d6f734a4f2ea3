// A kernel's body as statements and expressions, as far as kernels are written in plain C: what the lanes of a vector
// can do together.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace rafter::simt::build::lanes {

/// A parameter or a variable.
struct Variable {
  std::string name;
  std::string type;  // without const; `auto` where nobody says it
  bool is_pointer = false;
  bool is_parameter = false;
  bool counts_loop = false;  // declared in a `for`, and changed by nothing but its step, by a sum
  int n_assignments = 0;     // after its declaration
  bool is_varying = false;   // lanes may differ
  bool is_linear = false;    // each lane has one more than the lane before
  int depth = 0;             // conditions around its declaration that not all lanes fulfil
};

enum class ExpressionKind { literal, name, thread_index, unary, binary, conditional, subscript, member, call, cast };

struct Expression {
  ExpressionKind kind;
  int first, last;   // tokens
  std::string text;  // an operator, the name of a member, function or type; `real` for a literal of that kind
  std::vector<std::unique_ptr<Expression>> parts;  // operands; what is indexed and the index; arguments
  Variable* variable = nullptr;                    // of a name, if it is one of the kernel's
};
using ExpressionPtr = std::unique_ptr<Expression>;

/// `target op value`, where op is =, +=, ...; `++target` is `target += 1`, with no value.
struct Assignment {
  ExpressionPtr target, value;
  std::string op;
};

struct Declared {
  Variable* variable = nullptr;
  ExpressionPtr value;  // or nothing
};

enum class StatementKind {
  block,
  declaration,
  assignments,  // one or several, between commas
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
  bool is_guard = false;                // a condition that all lanes fulfil, or none does (`if (i >= n) return;`)
  bool is_varying = false;  // a condition, or a loop that lanes leave at different times; a return for some of them
};
using StatementPtr = std::unique_ptr<Statement>;

struct Body {
  StatementPtr block;
  std::vector<std::unique_ptr<Variable>> variables;
};

}  // namespace rafter::simt::build::lanes

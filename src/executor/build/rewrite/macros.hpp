// The macros that a project defines, as far as the rewriter needs them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "executor/build/rewrite/lexer.hpp"

namespace rafter::simt::build {

struct Macro {
  bool function_like = false;
  std::vector<std::string> parameters;
  std::string variadic;  // __VA_ARGS__, or the name before `...`; empty if not variadic
  std::vector<std::string> body;
  bool is_atom = false;  // every definition is one operand: a token with an optional sign, or something in parentheses
};

using Macros = std::map<std::string, Macro, std::less<>>;

/// Adds the macros that the #define lines of a text define.
void collect_macros(const Tokens& tokens, Macros& macros);

/// Returns the macro whose #define line contains token `i`; the token must be part of a directive.
Macro enclosing_macro(const Tokens& tokens, int i);

/// Whether the name expands, through any number of macros, to text that contains `word`.
bool expands_to(const Macros& macros, std::string_view name, std::string_view word);

}  // namespace rafter::simt::build

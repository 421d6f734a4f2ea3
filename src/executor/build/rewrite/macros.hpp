// The macros a project defines, as far as rewriting needs to know them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "executor/build/rewrite/lexer.hpp"

namespace rafter::simt::build {

struct Macro {
  bool function_like = false;
  std::vector<std::string> parameters;
  std::string variadic;  // __VA_ARGS__, or the name before `...`; empty when there is none
  std::vector<std::string> body;
};

using Macros = std::map<std::string, Macro, std::less<>>;

/// Adds what the #define lines of a text define.
void collect_macros(const Tokens& tokens, Macros& macros);

/// The macro whose #define line token `i` stands in; the token must be part of a directive.
Macro enclosing_macro(const Tokens& tokens, int i);

/// Whether the name, through however many macros, comes out as something with `word` in it.
bool expands_to(const Macros& macros, std::string_view name, std::string_view word);

}  // namespace rafter::simt::build

#include "executor/build/rewrite/macros.hpp"

#include <algorithm>

namespace rafter::simt::build {

namespace {

bool is_atom(const std::vector<std::string>& body) {
  const std::size_t first = !body.empty() && body[0] == "-" ? 1 : 0;
  if (body.size() == first + 1) return true;
  int depth = 0;
  for (std::size_t i = 0; i < body.size(); ++i) {
    depth += body[i] == "(" ? 1 : body[i] == ")" ? -1 : 0;
    if (depth == 0) return i > 0 && i + 1 == body.size();
  }
  return false;
}

/// Reads the definition whose `#` is at `hash`.
Macro read_define(const Tokens& tokens, int hash) {
  Macro macro;
  int i = hash + 3;  // # define NAME
  const int directive = tokens[hash].directive;
  const auto inside = [&](int at) { return at < tokens.size() && tokens[at].directive == directive; };
  if (inside(i) && tokens.is(i, "(") && tokens[i].begin == tokens[i - 1].end) {
    macro.function_like = true;
    for (++i; inside(i) && !tokens.is(i, ")"); ++i) {
      if (tokens.is(i, "...")) {
        macro.variadic = tokens.is_identifier(i - 1) ? std::string(tokens.text(i - 1)) : "__VA_ARGS__";
      } else if (tokens.is_identifier(i)) {
        macro.parameters.emplace_back(tokens.text(i));
      }
    }
    ++i;
  }
  for (; inside(i); ++i) macro.body.emplace_back(tokens.text(i));
  macro.is_atom = is_atom(macro.body);
  return macro;
}

bool is_define(const Tokens& tokens, int i) {
  return tokens[i].directive != 0 && tokens.is(i, "#") && tokens.is(i + 1, "define") && tokens.is_identifier(i + 2) &&
         (i == 0 || tokens[i - 1].directive != tokens[i].directive);
}

bool expands_to(const Macros& macros, std::string_view name, std::string_view word, int depth) {
  const auto found = macros.find(name);
  if (found == macros.end() || depth > 20) return false;
  return std::any_of(found->second.body.begin(), found->second.body.end(), [&](const std::string& token) {
    return token == word || expands_to(macros, token, word, depth + 1);
  });
}

}  // namespace

void collect_macros(const Tokens& tokens, Macros& macros) {
  for (int i = 0; i < tokens.size(); ++i) {
    if (!is_define(tokens, i)) continue;
    Macro macro = read_define(tokens, i);
    const auto known = macros.find(tokens.text(i + 2));
    if (known != macros.end()) macro.is_atom = macro.is_atom && known->second.is_atom;
    macros[std::string(tokens.text(i + 2))] = std::move(macro);
  }
}

Macro enclosing_macro(const Tokens& tokens, int i) {
  const int directive = tokens[i].directive;
  while (i > 0 && tokens[i - 1].directive == directive) --i;
  return is_define(tokens, i) ? read_define(tokens, i) : Macro{};
}

bool expands_to(const Macros& macros, std::string_view name, std::string_view word) {
  return expands_to(macros, name, word, 0);
}

}  // namespace rafter::simt::build

// Marks variables that a shuffle initialises, and their uses. What a lane gets from a lane that does not take part is
// undefined, but harmless if the lane does not use it:
// //
// int o = __shfl_down_sync(m, v, d); if (lane + d < n) v += o;
// //
// becomes
// //
// int o = (::rafter_simt_shuffles_into(7), __shfl_down_sync(m, v, d)); if (lane + d < n) v += (::rafter_simt::uses(7),
// o);
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {
namespace {

constexpr auto shuffles =
    std::to_array<std::string_view>({"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"});

/// Whether the tokens are a type: names, `::`, `*`, and template arguments.
bool is_type(const Tokens& tokens, int first, int last) {
  bool any = false;
  for (int i = first; i <= last; ++i) {
    if (tokens.is(i, "<")) i = tokens.close_angle(i);
    if (i < 0) return false;
    const bool fits = tokens.is_identifier(i) || tokens.is(i, "::") || tokens.is(i, ">");
    if (!fits || tokens.is(i, "return") || tokens.is(i, "static")) return false;
    any = true;
  }
  return any;
}

/// Returns the `}` that ends the scope of `i`; -1 if it is not found.
int end_of_scope(const Tokens& tokens, int i) {
  for (; i < tokens.size(); ++i) {
    if (tokens.is(i, "}")) return i;
    if (tokens.is(i, "{") || tokens.is(i, "(") || tokens.is(i, "[")) i = tokens.partner(i);
    if (i < 0) return -1;
  }
  return -1;
}

/// Returns the uses of a variable in (first, last); nothing if one of them may be another declaration or a capture.
bool find_uses(const Tokens& tokens, int first, int last, std::string_view name, std::vector<int>& uses) {
  for (int i = first + 1; i < last; ++i) {
    const bool begins_lambda =
        tokens.is(i, "[") && !tokens.is_identifier(i - 1) && !tokens.is(i - 1, "]") && !tokens.is(i - 1, ")");
    if (begins_lambda || tokens[i].directive != 0) return false;
    if (!tokens.is(i, name)) continue;
    const bool is_member = tokens.is(i - 1, ".") || tokens.is(i - 1, "->") || tokens.is(i - 1, "::");
    const bool after_name = tokens.is_identifier(i - 1) && !tokens.is(i - 1, "return") && !tokens.is(i - 1, "else") &&
                            !tokens.is(i - 1, "do") && !tokens.is(i - 1, "case");
    if (after_name || tokens.is(i + 1, "::") || tokens.is(i - 1, ">")) return false;
    if (!is_member) uses.push_back(i);
  }
  return true;
}

}  // namespace

void mark_shuffled_variables(const Pass& pass) {
  if (!pass.options.structures) return;
  const Tokens& tokens = pass.tokens;
  for (int i = 3; i < tokens.size(); ++i) {
    if (!is_among(shuffles, tokens.text(i)) || tokens[i].directive != 0 || !tokens.is(i + 1, "(") ||
        !tokens.is(i - 1, "=") || !tokens.is_identifier(i - 2) || !pass.scopes.of(i).device)
      continue;
    const int close = tokens.partner(i + 1), name = i - 2;
    int type = name - 1;  // the last token before the declaration
    while (type > 0 && (tokens.is_identifier(type) || tokens.is(type, "::") || tokens.is(type, ">"))) {
      if (tokens.is(type, ">")) type = tokens.open_angle(type);
      if (type < 0) break;
      --type;
    }
    const bool is_declaration = type >= 0 && (tokens.is(type, ";") || tokens.is(type, "{") || tokens.is(type, "}")) &&
                                is_type(tokens, type + 1, name - 1);
    if (!is_declaration || close < 0 || !tokens.is(close + 1, ";")) continue;
    const int end = end_of_scope(tokens, close + 2);
    std::vector<int> uses;
    if (end < 0 || !find_uses(tokens, close + 1, end, tokens.text(name), uses)) continue;
    const std::string variable = std::to_string(i);
    pass.insert_before(i, "(::rafter_simt_shuffles_into(" + variable + "), ");
    pass.insert_after(close, ")");
    for (const int use : uses) {
      pass.insert_before(use, "(::rafter_simt::uses(" + variable + "), ");
      pass.insert_after(use, ")");
    }
  }
}

}  // namespace rafter::simt::build

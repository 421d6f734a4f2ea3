// Casts to pointers to types wider than a word, in kernels and in macros. rafter_simt/memory/casts.hpp gives the
// reason.
#include <algorithm>
#include <array>
#include <set>

#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

bool is_vector_type(std::string_view name) {
  constexpr std::array<std::string_view, 12> elements{"char", "uchar", "short",    "ushort",    "int",   "uint",
                                                      "long", "ulong", "longlong", "ulonglong", "float", "double"};
  if (!name.ends_with('2') && !name.ends_with('4')) return false;
  name.remove_suffix(1);
  return std::find(elements.begin(), elements.end(), name) != elements.end();
}

bool is_wide_type(std::string_view name) {
  constexpr std::array<std::string_view, 8> wide{"double",  "int64_t", "uint64_t",       "size_t",
                                                 "__half2", "half2",   "__nv_bfloat162", "long"};
  return is_vector_type(name) || std::find(wide.begin(), wide.end(), name) != wide.end();
}

/// Returns the file's own names that may be wider than a word: aliases of wide types, and structures without base or
/// derived classes (a cast between those could change the pointer).
std::set<std::string_view> own_wide_types(const Tokens& tokens) {
  std::set<std::string_view> names, related;
  for (int i = 0; i + 3 < tokens.size(); ++i) {
    const bool is_using = tokens.is(i, "using") && tokens.is(i + 2, "=");
    const auto is_wide = [&](int at) { return is_wide_type(tokens.text(at)) || names.contains(tokens.text(at)); };
    if (is_using && is_wide(i + 3) && tokens.is(i + 4, ";")) names.insert(tokens.text(i + 1));
    if (tokens.is(i, "typedef") && is_wide(i + 1) && tokens.is_identifier(i + 2) && tokens.is(i + 3, ";"))
      names.insert(tokens.text(i + 2));
    if (!tokens.is(i, "struct") || tokens.is(i - 1, "<") || tokens.is(i - 1, ",")) continue;
    int at = i + 1;
    while (skip_attribute(tokens, at) > at) at = skip_attribute(tokens, at);
    if (tokens.is_identifier(at) && tokens.is(at + 1, "{")) names.insert(tokens.text(at));
    for (int base = at + 1; tokens.is(at + 1, ":") && base < tokens.size() && !tokens.is(base, "{"); ++base)
      related.insert(tokens.text(base));
  }
  for (const std::string_view name : related) names.erase(name);
  return names;
}

/// Returns the token after `const float4*` (or `float4&`) at `i`, or `i` if there is no such type.
int skip_wide_pointer(const Tokens& tokens, int i, const std::set<std::string_view>& own) {
  bool is_wide = false;
  int at = i;
  for (; tokens.is_identifier(at); ++at) {
    const std::string_view name = tokens.text(at);
    const bool is_part = name == "const" || name == "volatile" || name == "unsigned" || name == "int";
    const bool is_wide_name = is_wide_type(name) || own.contains(name);
    if (!is_part && !is_wide_name) return i;
    is_wide = is_wide || is_wide_name;
  }
  if (!is_wide || (!tokens.is(at, "*") && !tokens.is(at, "&"))) return i;
  for (++at; tokens.is(at, "const") || tokens.is(at, "__restrict__");) ++at;
  return at;
}

/// Whether the parenthesis at `i` can open a cast: not a call, not sizeof, not a parameter list.
bool may_cast(const Tokens& tokens, int i) {
  if (tokens.is(i - 1, ")") || tokens.is(i - 1, "]") || tokens.is(i - 1, ">")) return false;
  return !tokens.is_identifier(i - 1) || tokens.is(i - 1, "return") || tokens.is(i - 1, "else");
}

bool begins_operand(const Tokens& tokens, int i) {
  return tokens.is_identifier(i) || tokens.is(i, "(") || tokens.is(i, "&") || tokens.is(i, "*");
}

}  // namespace

void rewrite_casts(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  const std::set<std::string_view> own = own_wide_types(tokens);
  for (int i = 0; i < tokens.size(); ++i) {
    if (!pass.scopes.of(i).device_only && tokens[i].directive == 0) continue;
    if (tokens.is(i, "(") && may_cast(tokens, i)) {
      const int close = skip_wide_pointer(tokens, i + 1, own);
      if (tokens.is(close, ")") && !tokens.is(close - 1, "&") && begins_operand(tokens, close + 1))
        pass.insert_after(close, "RAFTER_SIMT_CAST_FROM ");
    } else if (tokens.is(i, "reinterpret_cast") && tokens.is(i + 1, "<")) {
      const int close = skip_wide_pointer(tokens, i + 2, own);
      if (close > i + 2 && tokens.is(close, ">"))
        pass.edits.replace(tokens[i].begin, tokens[i].end, "RAFTER_SIMT_REINTERPRET_CAST");
    }
  }
}

}  // namespace rafter::simt::build

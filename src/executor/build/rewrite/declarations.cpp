#include <algorithm>
#include <array>

#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

struct Declaration {
  bool is_variable = false;
  bool is_special = false;  // a template, extern, inline or constant: stays in the compiler's section
  bool is_static = false;   // or has another explicit linkage
  int name = -1;            // its token, or that of `operator`
};

/// Reads the declaration that the qualifier at `qualifier` belongs to.
Declaration read_declaration(const Pass& pass, int qualifier) {
  const Tokens& tokens = pass.tokens;
  Declaration result;
  result.is_special = pass.scopes.of(qualifier).is_template;
  bool is_const = false, has_record = false;
  for (int i = pass.scopes.statement(qualifier); i < tokens.size(); ++i) {
    const std::string_view text = tokens.text(i);
    if (tokens[i].directive != 0) continue;
    if (const int after = skip_attribute(tokens, i); after > i) {
      i = after - 1;
    } else if (text == "template") {
      result.is_special = true;
      if (tokens.is(i + 1, "<")) i = std::max(i, tokens.close_angle(i + 1));
    } else if (text == "extern" || text == "constexpr" || text == "inline" || text == "__forceinline__") {
      const bool linkage = text == "extern" && tokens[i + 1].kind == TokenKind::string;
      (linkage ? result.is_static : result.is_special) = true;
    } else if (text == "static" || text == "friend") {
      result.is_static = true;
    } else if (text == "operator") {
      result.name = i;
      return result;
    } else if (text == "decltype" && tokens.is(i + 1, "(")) {
      i = std::max(i, tokens.partner(i + 1));
    } else if (text == "const") {
      is_const = true;
    } else if (text == "*") {
      is_const = false;
    } else if (text == "struct" || text == "class" || text == "union" || text == "enum") {
      has_record = true;
    } else if (text == "<" && tokens.close_angle(i) > 0) {
      i = tokens.close_angle(i);
    } else if (text == "(") {
      const bool pointer = tokens.is(i + 1, "*") && i > qualifier;
      result.is_variable = pointer || tokens[i + 1].kind == TokenKind::number;
      if (pointer && tokens.is_identifier(i + 2)) result.name = i + 2;
      result.is_special = result.is_special || is_const;
      return result;
    } else if (text == "{" && has_record && tokens.is_identifier(tokens.partner(i) + 1)) {
      i = tokens.partner(i);  // `struct { ... } name`
      has_record = false;
    } else if (text == "{" || text == ";" || text == "=" || text == "[" || text == ",") {
      result.is_variable = !(text == "{" && has_record);
      result.is_special = result.is_special || is_const;
      return result;
    } else if (tokens.is_identifier(i)) {
      result.name = i;
    }
  }
  return result;
}

void place_variables(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  for (int i = 0; i < tokens.size(); ++i) {
    const bool device = tokens.is(i, "__device__"), constant = tokens.is(i, "__constant__");
    const bool managed = tokens.is(i, "__managed__"), kernel = tokens.is(i, "__global__");
    if ((!device && !constant && !managed && !kernel) || tokens[i].directive != 0) continue;
    const ScopeKind scope = pass.scopes.of(i).kind;
    if (scope != ScopeKind::file && scope != ScopeKind::record) continue;
    const Declaration declaration = read_declaration(pass, i);
    if (declaration.name < 0) continue;
    bool for_host = false, other = false;
    for (int at = pass.scopes.statement(i); at < declaration.name; ++at) {
      for_host = for_host || tokens.is(at, "__host__");
      other = other || (device && (tokens.is(at, "__managed__") || tokens.is(at, "__constant__")));
    }
    if (!for_host && !kernel) {
      const bool is_operator = tokens.is(declaration.name, "operator");
      pass.result.device_names.insert(tokens.flat(declaration.name, declaration.name + (is_operator ? 1 : 0)));
      const bool is_member = scope == ScopeKind::record || tokens.is(declaration.name - 1, "::");
      const bool local = pass.options.local_device_names && !declaration.is_static && !declaration.is_special;
      if (local && !is_member && !other) pass.insert_before(pass.scopes.statement(i), "static ");
      const bool is_function = device && !declaration.is_variable && !declaration.is_special && !declaration.is_static;
      if (is_function && pass.options.side != Side::both) pass.insert_after(i, " RAFTER_SIMT_DEVICE_FUNCTION");
    }
    if (for_host && device && !declaration.is_variable)
      pass.result.common_names.insert(tokens.flat(declaration.name, declaration.name));
    if (!declaration.is_variable || declaration.is_special || other || kernel) continue;
    pass.insert_after(i, device     ? " RAFTER_SIMT_DEVICE_VARIABLE"
                         : constant ? " RAFTER_SIMT_CONSTANT_VARIABLE"
                                    : " RAFTER_SIMT_MANAGED_VARIABLE");
  }
}

/// Moves `__cluster_dims__(x, y, z)` of a kernel into a call at the start of its body.
void rewrite_cluster_dims(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  for (int i = 0; i < tokens.size(); ++i) {
    if (!tokens.is(i, "__cluster_dims__") || tokens.is(i - 1, "define") || tokens.is(i - 1, "ifdef")) continue;
    const int open = i + 1, close = tokens.is(open, "(") ? tokens.partner(open) : -1;
    int body = close + 1;
    while (close > 0 && body < tokens.size() && !tokens.is(body, "{") && !tokens.is(body, ";")) {
      body = tokens.is(body, "(") ? std::max(body, tokens.partner(body)) + 1 : body + 1;
    }
    if (tokens[i].directive != 0 || close < 0 || !tokens.is(body, "{")) {
      pass.refuse(i, "__cluster_dims__ on a declaration without a body", "put it on the kernel's definition");
      continue;
    }
    pass.insert_after(body, " ::rafter_simt::cluster_dims" + tokens.flat(open, close) + ";");
    pass.erase(i, close);
  }
}

/// Classifies a specifier: 0 not inline, 1 the plain keyword, 2 a keyword or macro that implies more than inline and
/// must stay.
int inlining(const Pass& pass, int i) {
  const std::string_view text = pass.tokens.text(i);
  if (pass.tokens.is(i - 1, "define")) return 0;  // defines an alias of it
  if (text == "inline" || text == "__inline__" || text == "__inline") return 1;
  if (text == "__forceinline__") return 2;
  return expands_to(pass.macros, text, "inline") || expands_to(pass.macros, text, "__forceinline__") ? 2 : 0;
}

bool is_specifier(const Pass& pass, int i) {
  constexpr std::array<std::string_view, 13> specifiers{
      "static",     "extern",   "constexpr",  "virtual", "explicit",     "friend",      "consteval",
      "__device__", "__host__", "__global__", "const",   "__noinline__", "__restrict__"};
  const std::string_view text = pass.tokens.text(i);
  return std::find(specifiers.begin(), specifiers.end(), text) != specifiers.end() || inlining(pass, i) > 0;
}

/// Drops a second `inline`, which g++ rejects and nvcc accepts.
void drop_doubled_inline(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  for (int i = 0; i < tokens.size(); ++i) {
    if (!tokens.is_identifier(i) || inlining(pass, i) == 0) continue;
    int first = i, last = i;
    while (is_specifier(pass, first - 1) && tokens[first - 1].directive == tokens[i].directive) --first;
    while (is_specifier(pass, last + 1) && tokens[last + 1].directive == tokens[i].directive) ++last;
    bool keep_plain = true;
    for (int at = first; at <= last; ++at) keep_plain = keep_plain && inlining(pass, at) != 2;
    bool strong_seen = false;
    for (int at = first; at <= last; ++at) {
      const int kind = inlining(pass, at);
      const bool doubled = (kind == 1 && !keep_plain) || (kind == 2 && strong_seen && tokens.is(at, "__forceinline__"));
      if (doubled) pass.erase(at, at);
      if (kind == 1) keep_plain = false;
      strong_seen = strong_seen || kind == 2;
    }
    i = last;
  }
}

/// Replaces __noinline__ by an attribute. A macro with that name, as in CUDA, would break host headers that use
/// `__attribute__((__noinline__))`.
void spell_out_noinline(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  for (int i = 0; i < tokens.size(); ++i) {
    if (!tokens.is(i, "__noinline__")) continue;
    constexpr std::array<std::string_view, 8> others{"(", ",", "::", "define", "undef", "ifdef", "ifndef", "defined"};
    const bool other = i > 0 && std::find(others.begin(), others.end(), tokens.text(i - 1)) != others.end();
    if (!other) pass.edits.replace(tokens[i].begin, tokens[i].end, "__attribute__((noinline))");
  }
}

}  // namespace

void rewrite_declarations(const Pass& pass) {
  place_variables(pass);
  rewrite_cluster_dims(pass);
  spell_out_noinline(pass);
  drop_doubled_inline(pass);
}

}  // namespace rafter::simt::build

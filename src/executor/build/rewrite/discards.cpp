// Marks calls whose result is discarded, which the callee cannot detect: `cudaMemcpy(...);` and `atomicExch(...);`.
#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

/// Whether a statement can begin after the token.
bool ends_statement(const Tokens& tokens, int i) {
  if (tokens.is(i, ";") || tokens.is(i, "{") || tokens.is(i, "}") || tokens.is(i, "else") || tokens.is(i, "do"))
    return true;
  const int open = tokens.is(i, ")") ? tokens.partner(i) : -1;
  return open > 0 && (tokens.is(open - 1, "if") || tokens.is(open - 1, "for") || tokens.is(open - 1, "while"));
}

/// Whether `name(...);` is a complete statement.
bool is_discarded(const Pass& pass, int i) {
  const Tokens& tokens = pass.tokens;
  return tokens.is_identifier(i) && tokens[i].directive == 0 && tokens.is(i + 1, "(") && tokens.partner(i + 1) > 0 &&
         tokens.is(tokens.partner(i + 1) + 1, ";") && pass.scopes.of(i).kind == ScopeKind::function &&
         (pass.scopes.statement(i) == i || ends_statement(tokens, i - 1));
}

bool is_runtime_name(std::string_view name) {
  return name.size() > 4 && name.starts_with("cuda") && name[4] >= 'A' && name[4] <= 'Z';
}

/// Whether a discarded call is a plain runtime call: not a macro, without a runtime call among its arguments (the
/// program then checks that result), and not the single statement of an `if`, since the rewriter appends to it.
bool is_runtime_call(const Pass& pass, int i) {
  const Tokens& tokens = pass.tokens;
  if (!is_runtime_name(tokens.text(i)) || pass.macros.contains(std::string(tokens.text(i)))) return false;
  for (int at = i + 2; at < tokens.partner(i + 1); ++at) {
    if (tokens.is_identifier(at) && is_runtime_name(tokens.text(at)) && tokens.is(at + 1, "(")) return false;
  }
  return tokens.is(i - 1, ";") || tokens.is(i - 1, "{") || tokens.is(i - 1, "}");
}

bool is_exchange(std::string_view name) {
  return name == "atomicExch" || name == "atomicExch_block" || name == "atomicExch_system";
}

/// Whether the file declares the function itself, as programs for old devices do.
bool declares(const Pass& pass, std::string_view name) {
  for (int i = 0; i < pass.tokens.size(); ++i) {
    if (pass.tokens.is_identifier(i) && pass.tokens.text(i) == name && pass.scopes.of(i).kind != ScopeKind::function)
      return true;
  }
  return false;
}

}  // namespace

void rewrite_discards(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  for (int i = 0; i < tokens.size(); ++i) {
    if (!is_discarded(pass, i)) continue;
    const std::string_view name = tokens.text(i);
    if (is_exchange(name) && pass.scopes.of(i).device && !declares(pass, name)) {
      pass.insert_before(i, "::rafter_simt::unread_");
    } else if (!pass.scopes.of(i).device && is_runtime_call(pass, i)) {
      pass.insert_after(tokens.partner(i + 1), ", ::rafter_simt_ignored()");
    }
  }
}

}  // namespace rafter::simt::build

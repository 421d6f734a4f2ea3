// Objects constructed in place from a function's return value: `new (p) T(f())`, and members initialised by `m(f())`.
// Copy elision makes the function write the object itself, which compiler instrumentation does not report.
// rafter_simt/launch/copy_elision.hpp turns it into a copy.
#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

/// Returns the token after a name with its namespaces and template arguments that begins at `i`.
int skip_name(const Tokens& tokens, int i) {
  while (tokens.is_identifier(i) || tokens.is(i, "::")) {
    ++i;
    if (tokens.is(i, "<") && tokens.close_angle(i) > 0) i = tokens.close_angle(i) + 1;
  }
  return i;
}

/// Rewrites `(f(x))` or `{f(x)}` if the call is the only content.
void rewrite_argument(const Pass& pass, int open) {
  const Tokens& tokens = pass.tokens;
  const int close = tokens.partner(open), name_end = skip_name(tokens, open + 1);
  const bool is_call = name_end > open + 1 && tokens.is(name_end, "(") && tokens.partner(name_end) == close - 1;
  if (!is_call) return;
  pass.insert_after(open, "::rafter_simt::returned([&]() -> decltype(auto) { return ");
  pass.insert_before(close, "; })");
}

bool opens(const Tokens& tokens, int i) { return (tokens.is(i, "(") || tokens.is(i, "{")) && tokens.partner(i) > i; }

/// Rewrites `Name(...) : a(f()), b(1) {` with the colon at `i`.
void rewrite_constructor(const Pass& pass, int i) {
  const Tokens& tokens = pass.tokens;
  std::vector<int> initialisers;
  int at = i;
  do {
    at = skip_name(tokens, at + 1);
    if (!opens(tokens, at)) return;
    initialisers.push_back(at);
    at = tokens.partner(at) + 1;
  } while (tokens.is(at, ","));
  if (!tokens.is(at, "{") || pass.scopes.of(at + 1).kind != ScopeKind::function || !pass.scopes.of(at + 1).device)
    return;
  for (const int open : initialisers) rewrite_argument(pass, open);
}

}  // namespace

void rewrite_copy_elision(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  for (int i = 1; i < tokens.size(); ++i) {
    if (tokens[i].directive != 0) continue;
    const bool is_placed = tokens.is(i, "new") && tokens.is(i + 1, "(") && pass.scopes.of(i).device;
    const int type_end = is_placed && tokens.partner(i + 1) > 0 ? skip_name(tokens, tokens.partner(i + 1) + 1) : -1;
    if (type_end > 0 && opens(tokens, type_end)) rewrite_argument(pass, type_end);
    if (tokens.is(i, ":") && tokens.is(i - 1, ")") && tokens.is_identifier(i + 1)) rewrite_constructor(pass, i);
  }
}

}  // namespace rafter::simt::build

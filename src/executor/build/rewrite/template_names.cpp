// Adds the keyword `template` where a member template of a dependent class is called without it, which nvcc accepts and
// g++ does not: Cast<A, B>::cast<n>(a) becomes Cast<A, B>::template cast<n>(a).
#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

void rewrite_template_names(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  for (int i = 2; i < tokens.size(); ++i) {
    if (!tokens.is_identifier(i) || tokens[i].directive != 0 || !tokens.is(i - 1, "::") || !tokens.is(i - 2, ">"))
      continue;
    const Scope& scope = pass.scopes.of(i);
    if (scope.kind != ScopeKind::function || !scope.is_template || !tokens.is(i + 1, "<")) continue;
    const int close = tokens.close_angle(i + 1);
    if (close > 0 && tokens.is(close + 1, "(")) pass.insert_before(i, "template ");
  }
}

}  // namespace rafter::simt::build

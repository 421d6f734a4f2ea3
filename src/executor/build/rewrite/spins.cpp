// Lets other threads run in loops that only wait. The call also makes the compiler read the variable again: it would
// otherwise read it once, and remove the loop. A GPU's compiler does the same, but the checkers see and report every
// read.
// //
// while (flag == 0) {}   becomes   while (flag == 0) { ::rafter_simt_yield(0); }
#include "executor/build/rewrite/spins.hpp"

#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

bool is_empty(const Tokens& tokens, int body) {
  return tokens.is(body, ";") || (tokens.is(body, "{") && tokens.is(body + 1, "}"));
}

/// Whether `while` at token `i` ends a do loop.
bool ends_do(const Tokens& tokens, int i) {
  if (tokens.is(i - 1, "}")) return tokens.is(tokens.partner(i - 1) - 1, "do");
  int begin = i - 2;  // `do statement; while (...);`
  if (!tokens.is(i - 1, ";")) return false;
  while (begin > 0 && !tokens.is(begin, ";") && !tokens.is(begin, "{") && !tokens.is(begin, "}") &&
         !tokens.is(begin, "do"))
    begin -= tokens.is(begin, ")") ? begin - tokens.partner(begin) + 1 : 1;
  return tokens.is(begin, "do");
}

/// Whether a condition reads variables, changes none but by `=`, and lets no other thread run.
bool may_wait(const Tokens& tokens, int first, int last) {
  bool reads = false;
  for (int i = first; i <= last; ++i) {
    const std::string_view text = tokens.text(i);
    if (text == "++" || text == "--" || text == "," || text == ";") return false;
    if (!tokens.is_identifier(i)) continue;
    if (text == "volatile" || text == "asm" || text.starts_with("atomic") || text.starts_with("clock") ||
        text.starts_with("__"))
      return false;
    reads = reads || (text != "true" && text != "false");
  }
  return reads;
}

}  // namespace

int waiting_body(const Tokens& tokens, int i) {
  if (tokens[i].directive != 0) return -1;
  if (tokens.is(i, "do") && is_empty(tokens, i + 1)) {
    const int end = tokens.is(i + 1, "{") ? i + 2 : i + 1, open = end + 2;
    const bool is_loop = tokens.is(end + 1, "while") && tokens.is(open, "(") && tokens.partner(open) > 0;
    return is_loop && may_wait(tokens, open + 1, tokens.partner(open) - 1) ? i + 1 : -1;
  }
  const int open = i + 1, close = tokens.is(open, "(") ? tokens.partner(open) : -1;
  if (close < 0 || !is_empty(tokens, close + 1)) return -1;
  if (tokens.is(i, "while")) {
    const bool only_waits = may_wait(tokens, open + 1, close - 1) && !ends_do(tokens, i);
    return only_waits ? close + 1 : -1;
  }
  if (!tokens.is(i, "for") || !tokens.is(close - 1, ";")) return -1;  // the last part of the head is empty
  int condition = close - 2;
  while (condition > open && !tokens.is(condition, ";")) --condition;
  return condition > open && may_wait(tokens, condition + 1, close - 2) ? close + 1 : -1;
}

void rewrite_spins(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  for (int i = 0; i < tokens.size(); ++i) {
    const int body = waiting_body(tokens, i);
    if (body < 0 || !pass.scopes.of(i).device) continue;
    pass.result.has_spins = true;
    if (tokens.is(body, "{")) {
      pass.insert_after(body, " ::rafter_simt_yield(0); ");
    } else {
      pass.insert_before(body, " ::rafter_simt_yield(0)");
    }
  }
}

}  // namespace rafter::simt::build

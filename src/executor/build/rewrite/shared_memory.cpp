#include <algorithm>
#include <cstdlib>

#include "executor/build/rewrite/rewrite_passes.hpp"

namespace rafter::simt::build {

namespace {

/// One declaration of dynamic shared memory: `extern __shared__ T a[], b[][32];`
class DynamicShared {
 public:
  DynamicShared(const Pass& pass, int first, int end) : pass_(pass), tokens_(pass.tokens), first_(first), end_(end) {}

  void rewrite() {
    std::string text;
    int at = first_;
    std::string type = specifiers(at);
    while (at < end_) {
      std::string stars;
      for (; tokens_.is(at, "*") || tokens_.is(at, "&"); ++at) stars += tokens_.text(at);
      if (!tokens_.is_identifier(at)) return;
      text += declarator(type + stars, at);
      if (tokens_.is(at, ",")) ++at;
    }
    const bool closed = end_ < tokens_.size() && tokens_.is(end_, ";");
    if (!closed && !text.empty()) text.pop_back();
    pass_.edits.replace(tokens_[first_].begin, tokens_[closed ? end_ : end_ - 1].end, text);
  }

  std::vector<std::string> names;     // declared outside functions
  std::vector<std::string> pointers;  // declared in functions, where they become pointers

 private:
  /// Returns the type without storage class and attributes; leaves `at` on the first declarator.
  std::string specifiers(int& at) const {
    std::string type;
    for (; at < end_; ++at) {
      if (const int after = skip_attribute(tokens_, at); after > at) {
        at = after - 1;
      } else if (tokens_.is(at, "<") && tokens_.close_angle(at) > 0) {
        type += tokens_.flat(at, tokens_.close_angle(at));
        at = tokens_.close_angle(at);
      } else if (tokens_.is(at, "*") || (tokens_.is_identifier(at) && is_declarator_end(skip_trailing_attribute(at)))) {
        break;
      } else if (!tokens_.is(at, "extern") && !tokens_.is(at, "__shared__") && !tokens_.is(at, "static")) {
        type += (type.empty() || type.back() == ':' || tokens_.is(at, "::") ? "" : " ") + std::string(tokens_.text(at));
      }
    }
    return type;
  }

  int skip_trailing_attribute(int name) const { return skip_attribute(tokens_, name + 1); }
  bool is_declarator_end(int i) const { return i >= end_ || tokens_.is(i, "[") || tokens_.is(i, ","); }

  std::string declarator(const std::string& type, int& at) {
    const std::string name(tokens_.text(at));
    at = skip_trailing_attribute(at);
    bool is_array = false;
    std::string inner;
    for (; tokens_.is(at, "[") && tokens_.partner(at) > 0; at = tokens_.partner(at) + 1) {
      if (is_array) inner += tokens_.flat(at, tokens_.partner(at));
      is_array = true;
    }
    at = skip_attribute(tokens_, at);
    const bool in_function = pass_.scopes.of(first_).kind == ScopeKind::function || tokens_[first_].directive != 0;
    const std::string element = inner.empty() ? type + "*" : type + " (*)" + inner;
    const std::string memory = "(" + element + ")::rafter_simt::dynamic_shared()";
    if (!is_array) return type + "& " + name + " = *" + memory + ";";
    if (in_function) pointers.push_back(name);
    if (in_function)
      return (inner.empty() ? type + "* " + name : type + " (*" + name + ")" + inner) + " = " + memory + ";";
    names.push_back(name);
    return "static ::rafter_simt::DynamicShared<" + type + inner + "> " + name + ";";
  }

  const Pass& pass_;
  const Tokens& tokens_;
  const int first_, end_;  // the end is the semicolon, or the end of a macro without one
};

/// Returns the first of the specifiers before `__shared__` at `i`.
int specifiers_begin(const Tokens& tokens, int i) {
  for (;;) {
    if (tokens.is_identifier(i - 1) && tokens[i - 1].directive == tokens[i].directive &&
        (tokens.is(i - 1, "extern") || tokens.is(i - 1, "static") || tokens.is(i - 1, "volatile") ||
         tokens.is(i - 1, "const") || tokens.is(i - 1, "__device__") || tokens.is(i - 1, "__constant__"))) {
      --i;
    } else if (tokens.is(i - 1, ")") && tokens.partner(i - 1) > 0 &&
               skip_attribute(tokens, tokens.partner(i - 1) - 1) == i) {
      i = tokens.partner(i - 1) - 1;
    } else {
      return i;
    }
  }
}

int statement_end(const Tokens& tokens, int i) {
  const int directive = tokens[i].directive;
  for (; i < tokens.size() && tokens[i].directive == directive; ++i) {
    if (tokens.is(i, ";")) return i;
    if (tokens.is(i, "{") || tokens.is(i, "=")) return -1;
  }
  return directive != 0 ? i : -1;
}

/// Moves the alignas of `__shared__ alignas(16) T x` to the front: g++ requires a standard attribute before all
/// specifiers.
void move_alignment(const Pass& pass, int begin, int qualifier) {
  const Tokens& tokens = pass.tokens;
  for (int i = qualifier + 1; i < tokens.size() && tokens.is_identifier(i); ++i) {
    const int after = skip_attribute(tokens, i);
    if (tokens.is(i, "alignas") && after > i) {
      pass.insert_before(begin, tokens.flat(i, after - 1) + " ");
      pass.erase(i, after - 1);
    }
    i = std::max(i, after - 1);
  }
}

/// Adds a static_assert to arrays in functions that may exceed 48 KiB, the limit of static shared memory.
void limit_arrays(const Pass& pass, int i) {
  const Tokens& tokens = pass.tokens;
  const int end = statement_end(tokens, i);
  if (end < 0 || tokens[i].directive != 0 || pass.scopes.of(i).kind != ScopeKind::function) return;
  constexpr long n_always_allowed = 3072;  // elements of at most 16 bytes each
  std::string assertions;
  for (int at = i + 1; at < end; ++at) {
    if (tokens.is(at, "<") && tokens.close_angle(at) > 0) at = tokens.close_angle(at);
    if (tokens.is(at, "(") && tokens.partner(at) > 0) at = tokens.partner(at);
    if (!tokens.is_identifier(at) || !tokens.is(at + 1, "[")) continue;
    const std::string name(tokens.text(at));
    long n = 1;
    for (++at; tokens.is(at, "[") && tokens.partner(at) > 0; at = tokens.partner(at) + 1) {
      const bool is_number = tokens[at + 1].kind == TokenKind::number && tokens.partner(at) == at + 2;
      n *= is_number ? std::strtol(tokens.text(at + 1).data(), nullptr, 0) : n_always_allowed + 1;
      n = std::min(n, n_always_allowed + 1);
    }
    --at;
    if (n <= n_always_allowed) continue;
    assertions += " static_assert(sizeof(" + name + ") <= 49152, \"rafter: too much shared memory: " + name +
                  " is larger than 48 KiB; use dynamic shared memory\");";
  }
  if (!assertions.empty()) pass.insert_after(end, assertions);
}

/// Inserts a `+` where the object that replaces the array must decay to a pointer.
void decay_uses(const Pass& pass, const std::vector<std::string>& names) {
  const Tokens& tokens = pass.tokens;
  for (int i = 1; i < tokens.size(); ++i) {
    if (!tokens.is_identifier(i) || std::find(names.begin(), names.end(), tokens.text(i)) == names.end()) continue;
    const std::string_view before = tokens.text(i - 1), after = tokens.text(i + 1);
    const bool opens =
        before == "(" || before == "," || before == "=" || before == "return" || before == "?" || before == ":";
    const bool closes = after == ")" || after == "," || after == ";" || after == ":";
    if (opens && closes && pass.scopes.of(i).kind == ScopeKind::function) pass.insert_before(i, "+");
  }
}

/// Rewrites uses of the array itself, which is a pointer now: `&tile`, `reinterpret_cast<Storage&>(tile)`, from `at` to
/// the end of the enclosing block.
void point_at_array(const Pass& pass, const std::string& name, int at) {
  const Tokens& tokens = pass.tokens;
  const int directive = tokens[at].directive;
  for (int depth = 0; at < tokens.size() && depth >= 0 && (directive == 0 || tokens[at].directive == directive); ++at) {
    depth += tokens.is(at, "{") ? 1 : tokens.is(at, "}") ? -1 : 0;
    if (!tokens.is(at, name)) continue;
    const bool is_part = tokens.is(at + 1, "[") || tokens.is(at + 1, ".") || tokens.is(at + 1, "->");
    if (tokens.is(at - 1, "&") && !is_part) pass.erase(at - 1, at - 1);
    const bool is_cast = tokens.is(at - 1, "(") && tokens.is(at - 2, ">") && tokens.is(at - 3, "&");
    if (is_cast && tokens.is(at + 1, ")")) pass.insert_before(at, "*");
  }
}

}  // namespace

void rewrite_shared(const Pass& pass) {
  const Tokens& tokens = pass.tokens;
  std::vector<std::string> names;
  for (int i = 0; i < tokens.size(); ++i) {
    const bool variable = tokens.is(i, "__constant__") || tokens.is(i, "__device__");
    if (!tokens.is(i, "__shared__") && !variable) continue;
    if (tokens[i].directive != 0 && tokens.is(i - 1, "define")) continue;
    int begin = specifiers_begin(tokens, i);
    if (const int first = pass.scopes.statement(i);  // `extern T __shared__ x[];`
        tokens.is(first, "extern") && tokens.is_identifier(first + 1) &&
        tokens[first].directive == tokens[i].directive) {
      begin = first;
    }
    if (variable) {
      move_alignment(pass, begin, i);
      continue;
    }
    bool is_extern = false;
    int is_static = -1;
    for (int at = begin; tokens.is_identifier(at) && at < i + 4; at = std::max(at + 1, skip_attribute(tokens, at))) {
      is_extern = is_extern || tokens.is(at, "extern");
      if (tokens.is(at, "static")) is_static = at;
    }
    const int end = is_extern ? statement_end(tokens, i) : -1;
    if (end > 0) {
      DynamicShared shared(pass, begin, end);
      shared.rewrite();
      names.insert(names.end(), shared.names.begin(), shared.names.end());
      for (const std::string& name : shared.pointers) point_at_array(pass, name, end);
      i = end;
      continue;
    }
    if (is_static >= 0) pass.erase(is_static, is_static);
    move_alignment(pass, begin, i);
    limit_arrays(pass, i);
  }
  decay_uses(pass, names);
}

}  // namespace rafter::simt::build

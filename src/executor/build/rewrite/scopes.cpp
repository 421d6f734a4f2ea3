#include "executor/build/rewrite/scopes.hpp"

#include <algorithm>
#include <array>

namespace rafter::simt::build {

namespace {

constexpr std::array<std::string_view, 9> attributes{"alignas",          "__align__",   "__attribute__",
                                                     "__attribute",      "__declspec",  "__launch_bounds__",
                                                     "__cluster_dims__", "__maxnreg__", "__block_size__"};

/// Properties of a declaration, read from its tokens before the `{`.
struct Head {
  bool has_namespace = false, has_record = false, has_parentheses = false, has_assignment = false;
  bool is_template = false, is_device = false, is_host = false;
  bool colon_after_parentheses = false, colon_before_parentheses = false;
};

Head read_head(const Tokens& tokens, int begin, int end) {
  Head head;
  for (int i = begin; i < end; ++i) {
    if (tokens[i].directive != 0) continue;
    const std::string_view text = tokens.text(i);
    if (const int after = skip_attribute(tokens, i); after > i) {
      i = after - 1;
    } else if (text == "template" && tokens.is(i + 1, "<")) {
      head.is_template = true;
      i = std::max(i, tokens.close_angle(i + 1));
    } else if (text == "namespace" || (text == "extern" && tokens[i + 1].kind == TokenKind::string && i + 2 == end)) {
      head.has_namespace = true;
    } else if (text == "struct" || text == "class" || text == "union" || text == "enum") {
      head.has_record = true;
    } else if (text == "operator") {
      i += tokens.is(i + 1, "(") ? 2 : 1;
    } else if (text == "__device__" || text == "__global__") {
      head.is_device = true;
    } else if (text == "__host__") {
      head.is_host = true;
    } else if (text == "=") {
      head.has_assignment = true;
    } else if (text == ":") {
      (head.has_parentheses ? head.colon_after_parentheses : head.colon_before_parentheses) = true;
    } else if (text == "(" || text == "[" || text == "{") {
      if (text == "(") head.has_parentheses = true;
      i = std::max(i, tokens.partner(i));
    }
  }
  return head;
}

class Walker {
 public:
  explicit Walker(const Tokens& tokens) : tokens_(tokens) {}

  std::vector<Scope> scopes{Scope{}};
  std::vector<int> indices, statements;

  void walk() {
    int directive = 0;
    for (int i = 0; i < tokens_.size(); ++i) {
      const int now = tokens_[i].directive;
      if (now != directive && now != 0) conditional(tokens_.text(i + 1));
      if (now != 0) {
        if (now != directive) directive_begin_ = i;
        note(i, directive_begin_);
      } else {
        step(i);
      }
      directive = now;
    }
  }

 private:
  struct Open {
    int scope;
    int statement;
  };

  void note(int i, int statement) {
    indices.push_back(stack_.back().scope);
    statements.push_back(std::min(statement, i));
  }

  /// Both branches of an #if start with the same open scopes.
  void conditional(std::string_view name) {
    if (name.starts_with("if")) before_if_.push_back(stack_);
    if (name.starts_with("el") && !before_if_.empty()) stack_ = before_if_.back();
    if (name == "endif" && !before_if_.empty()) before_if_.pop_back();
  }

  void step(int i) {
    const std::string_view text = tokens_.text(i);
    Open& top = stack_.back();
    if (top.statement < 0) top.statement = i;
    if (text == "}" && stack_.size() > 1) {
      const bool statement_ends = scopes[static_cast<std::size_t>(top.scope)].kind != ScopeKind::initializer;
      note(i, top.statement);
      stack_.pop_back();
      if (statement_ends && !tokens_.is(i + 1, ";")) stack_.back().statement = -1;
      return;
    }
    note(i, top.statement);
    if (text == "{") {
      open(i);
    } else if (text == ";" && !inside_parentheses(i)) {
      top.statement = -1;
    } else if (text == ":" && i > 0 &&
               (tokens_.is(i - 1, "public") || tokens_.is(i - 1, "private") || tokens_.is(i - 1, "protected"))) {
      top.statement = -1;
    } else if (text == "(" && tokens_.partner(i) > i) {
      closes_ = std::max(closes_, tokens_.partner(i));
    }
  }

  bool inside_parentheses(int i) const { return i < closes_ && scope_of_top().kind != ScopeKind::function; }
  const Scope& scope_of_top() const { return scopes[static_cast<std::size_t>(stack_.back().scope)]; }

  void open(int i) {
    Scope scope = scope_of_top();
    const Head head = read_head(tokens_, stack_.back().statement, i);
    if (scope.kind == ScopeKind::function) {
      const auto [device, host] = lambda_sides(i);
      scope.device = scope.device || device;
      scope.device_only = scope.device_only || (device && !host);
    } else {
      classify(scope, head, i);
    }
    scopes.push_back(scope);
    stack_.push_back({static_cast<int>(scopes.size()) - 1, -1});
  }

  void classify(Scope& scope, const Head& head, int i) const {
    const std::string_view before = tokens_.text(i - 1);
    if (scope.kind == ScopeKind::initializer && !head.has_parentheses) return;
    scope.is_template = scope.is_template || head.is_template;
    const bool member_initializer =
        head.colon_after_parentheses && (tokens_.is_identifier(i - 1) || before == ">") && before != "try";
    if (head.has_namespace && !head.has_parentheses) {
      scope.kind = ScopeKind::file;
    } else if (head.has_record && (!head.has_parentheses || head.colon_before_parentheses)) {
      scope.kind = head.has_assignment && !head.colon_before_parentheses ? ScopeKind::initializer : ScopeKind::record;
    } else if (head.has_parentheses && !member_initializer && !(head.has_assignment && before == "=")) {
      scope.kind = ScopeKind::function;
      scope.device = head.is_device;
      scope.device_only = head.is_device && !head.is_host;
    } else {
      scope.kind = ScopeKind::initializer;
    }
  }

  struct Sides {
    bool device = false, host = false;
  };

  /// Returns the qualifiers of a lambda `[..] __device__ (..) {` inside a function.
  Sides lambda_sides(int brace) const {
    const int close = tokens_.is(brace - 1, "mutable") ? brace - 2 : brace - 1;
    int i = tokens_.is(close, ")") ? tokens_.partner(close) - 1 : close;
    Sides sides;
    for (; i >= 0 && tokens_[i].kind == TokenKind::identifier; --i) {
      sides.device = sides.device || tokens_.is(i, "__device__");
      sides.host = sides.host || tokens_.is(i, "__host__");
    }
    return tokens_.is(i, "]") ? sides : Sides{};
  }

  const Tokens& tokens_;
  std::vector<Open> stack_{{0, -1}};
  std::vector<std::vector<Open>> before_if_;
  int directive_begin_ = 0;
  int closes_ = -1;
};

}  // namespace

int skip_attribute(const Tokens& tokens, int i) {
  if (tokens.is(i, "[") && tokens.is(i + 1, "[")) return tokens.partner(i) > i ? tokens.partner(i) + 1 : i;
  if (!tokens.is(i + 1, "(") || tokens.partner(i + 1) < i) return i;
  const bool known = std::find(attributes.begin(), attributes.end(), tokens.text(i)) != attributes.end();
  return known ? tokens.partner(i + 1) + 1 : i;
}

Scopes::Scopes(const Tokens& tokens) {
  Walker walker(tokens);
  walker.walk();
  scopes_ = std::move(walker.scopes);
  indices_ = std::move(walker.indices);
  statements_ = std::move(walker.statements);
}

}  // namespace rafter::simt::build

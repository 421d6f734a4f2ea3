#include "executor/build/rewrite/lanes/parser.hpp"

#include <algorithm>
#include <array>

#include "executor/build/rewrite/lanes/expressions.hpp"

namespace rafter::simt::build::lanes {

namespace {

class BodyParser {
 public:
  BodyParser(const Pass& pass, const KernelText& kernel) : pass_(pass), tokens_(pass.tokens), kernel_(kernel) {}

  Body parse() {
    Names names = parameters();
    i_ = kernel_.begin;
    body_.block = statement(names);
    if (i_ != kernel_.end + 1 || !has_loop_) throw Unknown();
    return std::move(body_);
  }

 private:
  Variable* add(std::string name, std::string type) {
    body_.variables.push_back(std::make_unique<Variable>());
    Variable* variable = body_.variables.back().get();
    variable->name = std::move(name);
    variable->type = std::move(type);
    return variable;
  }

  Names parameters() {
    Names names;
    const int close = tokens_.partner(kernel_.parameters);
    for (int i = kernel_.parameters + 1; i < close;) {
      int end = i;
      while (end < close && !tokens_.is(end, ",")) end = std::max(end, tokens_.partner(end)) + 1;
      const bool is_array = tokens_.is(end - 1, "]");
      if (end == i || is_array || !tokens_.is_identifier(end - 1)) throw Unknown();
      std::string type;
      read_type(pass_, i, type);
      Variable* parameter = add(std::string(tokens_.text(end - 1)), type);
      parameter->is_parameter = true;
      for (; i < end; ++i) parameter->is_pointer = parameter->is_pointer || tokens_.is(i, "*");
      names[parameter->name] = parameter;
      i = end + 1;
    }
    return names;
  }

  /// Skips #pragma unroll, which concerns other compilers.
  void skip_pragmas() {
    while (tokens_[i_].directive != 0 && tokens_[i_].line != 0) {
      if (!tokens_.is(i_, "#") || !tokens_.is(i_ + 1, "pragma") || !tokens_.is(i_ + 2, "unroll")) throw Unknown();
      const int directive = tokens_[i_].directive;
      while (tokens_[i_].directive == directive) ++i_;
    }
  }

  void expect(std::string_view text) {
    if (!tokens_.is(i_, text) || tokens_[i_].directive != 0) throw Unknown();
    ++i_;
  }

  StatementPtr make(StatementKind kind) const {
    auto made = std::make_unique<Statement>();
    made->kind = kind;
    made->line = tokens_[i_].line;
    return made;
  }

  ExpressionPtr expression(const Names& names) {
    ExpressionParser parser(pass_, i_, names);
    ExpressionPtr parsed = parser.expression();
    i_ = parser.next();
    return parsed;
  }

  StatementPtr statement(Names& names) {
    skip_pragmas();
    if (tokens_.is(i_, "{")) return block(names);
    if (tokens_.is(i_, "if")) return condition(names);
    if (tokens_.is(i_, "for")) return for_loop(names);
    if (tokens_.is(i_, "while")) return while_loop(names);
    if (tokens_.is(i_, "do")) return do_loop(names);
    StatementPtr made;
    if (tokens_.is(i_, "break") || tokens_.is(i_, "continue") || tokens_.is(i_, "return")) {
      made = make(tokens_.is(i_, "break")      ? StatementKind::break_
                  : tokens_.is(i_, "continue") ? StatementKind::continue_
                                               : StatementKind::return_);
      ++i_;
    } else if (tokens_.is(i_, ";")) {
      made = make(StatementKind::block);
    } else {
      made = simple(names);
    }
    expect(";");
    return made;
  }

  StatementPtr block(const Names& outside) {
    Names names = outside;
    StatementPtr made = make(StatementKind::block);
    expect("{");
    for (skip_pragmas(); !tokens_.is(i_, "}"); skip_pragmas()) made->parts.push_back(statement(names));
    expect("}");
    return made;
  }

  /// Parses the body of a condition or a loop: a scope of its own, even without braces.
  StatementPtr scope(const Names& outside) {
    Names names = outside;
    return statement(names);
  }

  StatementPtr condition(const Names& names) {
    StatementPtr made = make(StatementKind::condition);
    made->is_guard = kernel_.guards.contains(i_);
    ++i_;
    expect("(");
    made->condition = expression(names);
    expect(")");
    made->parts.push_back(scope(names));
    if (tokens_.is(i_, "else")) {
      ++i_;
      made->parts.push_back(scope(names));
    }
    return made;
  }

  StatementPtr for_loop(const Names& outside) {
    has_loop_ = true;
    Names names = outside;
    StatementPtr made = make(StatementKind::loop);
    ++i_;
    expect("(");
    if (!tokens_.is(i_, ";")) made->parts.push_back(simple(names));
    expect(";");
    made->condition = expression(names);
    expect(";");
    if (!tokens_.is(i_, ")")) made->assignments = assignments(names);
    expect(")");
    if (!made->parts.empty()) find_counters(*made);
    made->parts.push_back(scope(names));
    if (made->parts.size() == 2) {
      // A variable that the body assigns is not a plain counter.
      for (const Declared& declared : made->parts[0]->declared) {
        const auto in_step =
            std::count_if(made->assignments.begin(), made->assignments.end(),
                          [&](const Assignment& a) { return a.target->variable == declared.variable; });
        if (declared.variable->n_assignments != in_step) declared.variable->counts_loop = false;
      }
    }
    return made;
  }

  /// Marks variables declared in the loop's start that its step only increments or decrements.
  static void find_counters(const Statement& loop) {
    for (const Declared& declared : loop.parts[0]->declared) {
      const auto counts = [&](const Assignment& step) {
        return step.target->variable != declared.variable || step.op == "+=" || step.op == "-=";
      };
      declared.variable->counts_loop =
          declared.value && std::all_of(loop.assignments.begin(), loop.assignments.end(), counts);
    }
  }

  StatementPtr while_loop(const Names& names) {
    has_loop_ = true;
    StatementPtr made = make(StatementKind::loop);
    ++i_;
    expect("(");
    made->condition = expression(names);
    expect(")");
    made->parts.push_back(scope(names));
    return made;
  }

  StatementPtr do_loop(const Names& names) {
    has_loop_ = true;
    StatementPtr made = make(StatementKind::loop_once);
    ++i_;
    made->parts.push_back(scope(names));
    expect("while");
    expect("(");
    made->condition = expression(names);
    expect(")");
    expect(";");
    return made;
  }

  /// Parses a declaration or assignments.
  StatementPtr simple(Names& names) {
    std::string type;
    const int after = read_type(pass_, i_, type);
    if (type.empty() || tokens_.is(after, "(")) {
      StatementPtr made = make(StatementKind::assignments);
      made->assignments = assignments(names);
      return made;
    }
    StatementPtr made = make(StatementKind::declaration);
    i_ = after;
    for (bool again = true; again;) {
      bool is_pointer = false;
      for (; tokens_.is(i_, "*") || tokens_.is(i_, "const") || tokens_.is(i_, "__restrict__"); ++i_)
        is_pointer = is_pointer || tokens_.is(i_, "*");
      if (!tokens_.is_identifier(i_) || pass_.macros.contains(tokens_.text(i_))) throw Unknown();
      Declared declared;
      declared.variable = add(std::string(tokens_.text(i_)), type);
      declared.variable->is_pointer = is_pointer;
      ++i_;
      if (tokens_.is(i_, "=")) {
        ++i_;
        declared.value = expression(names);
      }
      if (!declared.value && (type == "auto" || is_pointer)) throw Unknown();
      names[declared.variable->name] = declared.variable;
      made->declared.push_back(std::move(declared));
      again = tokens_.is(i_, ",");
      if (again) ++i_;
    }
    return made;
  }

  std::vector<Assignment> assignments(const Names& names) {
    std::vector<Assignment> all;
    do {
      if (!all.empty()) ++i_;
      all.push_back(assignment(names));
    } while (tokens_.is(i_, ","));
    return all;
  }

  Assignment assignment(const Names& names) {
    constexpr auto operators =
        std::to_array<std::string_view>({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<="});
    Assignment made;
    const auto steps = [&](int i) { return tokens_.is(i, "++") || tokens_.is(i, "--"); };
    if (steps(i_)) made.op = tokens_.is(i_++, "++") ? "+=" : "-=";
    ExpressionParser target(pass_, i_, names);
    made.target = target.postfix();
    i_ = target.next();
    if (made.op.empty() && steps(i_)) {
      made.op = tokens_.is(i_++, "++") ? "+=" : "-=";
    } else if (made.op.empty()) {
      const bool shifts_right = tokens_.is(i_, ">") && tokens_.is(i_ + 1, ">=");
      if (!shifts_right && !is_among(operators, tokens_.text(i_))) throw Unknown();
      made.op = shifts_right ? ">>=" : std::string(tokens_.text(i_));
      i_ += shifts_right ? 2 : 1;
      made.value = expression(names);
    }
    note_target(*made.target);
    return made;
  }

  /// Counts an assignment. The target must be a variable of the kernel, a member of one, or an element of an array.
  void note_target(const Expression& target) {
    const Expression* at = &target;
    while (at->kind == ExpressionKind::member) at = at->parts[0].get();
    if (at->kind == ExpressionKind::subscript) return;
    if (at->kind != ExpressionKind::name || !at->variable || at->variable->is_pointer) throw Unknown();
    ++at->variable->n_assignments;
  }

  const Pass& pass_;
  const Tokens& tokens_;
  const KernelText& kernel_;
  int i_ = 0;
  bool has_loop_ = false;
  Body body_;
};

}  // namespace

std::optional<Body> parse(const Pass& pass, const KernelText& kernel) {
  try {
    return BodyParser(pass, kernel).parse();
  } catch (const Unknown&) {
    return std::nullopt;
  }
}

}  // namespace rafter::simt::build::lanes

#include "executor/build/rewrite/lanes/uniformity.hpp"

#include <algorithm>

namespace rafter::simt::build::lanes {

bool varies(const Expression& expression) {
  if (expression.kind == ExpressionKind::thread_index) return true;
  if (expression.variable) return expression.variable->is_varying;
  return std::any_of(expression.parts.begin(), expression.parts.end(),
                     [](const ExpressionPtr& part) { return varies(*part); });
}

namespace {

class Analysis {
 public:
  bool run(const Body& body) {
    do {
      changed_ = false;
      visit(*body.block, 0);
    } while (changed_ && !failed_);
    return !failed_;
  }

 private:
  struct Loop {
    Statement* statement;
    int depth;  // in its body
  };

  void mark(bool& flag) {
    changed_ = changed_ || !flag;
    flag = true;
  }

  /// Checks that lanes index arrays and have no pointers of their own.
  void check(const Expression& expression) {
    if (expression.kind == ExpressionKind::subscript && varies(*expression.parts[0])) failed_ = true;
    const bool names_pointer = expression.variable && expression.variable->is_pointer;
    if (names_pointer && expression.variable->is_varying) failed_ = true;
    if (varies(expression) && expression.kind != ExpressionKind::subscript && expression.kind != ExpressionKind::call) {
      for (const ExpressionPtr& part : expression.parts)
        failed_ = failed_ || (part->variable && part->variable->is_pointer);
    }
    for (const ExpressionPtr& part : expression.parts) check(*part);
  }

  /// `depth` is the number of varying conditions around the statement.
  void visit(Statement& statement, int depth) {
    if (statement.condition) check(*statement.condition);
    switch (statement.kind) {
      case StatementKind::block:
        for (const StatementPtr& part : statement.parts) visit(*part, depth);
        break;
      case StatementKind::declaration: declare(statement, depth); break;
      case StatementKind::assignments:
        for (const Assignment& assignment : statement.assignments) assign(assignment, depth);
        break;
      case StatementKind::condition:
        if (!statement.is_guard && varies(*statement.condition)) mark(statement.is_varying);
        for (const StatementPtr& part : statement.parts) visit(*part, depth + (statement.is_varying ? 1 : 0));
        break;
      case StatementKind::loop:
      case StatementKind::loop_once: visit_loop(statement, depth); break;
      case StatementKind::break_:
      case StatementKind::continue_:
        if (loops_.empty()) {
          failed_ = true;
        } else if (depth > loops_.back().depth) {
          mark(loops_.back().statement->is_varying);
        }
        break;
      case StatementKind::return_:
        if (depth == 0) break;
        mark(statement.is_varying);
        for (const Loop& loop : loops_) mark(loop.statement->is_varying);
        break;
    }
  }

  void visit_loop(Statement& loop, int depth) {
    if (loop.parts.size() == 2) visit(*loop.parts[0], depth);
    if (varies(*loop.condition)) mark(loop.is_varying);
    const int inside = depth + (loop.is_varying ? 1 : 0);
    loops_.push_back({&loop, inside});
    visit(*loop.parts.back(), inside);
    loops_.pop_back();
    for (const Assignment& step : loop.assignments) {
      Variable* variable = step.target->variable;
      if (variable && variable->counts_loop && step.value && varies(*step.value)) {
        variable->counts_loop = false;
        changed_ = true;
      }
      assign(step, inside);
    }
  }

  void declare(Statement& statement, int depth) {
    for (const Declared& declared : statement.declared) {
      Variable& variable = *declared.variable;
      variable.depth = depth;
      if (!declared.value) continue;
      check(*declared.value);
      if (varies(*declared.value)) mark_variable(variable);
    }
  }

  void mark_variable(Variable& variable) {
    const bool has_no_lanes = variable.is_pointer || variable.is_parameter;
    const bool has_no_type = variable.type == "auto" && variable.n_assignments > 0;
    if (has_no_lanes || has_no_type) failed_ = true;
    mark(variable.is_varying);
  }

  void assign(const Assignment& assignment, int depth) {
    check(*assignment.target);
    if (assignment.value) check(*assignment.value);
    const Expression* target = assignment.target.get();
    while (target->kind == ExpressionKind::member) target = target->parts[0].get();
    if (target->kind == ExpressionKind::subscript) return;
    Variable& variable = *target->variable;
    const bool value_varies = assignment.value && varies(*assignment.value);
    // Lanes that have left the loop do not read its counter any more.
    if (value_varies || (depth > variable.depth && !variable.counts_loop)) mark_variable(variable);
  }

  std::vector<Loop> loops_;
  bool changed_ = false, failed_ = false;
};

}  // namespace

bool find_varying(Body& body) { return Analysis().run(body); }

}  // namespace rafter::simt::build::lanes

#include "executor/build/rewrite/lanes/emitter.hpp"

#include "executor/build/rewrite/lanes/expression_text.hpp"
#include "executor/build/rewrite/lanes/uniformity.hpp"

namespace rafter::simt::build::lanes {

namespace {

/// Each statement is emitted for a mask of active lanes, given by a variable's name. The mask is never empty there: the
/// statements after one that deactivates lanes are under a test whether any lane is left.
class Emitter {
 public:
  explicit Emitter(const Pass& pass) : expressions_(pass) {}

  std::string run(const Body& body) {
    const std::string mask = new_mask();
    text_ = "rafter_lanes::Mask " + mask + " = rafter_lanes::Mask::of(true), rafter_simt_returned = !" + mask + ";";
    statement(*body.block, mask);
    return std::move(text_);
  }

 private:
  struct Loop {
    bool is_varying;
    std::string continued;  // the mask of lanes that executed `continue`
  };

  std::string new_mask() { return "rafter_simt_mask" + std::to_string(n_masks_++); }
  std::string value(const Expression& expression, const std::string& mask) { return expressions_.of(expression, mask); }

  /// Emits a statement. Returns whether it may deactivate lanes.
  bool statement(const Statement& statement, const std::string& mask) {
    text_ += "\n#line " + std::to_string(statement.line) + "\n";
    switch (statement.kind) {
      case StatementKind::block: return block(statement, mask);
      case StatementKind::declaration: return declare(statement, mask);
      case StatementKind::assignments:
        for (const Assignment& assignment : statement.assignments) assign(assignment, mask);
        return false;
      case StatementKind::condition: return condition(statement, mask);
      case StatementKind::loop:
      case StatementKind::loop_once:
        return statement.is_varying ? varying_loop(statement, mask) : loop(statement, mask);
      case StatementKind::return_: return leave(!statement.is_varying, "return", "rafter_simt_returned", mask);
      case StatementKind::break_: return leave(!loops_.back().is_varying, "break", "", mask);
      case StatementKind::continue_: return leave(!loops_.back().is_varying, "continue", loops_.back().continued, mask);
    }
    return false;
  }

  bool block(const Statement& block, const std::string& mask) {
    std::string closing = "}";
    bool may_deactivate = false;
    text_ += "{ ";
    for (const StatementPtr& part : block.parts) {
      const bool now = statement(*part, mask);
      if (now && &part != &block.parts.back()) {
        text_ += " if (rafter_lanes::any(" + mask + ")) {";
        closing += "}";
      }
      may_deactivate = may_deactivate || now;
    }
    text_ += closing;
    return may_deactivate;
  }

  /// Emits a jump: of all lanes together, or of the lanes of the mask, which are added to the mask `list`.
  bool leave(bool together, const std::string& keyword, const std::string& list, const std::string& mask) {
    if (together) {
      text_ += keyword + ";";
      return false;
    }
    if (!list.empty()) text_ += list + " = " + list + " | " + mask + "; ";
    text_ += mask + " = rafter_lanes::Mask::of(false);";
    return true;
  }

  bool declare(const Statement& statement, const std::string& mask) {
    for (const Declared& declared : statement.declared) {
      const Variable& variable = *declared.variable;
      const std::string given = declared.value ? value(*declared.value, mask) : "";
      const bool keeps_form = variable.n_assignments == 0 || variable.counts_loop;
      if (!variable.is_varying) {
        text_ += (variable.is_pointer ? "auto" : variable.type) + " " + variable.name;
        text_ += (declared.value ? " = " + given : "") + "; ";
      } else if (keeps_form && declared.value) {
        const std::string converted =
            variable.type == "auto" ? given : "rafter_lanes::to<" + variable.type + ">(" + given + ")";
        text_ += "auto " + variable.name + " = " + converted + "; ";
      } else {
        text_ += "rafter_lanes::LanesOf<" + variable.type + "> " + variable.name;
        text_ += declared.value ? " = rafter_lanes::widened<" + variable.type + ">(" + given + "); " : "{}; ";
      }
    }
    return false;
  }

  void assign(const Assignment& assignment, const std::string& mask) {
    const std::string given = assignment.value ? value(*assignment.value, mask) : "1";
    const std::string op = assignment.op.substr(0, assignment.op.size() - 1);  // empty: `=`
    if (const Element element = element_of(*assignment.target); element.subscript) {
      const std::string place = mask + ", " + value(*element.subscript->parts[0], mask) + ", " +
                                value(*element.subscript->parts[1], mask) + ", " + given;
      if (op.empty()) {
        text_ += "rafter_lanes::store(" + place + element.part + "); ";
      } else {
        text_ += "rafter_lanes::update(" + place +
                 ", [](const auto& rafter_simt_m, const auto& rafter_simt_a, const auto& rafter_simt_b) " +
                 "RAFTER_SIMT_LAMBDA { return " + scalar(op) + "; }" + element.part + "); ";
      }
      return;
    }
    const std::string target = value(*assignment.target, mask);
    const Variable* variable = assignment.target->variable;
    if (!varies(*assignment.target) || (variable && variable->counts_loop)) {
      const bool shifts = op == "<<" || op == ">>";
      text_ += target +
               (shifts ? " = " + ExpressionText::binary(op, target, given, mask) : " " + assignment.op + " " + given);
      text_ += "; ";
      return;
    }
    const std::string result = op.empty() ? given : ExpressionText::binary(op, target, given, mask);
    text_ += "rafter_lanes::assign(" + mask + ", " + target + ", " + result + "); ";
  }

  /// Returns `a op b` of one lane, or of the lanes of a mask.
  static std::string scalar(const std::string& op) {
    return ExpressionText::binary(op, "rafter_simt_a", "rafter_simt_b", "rafter_simt_m");
  }

  bool condition(const Statement& condition, const std::string& mask) {
    if (condition.is_guard) {  // only lanes that pass the guard get here
      const bool is_return =
          condition.parts[0]->kind == StatementKind::return_ ||
          (condition.parts[0]->kind == StatementKind::block && condition.parts[0]->parts.size() == 1 &&
           condition.parts[0]->parts[0]->kind == StatementKind::return_);
      return is_return ? false : statement(*condition.parts[0], mask);
    }
    const bool has_else = condition.parts.size() == 2;
    if (!condition.is_varying) {
      text_ += "if (" + value(*condition.condition, mask) + ") {";
      bool may_deactivate = statement(*condition.parts[0], mask);
      if (has_else) {
        text_ += "} else {";
        may_deactivate = statement(*condition.parts[1], mask) || may_deactivate;
      }
      text_ += "}";
      return may_deactivate;
    }
    const std::string then = new_mask(), otherwise = new_mask();
    text_ += "{ rafter_lanes::Mask " + then + " = " + mask + " & rafter_lanes::to_mask(" +
             value(*condition.condition, mask) + "), " + otherwise + " = " + mask + " & !" + then + ";";
    text_ += "if (rafter_lanes::any(" + then + ")) {";
    bool may_deactivate = statement(*condition.parts[0], then);
    text_ += "}";
    if (has_else) {
      text_ += "if (rafter_lanes::any(" + otherwise + ")) {";
      may_deactivate = statement(*condition.parts[1], otherwise) || may_deactivate;
      text_ += "}";
    }
    if (may_deactivate) text_ += mask + " = " + then + " | " + otherwise + ";";
    text_ += "}";
    return may_deactivate;
  }

  /// Emits a loop that all lanes leave together.
  bool loop(const Statement& loop, const std::string& mask) {
    loops_.push_back({false, ""});
    text_ += "{";
    if (loop.parts.size() == 2) statement(*loop.parts[0], mask);
    const std::string condition = value(*loop.condition, mask);
    if (loop.kind == StatementKind::loop_once) {
      text_ += "do {";
      statement(*loop.parts.back(), mask);
      text_ += "} while (" + condition + ");";
    } else {
      text_ += "for (; " + condition + ";";
      std::string steps;
      std::swap(text_, steps);
      for (const Assignment& step : loop.assignments) assign(step, mask);
      std::swap(text_, steps);
      // In the step and not at the end of the body, so that `continue` reaches it.
      text_ += "[&]() RAFTER_SIMT_LAMBDA { " + steps + "}()) {";
      statement(*loop.parts.back(), mask);
      text_ += "}";
    }
    text_ += "}";
    loops_.pop_back();
    return false;
  }

  bool varying_loop(const Statement& loop, const std::string& mask) {
    const std::string inside = new_mask(), active = new_mask(), continued = new_mask();
    loops_.push_back({true, continued});
    text_ += "{";
    if (loop.parts.size() == 2) statement(*loop.parts[0], mask);
    text_ += "rafter_lanes::Mask " + inside + " = " + mask + ";";
    text_ += "for (;;) {";
    const std::string test = varies(*loop.condition) ? inside + " = " + inside + " & rafter_lanes::to_mask(" +
                                                           value(*loop.condition, inside) +
                                                           "); if (!rafter_lanes::any(" + inside + ")) break;"
                                                     : "if (!(" + value(*loop.condition, inside) + ")) break;";
    if (loop.kind == StatementKind::loop) text_ += test;
    text_ += "rafter_lanes::Mask " + active + " = " + inside + ", " + continued + " = rafter_lanes::Mask::of(false);";
    if (statement(*loop.parts.back(), active)) {
      text_ += inside + " = " + active + " | " + continued + "; if (!rafter_lanes::any(" + inside + ")) break;";
    }
    if (loop.kind == StatementKind::loop_once) text_ += test;
    for (const Assignment& step : loop.assignments) assign(step, inside);
    text_ += "}";
    loops_.pop_back();
    const bool returns = contains_return(*loop.parts.back());
    if (returns) text_ += mask + " = " + mask + " & !rafter_simt_returned;";
    text_ += "}";
    return returns;
  }

  static bool contains_return(const Statement& statement) {
    if (statement.kind == StatementKind::return_) return true;
    for (const StatementPtr& part : statement.parts) {
      if (contains_return(*part)) return true;
    }
    return false;
  }

  ExpressionText expressions_;
  std::string text_;
  std::vector<Loop> loops_;
  int n_masks_ = 0;
};

}  // namespace

std::string emit(const Pass& pass, const Body& body) { return Emitter(pass).run(body); }

}  // namespace rafter::simt::build::lanes

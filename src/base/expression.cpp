#include "base/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/messages.hpp"
#include "rafter/error.hpp"

namespace rafter::base {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

using Apply = double (*)(const double* arguments);

struct Function {
  const char* name;
  int n_arguments;
  Apply apply;
};

constexpr Function functions[] = {
    {"ceil", 1, [](const double* x) { return std::ceil(x[0]); }},
    {"floor", 1, [](const double* x) { return std::floor(x[0]); }},
    {"exp", 1, [](const double* x) { return std::exp(x[0]); }},
    {"log", 1, [](const double* x) { return std::log(x[0]); }},
    {"sin", 1, [](const double* x) { return std::sin(x[0]); }},
    {"cos", 1, [](const double* x) { return std::cos(x[0]); }},
    {"tanh", 1, [](const double* x) { return std::tanh(x[0]); }},
    {"sqrt", 1, [](const double* x) { return std::sqrt(x[0]); }},
    {"log2", 1, [](const double* x) { return std::log2(x[0]); }},
    {"abs", 1, [](const double* x) { return std::fabs(x[0]); }},
    {"min", 2, [](const double* x) { return std::min(x[0], x[1]); }},
    {"max", 2, [](const double* x) { return std::max(x[0], x[1]); }},
};

struct Operator {
  const char* sign;
  int precedence;
  Apply apply;
};

double either(const double* x) { return x[0] != 0 || x[1] != 0 ? 1. : 0.; }
double both(const double* x) { return x[0] != 0 && x[1] != 0 ? 1. : 0.; }

/// Binary operators; a sign is listed before its own prefixes.
constexpr Operator operators[] = {
    {"||", 1, either},
    {"or", 1, either},
    {"&&", 2, both},
    {"and", 2, both},
    {"==", 3, [](const double* x) { return x[0] == x[1] ? 1. : 0.; }},
    {"!=", 3, [](const double* x) { return x[0] != x[1] ? 1. : 0.; }},
    {"<=", 4, [](const double* x) { return x[0] <= x[1] ? 1. : 0.; }},
    {">=", 4, [](const double* x) { return x[0] >= x[1] ? 1. : 0.; }},
    {"<", 4, [](const double* x) { return x[0] < x[1] ? 1. : 0.; }},
    {">", 4, [](const double* x) { return x[0] > x[1] ? 1. : 0.; }},
    {"+", 5, [](const double* x) { return x[0] + x[1]; }},
    {"-", 5, [](const double* x) { return x[0] - x[1]; }},
    {"*", 6, [](const double* x) { return x[0] * x[1]; }},
    {"/", 6, [](const double* x) { return x[0] / x[1]; }},
    {"%", 6, [](const double* x) { return std::fmod(x[0], x[1]); }},
};

}  // namespace

/// Precedence climbing. A power has the highest precedence and associates to the right.
class Expression::Parser {
 public:
  explicit Parser(Expression& expression) : text_(expression.text_), expression_(expression) {}

  void parse() {
    binary(1);
    skip_spaces();
    if (at_ < text_.size()) fail("expected an operator");
  }

 private:
  static constexpr int deepest = 200;  // nested parentheses

  [[noreturn]] void fail(const std::string& what) const {
    const std::string where = at_ < text_.size() ? fmt::format("at '{}'", text_.substr(at_)) : "at its end";
    throw Error(ErrorCode::bad_argument, fmt::format("'{}': {} {}", text_, what, where));
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool take(std::string_view sign) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(sign)) return false;
    const std::size_t end = at_ + sign.size();
    const bool is_part_of_name =
        is_letter(sign.back()) && end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]));
    if (is_part_of_name) return false;
    at_ = end;
    return true;
  }

  const Operator* take_operator(int least_precedence) {
    for (const Operator& candidate : operators) {
      if (candidate.precedence >= least_precedence && take(candidate.sign)) return &candidate;
    }
    return nullptr;
  }

  void call(int n_arguments, Apply apply) {
    expression_.steps_.push_back({.n_arguments = n_arguments, .apply = apply});
  }

  void binary(int least_precedence) {
    unary();
    while (const Operator* found = take_operator(least_precedence)) {
      binary(found->precedence + 1);
      call(2, found->apply);
    }
  }

  void unary() {
    if (++depth_ > deepest) fail("it is nested too deeply");
    if (take("-")) {
      unary();
      call(1, [](const double* x) { return -x[0]; });
    } else if (take("!") || take("not")) {
      unary();
      call(1, [](const double* x) { return x[0] == 0 ? 1. : 0.; });
    } else {
      operand();
      if (take("^")) {
        unary();
        call(2, [](const double* x) { return std::pow(x[0], x[1]); });
      }
    }
    --depth_;
  }

  void operand() {
    if (take("(")) {
      binary(1);
      if (!take(")")) fail("expected ')'");
      return;
    }
    skip_spaces();
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return number();
    if (at_ < text_.size() && is_letter(text_[at_])) return name();
    fail("expected a number or a name");
  }

  void number() {
    const std::string rest(text_.substr(at_));
    const bool is_hexadecimal = rest.size() > 1 && (rest[1] == 'x' || rest[1] == 'X');
    char* end = nullptr;
    const double value = is_hexadecimal ? 0 : std::strtod(rest.c_str(), &end);
    if (end == nullptr || end == rest.c_str()) fail("expected a number");
    at_ += static_cast<std::size_t>(end - rest.c_str());
    expression_.steps_.push_back({.constant = value});
  }

  void name() {
    const std::size_t first = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string word(text_.substr(first, at_ - first));
    if (take("(")) return function(word);
    auto& names = expression_.names_;
    const auto found = std::find(names.begin(), names.end(), word);
    expression_.steps_.push_back({.name = static_cast<std::size_t>(found - names.begin()), .n_arguments = named});
    if (found == names.end()) names.push_back(word);
  }

  /// A call, after its opening parenthesis.
  void function(const std::string& word) {
    int n_arguments = 1;
    binary(1);
    for (; take(","); ++n_arguments) binary(1);
    if (!take(")")) fail("expected ')'");
    std::vector<std::string> known;
    for (const Function& candidate : functions) {
      known.emplace_back(candidate.name);
      if (word != candidate.name) continue;
      if (n_arguments == candidate.n_arguments) return call(n_arguments, candidate.apply);
      throw Error(ErrorCode::bad_argument,
                  fmt::format("'{}': {} takes {} argument{}, not {}", text_, word, candidate.n_arguments,
                              candidate.n_arguments == 1 ? "" : "s", n_arguments));
    }
    throw Error(ErrorCode::bad_argument, fmt::format("'{}': {}", text_, unknown_name("function", word, known)));
  }

  std::string_view text_;
  Expression& expression_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Expression::Expression(std::string_view text) : text_(text) { Parser(*this).parse(); }

double Expression::evaluate(const Names& values) const {
  std::vector<double> stack;
  for (const Step& step : steps_) {
    if (step.n_arguments == named) {
      const std::string& name = names_[step.name];
      const auto found = values.find(name);
      if (found == values.end()) {
        std::vector<std::string> known;
        for (const auto& entry : values) known.push_back(entry.first);
        throw Error(ErrorCode::bad_argument, fmt::format("'{}': {}", text_,
                                                         known.empty() ? fmt::format("'{}' has no value", name)
                                                                       : unknown_name("name", name, known)));
      }
      stack.push_back(found->second);
    } else if (step.n_arguments == 0) {
      stack.push_back(step.constant);
    } else {
      const std::size_t first = stack.size() - static_cast<std::size_t>(step.n_arguments);
      const double value = step.apply(stack.data() + first);
      stack.resize(first);
      stack.push_back(value);
    }
  }
  if (!std::isfinite(stack.back()))
    throw Error(ErrorCode::bad_argument, fmt::format("'{}' is not a finite number: {}", text_, stack.back()));
  return stack.back();
}

void Expression::evaluate_many(std::span<const std::span<const double>> values, std::span<double> results) const {
  std::vector<std::vector<double>> stack;  // of one value, if it is the same for all results
  for (const Step& step : steps_) {
    if (step.n_arguments == named) {
      stack.emplace_back(values[step.name].begin(), values[step.name].end());
    } else if (step.n_arguments == 0) {
      stack.push_back({step.constant});
    } else {
      const std::size_t first = stack.size() - static_cast<std::size_t>(step.n_arguments);
      const std::vector<double>& last = stack.back();
      std::vector<double>& from = stack[first];
      if (from.size() < last.size()) from.resize(last.size(), from[0]);
      const std::size_t stride = last.size() == 1 ? 0 : 1;
      for (std::size_t i = 0; i < from.size(); ++i) {
        const double arguments[] = {from[i], last[i * stride]};
        from[i] = step.apply(arguments);
      }
      stack.resize(first + 1);
    }
  }
  const std::size_t stride = stack.back().size() == 1 ? 0 : 1;
  for (std::size_t i = 0; i < results.size(); ++i) results[i] = stack.back()[i * stride];
}

std::int64_t Expression::evaluate_integer(const Names& values) const {
  constexpr double largest = 9007199254740992;  // 2^53: integers up to it are exact
  const double value = evaluate(values);
  if (std::floor(value) != value) {
    throw Error(ErrorCode::bad_argument,
                fmt::format("'{0}' is {1}; expected an integer: ceil({0}) or floor({0})", text_, value));
  }
  if (std::fabs(value) > largest)
    throw Error(ErrorCode::bad_argument, fmt::format("'{}' is {}: too large", text_, value));
  return static_cast<std::int64_t>(value);
}

double evaluate(std::string_view expression, const Names& values) { return Expression(expression).evaluate(values); }

std::int64_t evaluate_integer(std::string_view expression, const Names& values) {
  return Expression(expression).evaluate_integer(values);
}

std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : list) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace rafter::base

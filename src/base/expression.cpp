#include "base/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

#include "base/messages.hpp"
#include "rafter/error.hpp"

namespace rafter::base {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns the value of a name.
using LookUp = std::function<double(const std::string&)>;

struct Function {
  const char* name;
  std::size_t n_arguments;
  double (*call)(std::span<const double>);
};

constexpr Function functions[] = {
    {"ceil", 1, [](std::span<const double> x) { return std::ceil(x[0]); }},
    {"floor", 1, [](std::span<const double> x) { return std::floor(x[0]); }},
    {"sqrt", 1, [](std::span<const double> x) { return std::sqrt(x[0]); }},
    {"log2", 1, [](std::span<const double> x) { return std::log2(x[0]); }},
    {"abs", 1, [](std::span<const double> x) { return std::fabs(x[0]); }},
    {"min", 2, [](std::span<const double> x) { return std::min(x[0], x[1]); }},
    {"max", 2, [](std::span<const double> x) { return std::max(x[0], x[1]); }},
};

struct Operator {
  const char* sign;
  int binding;  ///< precedence; higher binds tighter
  double (*apply)(double, double);
};

/// The operators; longer ones before their prefixes.
constexpr Operator operators[] = {
    {"||", 1, [](double a, double b) { return a != 0 || b != 0 ? 1. : 0.; }},
    {"&&", 2, [](double a, double b) { return a != 0 && b != 0 ? 1. : 0.; }},
    {"==", 3, [](double a, double b) { return a == b ? 1. : 0.; }},
    {"!=", 3, [](double a, double b) { return a != b ? 1. : 0.; }},
    {"<=", 4, [](double a, double b) { return a <= b ? 1. : 0.; }},
    {">=", 4, [](double a, double b) { return a >= b ? 1. : 0.; }},
    {"<", 4, [](double a, double b) { return a < b ? 1. : 0.; }},
    {">", 4, [](double a, double b) { return a > b ? 1. : 0.; }},
    {"+", 5, [](double a, double b) { return a + b; }},
    {"-", 5, [](double a, double b) { return a - b; }},
    {"*", 6, [](double a, double b) { return a * b; }},
    {"/", 6, [](double a, double b) { return a / b; }},
    {"%", 6, [](double a, double b) { return std::fmod(a, b); }},
};

/// A precedence-climbing parser. The power operator binds tightest and is right-associative.
class Parser {
 public:
  Parser(std::string_view text, const LookUp& look_up) : text_(text), look_up_(look_up) {}

  double whole() {
    const double value = expression(1);
    skip_spaces();
    if (at_ < text_.size()) fail("expected an operator");
    return value;
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
    at_ += sign.size();
    return true;
  }

  const Operator* take_operator(int least_binding) {
    for (const Operator& candidate : operators) {
      if (candidate.binding >= least_binding && take(candidate.sign)) return &candidate;
    }
    return nullptr;
  }

  double expression(int least_binding) {
    if (++depth_ > deepest) fail("it is nested too deeply");
    double value = power();
    while (const Operator* found = take_operator(least_binding))
      value = found->apply(value, expression(found->binding + 1));
    --depth_;
    return value;
  }

  double power() {
    if (take("-")) return -power();
    if (take("!")) return power() == 0 ? 1 : 0;
    const double base = operand();
    return take("^") ? std::pow(base, power()) : base;
  }

  double operand() {
    if (take("(")) {
      const double value = expression(1);
      if (!take(")")) fail("expected ')'");
      return value;
    }
    skip_spaces();
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return number();
    if (at_ < text_.size() && is_letter(text_[at_])) return name();
    fail("expected a number or a name");
  }

  double number() {
    const std::string rest(text_.substr(at_));
    const bool is_hexadecimal = rest.size() > 1 && (rest[1] == 'x' || rest[1] == 'X');
    char* end = nullptr;
    const double value = is_hexadecimal ? 0 : std::strtod(rest.c_str(), &end);
    if (end == nullptr || end == rest.c_str()) fail("expected a number");
    at_ += static_cast<std::size_t>(end - rest.c_str());
    return value;
  }

  double name() {
    const std::size_t first = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string word(text_.substr(first, at_ - first));
    if (!take("(")) return look_up_(word);
    std::vector<double> arguments{expression(1)};
    while (take(",")) arguments.push_back(expression(1));
    if (!take(")")) fail("expected ')'");
    std::vector<std::string> known;
    for (const Function& function : functions) {
      if (word != function.name) {
        known.emplace_back(function.name);
      } else if (arguments.size() == function.n_arguments) {
        return function.call(arguments);
      } else {
        throw Error(ErrorCode::bad_argument,
                    fmt::format("'{}': {} takes {} argument{}, not {}", text_, word, function.n_arguments,
                                function.n_arguments == 1 ? "" : "s", arguments.size()));
      }
    }
    throw Error(ErrorCode::bad_argument, fmt::format("'{}': {}", text_, unknown_name("function", word, known)));
  }

  std::string_view text_;
  const LookUp& look_up_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

double evaluate(std::string_view expression, const Names& names) {
  const LookUp look_up = [&](const std::string& name) {
    if (const auto found = names.find(name); found != names.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& entry : names) known.push_back(entry.first);
    const std::string complaint =
        known.empty() ? fmt::format("'{}' has no value", name) : unknown_name("name", name, known);
    throw Error(ErrorCode::bad_argument, fmt::format("'{}': {}", expression, complaint));
  };
  const double value = Parser(expression, look_up).whole();
  if (!std::isfinite(value))
    throw Error(ErrorCode::bad_argument, fmt::format("'{}' is not a finite number: {}", expression, value));
  return value;
}

std::int64_t evaluate_integer(std::string_view expression, const Names& names) {
  constexpr double largest = 9007199254740992;  // 2^53: integers up to it are exact
  const double value = evaluate(expression, names);
  if (std::floor(value) != value) {
    throw Error(ErrorCode::bad_argument,
                fmt::format("'{0}' is {1}; expected an integer: ceil({0}) or floor({0})", expression, value));
  }
  if (std::fabs(value) > largest)
    throw Error(ErrorCode::bad_argument, fmt::format("'{}' is {}: too large", expression, value));
  return static_cast<std::int64_t>(value);
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

std::vector<std::string> names_in(std::string_view expression) {
  std::vector<std::string> found;
  const LookUp look_up = [&](const std::string& name) {
    if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
    return 1.;
  };
  Parser(expression, look_up).whole();
  return found;
}

}  // namespace rafter::base

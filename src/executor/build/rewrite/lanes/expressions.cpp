#include "executor/build/rewrite/lanes/expressions.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace rafter::simt::build::lanes {

namespace {

constexpr auto number_types =
    std::to_array<std::string_view>({"unsigned", "signed", "int", "long", "float", "double", "bool", "size_t", "uint",
                                     "int32_t", "uint32_t", "int64_t", "uint64_t"});

/// Returns the precedence of a binary operator; 0 if it is not one.
int precedence(std::string_view op) {
  constexpr std::array<std::array<std::string_view, 4>, 10> levels{{{"||"},
                                                                    {"&&"},
                                                                    {"|"},
                                                                    {"^"},
                                                                    {"&"},
                                                                    {"==", "!="},
                                                                    {"<", ">", "<=", ">="},
                                                                    {"<<", ">>"},
                                                                    {"+", "-"},
                                                                    {"*", "/", "%"}}};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!op.empty() && is_among(levels[i], op)) return static_cast<int>(i) + 1;
  }
  return 0;
}

/// Whether a macro is an alias of an arithmetic type.
bool is_type_macro(const Macro& macro) {
  return !macro.function_like && !macro.body.empty() &&
         std::all_of(macro.body.begin(), macro.body.end(),
                     [](const std::string& word) { return is_among(number_types, word); });
}

/// Whether a macro is a number, or a sum or product of numbers in parentheses, so that it can be used like a literal.
bool is_number_macro(const Macro& macro) {
  const auto is_part = [](const std::string& token) {
    const auto c = static_cast<unsigned char>(token[0]);
    return std::isdigit(c) != 0 || (c == '.' && token.size() > 1) || token == "(" || token == ")" || token == "*" ||
           token == "+" || token == "-" || token == "/";
  };
  return !macro.function_like && macro.is_atom && std::all_of(macro.body.begin(), macro.body.end(), is_part);
}

/// Whether lanes may give an expression another type than C++: loads promote to int, and masks are bool.
bool may_change_type(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::name: return expression.variable != nullptr && expression.variable->type == "auto";
    case ExpressionKind::binary: return expression.text == "&" || expression.text == "|" || expression.text == "^";
    case ExpressionKind::subscript:
    case ExpressionKind::member:
    case ExpressionKind::conditional:
    case ExpressionKind::call: return true;
    default: return false;
  }
}

}  // namespace

bool is_vector(std::string_view type) {
  constexpr auto elements =
      std::to_array<std::string_view>({"float", "int", "uint", "double", "longlong", "ulonglong"});
  if (type.empty() || type.back() < '2' || type.back() > '4') return false;
  return is_among(elements, type.substr(0, type.size() - 1));
}

int read_type(const Pass& pass, int i, std::string& type) {
  const Tokens& tokens = pass.tokens;
  type.clear();
  const auto is_const = [&](int at) { return tokens.is(at, "const") || tokens.is(at, "constexpr"); };
  int at = i;
  while (is_const(at)) ++at;
  if (tokens.is(at, "std") && tokens.is(at + 1, "::")) at += 2;
  if (tokens.is(at, "auto") || is_vector(tokens.text(at))) type = tokens.text(at++);
  while (type != "auto" && !is_vector(type) && is_among(number_types, tokens.text(at))) {
    if (!type.empty()) type += ' ';
    type += tokens.text(at++);
  }
  const auto macro = pass.macros.find(tokens.text(at));
  const bool is_other_name = macro != pass.macros.end()
                                 ? is_type_macro(macro->second)
                                 : pass.options.callees.has_number_type(tokens.text(at)) && !tokens.is(at + 1, "::");
  if (type.empty() && is_other_name) type = tokens.text(at++);
  if (type.empty()) return i;
  while (is_const(at)) ++at;
  return at;
}

ExpressionPtr ExpressionParser::make(ExpressionKind kind, int first, std::string text) const {
  auto made = std::make_unique<Expression>();
  made->kind = kind;
  made->first = first;
  made->last = i_ - 1;
  made->text = std::move(text);
  return made;
}

void ExpressionParser::expect(std::string_view text) {
  if (!tokens_.is(i_, text) || tokens_[i_].directive != 0) throw Unknown();
  ++i_;
}

/// Returns the binary operator at the current token; `>>` is two tokens.
std::string ExpressionParser::operator_here() const {
  const auto joins = [&](int i) { return tokens_[i].end == tokens_[i + 1].begin; };
  if (!tokens_.is(i_, ">") || !joins(i_)) return std::string(tokens_.text(i_));
  if (tokens_.is(i_ + 1, ">=") || (tokens_.is(i_ + 1, ">") && tokens_.is(i_ + 2, "=") && joins(i_ + 1))) return ">>=";
  return tokens_.is(i_ + 1, ">") ? ">>" : ">";
}

ExpressionPtr ExpressionParser::conditional() {
  const int first = i_;
  ExpressionPtr condition = binary(1);
  if (!tokens_.is(i_, "?")) return condition;
  ++i_;
  ExpressionPtr then = conditional();
  expect(":");
  ExpressionPtr otherwise = conditional();
  ExpressionPtr made = make(ExpressionKind::conditional, first, "?");
  made->parts.push_back(std::move(condition));
  made->parts.push_back(std::move(then));
  made->parts.push_back(std::move(otherwise));
  return made;
}

ExpressionPtr ExpressionParser::binary(int weakest) {
  const int first = i_;
  ExpressionPtr left = unary();
  for (;;) {
    const std::string op = operator_here();
    const int binds = precedence(op);
    if (binds == 0 || binds < weakest) return left;
    i_ += op == ">>" ? 2 : 1;
    ExpressionPtr right = binary(binds + 1);
    ExpressionPtr made = make(ExpressionKind::binary, first, op);
    made->parts.push_back(std::move(left));
    made->parts.push_back(std::move(right));
    left = std::move(made);
  }
}

ExpressionPtr ExpressionParser::unary() {
  const int first = i_;
  if (tokens_[i_].directive != 0) throw Unknown();
  for (std::string_view op : {"-", "+", "!", "~"}) {
    if (!tokens_.is(i_, op)) continue;
    ++i_;
    ExpressionPtr operand = unary();
    ExpressionPtr made = make(ExpressionKind::unary, first, std::string(op));
    made->parts.push_back(std::move(operand));
    return made;
  }
  std::string type;
  if (const int after = tokens_.is(i_, "(") ? read_type(pass_, i_ + 1, type) : i_;
      after > i_ + 1 && tokens_.is(after, ")")) {
    if (type == "auto") throw Unknown();
    i_ = after + 1;
    ExpressionPtr operand = unary();
    ExpressionPtr made = make(ExpressionKind::cast, first, type);
    made->parts.push_back(std::move(operand));
    return made;
  }
  return postfix();
}

ExpressionPtr ExpressionParser::postfix() {
  const int first = i_;
  ExpressionPtr made = primary();
  for (;;) {
    if (tokens_.is(i_, "[")) {
      ++i_;
      ExpressionPtr index = expression();
      expect("]");
      ExpressionPtr element = make(ExpressionKind::subscript, first, "[]");
      element->parts.push_back(std::move(made));
      element->parts.push_back(std::move(index));
      made = std::move(element);
    } else if (tokens_.is(i_, ".") && tokens_.is_identifier(i_ + 1) && !tokens_.is(i_ + 2, "(")) {
      i_ += 2;
      ExpressionPtr member = make(ExpressionKind::member, first, std::string(tokens_.text(i_ - 1)));
      member->parts.push_back(std::move(made));
      made = std::move(member);
    } else {
      return made;
    }
  }
}

ExpressionPtr ExpressionParser::primary() {
  const int first = i_;
  const Token& token = tokens_[i_];
  if (token.kind == TokenKind::number || token.kind == TokenKind::character || tokens_.is(i_, "true") ||
      tokens_.is(i_, "false")) {
    const std::string_view text = tokens_.text(i_);
    const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const bool is_real = token.kind == TokenKind::number && !is_hexadecimal && text.find_first_of(".eEfF") != text.npos;
    ++i_;
    return make(ExpressionKind::literal, first, is_real ? "real" : "");
  }
  if (tokens_.is(i_, "(")) {
    ++i_;
    ExpressionPtr inner = expression();
    expect(")");
    inner->first = first;
    inner->last = i_ - 1;
    return inner;
  }
  std::string type;
  const bool casts = tokens_.is(i_, "static_cast") && tokens_.is(i_ + 1, "<");
  if (const int after = read_type(pass_, casts ? i_ + 2 : i_, type); !type.empty()) {
    if (type == "auto" || (casts && !tokens_.is(after, ">"))) throw Unknown();
    i_ = casts ? after + 1 : after;
    expect("(");
    ExpressionPtr operand = expression();
    expect(")");
    ExpressionPtr made = make(ExpressionKind::cast, first, type);
    made->parts.push_back(std::move(operand));
    return made;
  }
  return name();
}

ExpressionPtr ExpressionParser::name() {
  const int first = i_;
  if (tokens_.is(i_, "::")) ++i_;
  while (tokens_.is_identifier(i_) && tokens_.is(i_ + 1, "::")) i_ += 2;
  if (!tokens_.is_identifier(i_)) throw Unknown();
  const std::string text(tokens_.text(first, i_));
  ++i_;
  if (text == "threadIdx") {
    if (!tokens_.is(i_, ".") || !tokens_.is_identifier(i_ + 1)) throw Unknown();
    i_ += 2;
    const bool varies = tokens_.is(i_ - 1, "x");
    return make(varies ? ExpressionKind::thread_index : ExpressionKind::literal, first, text);
  }
  if (tokens_.is(i_, "(")) return call(first, text);
  const auto macro = pass_.macros.find(text);
  if (macro != pass_.macros.end() && !is_number_macro(macro->second)) throw Unknown();
  if (pass_.options.callees.has_type(text) || pass_.options.callees.has(text)) throw Unknown();
  ExpressionPtr made = make(ExpressionKind::name, first, text);
  if (const auto found = names_.find(text); found != names_.end()) made->variable = found->second;
  return made;
}

ExpressionPtr ExpressionParser::call(int first, std::string function) {
  if (pass_.macros.contains(function) || pass_.options.callees.has_type(function) || names_.contains(function) ||
      function == "printf" || function == "sizeof" || pass_.options.callees.takes_references(function))
    throw Unknown();
  ++i_;
  std::vector<ExpressionPtr> arguments;
  while (!tokens_.is(i_, ")")) {
    if (!arguments.empty()) expect(",");
    arguments.push_back(expression());
  }
  ++i_;
  const bool is_typed = std::none_of(arguments.begin(), arguments.end(),
                                     [](const ExpressionPtr& argument) { return may_change_type(*argument); });
  if (!is_typed && pass_.options.callees.is_overloaded(function)) throw Unknown();
  ExpressionPtr made = make(ExpressionKind::call, first, std::move(function));
  made->parts = std::move(arguments);
  return made;
}

}  // namespace rafter::simt::build::lanes

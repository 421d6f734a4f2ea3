#include "executor/build/sides/conditions.hpp"

#include <array>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "executor/build/rewrite/rewriter.hpp"

namespace rafter::simt::build {

namespace {

/// A number, or nothing if it is unknown.
using Value = std::optional<long>;

struct Operator {
  std::string_view text;
  int level;  // a higher level binds tighter
};
constexpr auto operators = std::to_array<Operator>({{"||", 1},
                                                    {"&&", 2},
                                                    {"|", 3},
                                                    {"^", 4},
                                                    {"&", 5},
                                                    {"==", 6},
                                                    {"!=", 6},
                                                    {"<", 7},
                                                    {"<=", 7},
                                                    {">", 7},
                                                    {">=", 7},
                                                    {"<<", 8},
                                                    {"+", 9},
                                                    {"-", 9},
                                                    {"*", 10},
                                                    {"/", 10},
                                                    {"%", 10}});

/// Evaluates one condition. What it cannot read is unknown.
class Condition {
 public:
  /// `defined` are the other macros that are taken to be defined.
  Condition(const Tokens& tokens, int first, int end, Side side, const std::set<std::string_view>& defined)
      : tokens_(tokens), at_(first), end_(end), side_(side), defined_(defined) {}

  Value value() {
    const Value result = binary(1);
    return at_ == end_ ? result : Value();
  }

 private:
  std::string_view text() const { return at_ < end_ ? tokens_.text(at_) : std::string_view(); }

  const Operator* next_operator() const {
    for (const Operator& one : operators) {
      if (text() == one.text) return &one;
    }
    return nullptr;
  }

  Value binary(int level) {
    Value left = unary();
    for (const Operator* found = next_operator(); found != nullptr && found->level >= level; found = next_operator()) {
      ++at_;
      left = apply(found->text, left, binary(found->level + 1));
    }
    return left;
  }

  static Value apply(std::string_view what, Value a, Value b) {
    if (what == "&&" && (a == 0 || b == 0)) return 0;
    if (what == "||" && ((a && *a != 0) || (b && *b != 0))) return 1;
    if (!a || !b) return {};
    if (what == "&&" || what == "||") return what == "&&";
    if (what == "==") return *a == *b;
    if (what == "!=") return *a != *b;
    if (what == "<") return *a < *b;
    if (what == "<=") return *a <= *b;
    if (what == ">") return *a > *b;
    if (what == ">=") return *a >= *b;
    if (what == "|") return *a | *b;
    if (what == "^") return *a ^ *b;
    if (what == "&") return *a & *b;
    if (what == "+") return *a + *b;
    if (what == "-") return *a - *b;
    if (what == "*") return *a * *b;
    if (what == "/" && *b != 0) return *a / *b;
    if (what == "%" && *b != 0) return *a % *b;
    return {};
  }

  Value unary() {
    const std::string_view sign = text();
    if (sign == "!" || sign == "-" || sign == "+" || sign == "~") {
      ++at_;
      const Value operand = unary();
      if (!operand) return {};
      return sign == "!" ? *operand == 0 : sign == "-" ? -*operand : sign == "~" ? ~*operand : *operand;
    }
    return primary();
  }

  Value primary() {
    if (text() == "(") {
      ++at_;
      const Value inner = binary(1);
      if (text() != ")") at_ = end_ + 1;
      ++at_;
      return inner;
    }
    if (text() == "defined") {
      ++at_;
      const bool parenthesised = text() == "(";
      if (parenthesised) ++at_;
      const std::string_view name = text();
      at_ += parenthesised ? 2 : 1;
      if (name == "__CUDA_ARCH__" || name == architecture_features) return side_ == Side::device;
      return name == "__CUDACC__" || name == "__NVCC__" || defined_.contains(name);
    }
    const std::string spelling(text());
    const bool is_number = at_ < end_ && tokens_[at_].kind == TokenKind::number;
    ++at_;
    if (spelling == "__CUDA_ARCH__") return side_ == Side::device ? device_architecture : 0;
    return is_number ? Value(std::strtol(spelling.c_str(), nullptr, 0)) : Value();
  }

  const Tokens& tokens_;
  int at_, end_;
  Side side_;
  const std::set<std::string_view>& defined_;
};

}  // namespace

bool depends_on_side(const Tokens& tokens, int first, int end) {
  std::vector<std::string_view> others;
  for (int i = first; i + 1 < end; ++i) {
    if (tokens.is(i, "defined")) others.push_back(tokens.text(tokens.is(i + 1, "(") ? i + 2 : i + 1));
  }
  constexpr std::size_t most_others = 6;
  if (others.size() > most_others) return true;
  for (unsigned choice = 0; choice < 1u << others.size(); ++choice) {
    std::set<std::string_view> defined;
    for (std::size_t i = 0; i < others.size(); ++i) {
      if ((choice >> i & 1) != 0) defined.insert(others[i]);
    }
    const Value on_host = Condition(tokens, first, end, Side::host, defined).value();
    const Value on_device = Condition(tokens, first, end, Side::device, defined).value();
    if (!on_host || !on_device || (*on_host != 0) != (*on_device != 0)) return true;
  }
  return false;
}

}  // namespace rafter::simt::build

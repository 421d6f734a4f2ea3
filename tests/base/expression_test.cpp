#include "base/expression.hpp"

#include <gtest/gtest.h>

#include "workbench/lab/expect_error.hpp"

namespace rafter::base {

using lab::expect_error;

TEST(Expression, HasTheUsualPrecedence) {
  EXPECT_EQ(evaluate("1 + 2*3", {}), 7);
  EXPECT_EQ(evaluate("(1 + 2)*3", {}), 9);
  EXPECT_EQ(evaluate("2^10", {}), 1024);
  EXPECT_EQ(evaluate("2^3^2", {}), 512);
  EXPECT_EQ(evaluate("-2^2", {}), -4);
  EXPECT_EQ(evaluate("7 - 2 - 1", {}), 4);
  EXPECT_EQ(evaluate("8/4/2", {}), 1);
  EXPECT_EQ(evaluate("7 % 4", {}), 3);
  EXPECT_EQ(evaluate("1e8", {}), 1e8);
  EXPECT_EQ(evaluate("1/4", {}), 0.25);
}

TEST(Expression, KnowsNamesAndFunctions) {
  const Names names{{"n", 1000}, {"TILE", 16}};
  EXPECT_EQ(evaluate("ceil(n/TILE)", names), 63);
  EXPECT_EQ(evaluate("floor(n/TILE) * TILE", names), 992);
  EXPECT_EQ(evaluate("min(n, TILE) + max(1, 2)", names), 18);
  EXPECT_EQ(evaluate("sqrt(TILE) + log2(TILE) + abs(-1)", names), 9);
  EXPECT_EQ(Expression("ceil(n/TILE) + n").names(), (std::vector<std::string>{"n", "TILE"}));
}

TEST(Expression, Compares) {
  const Names names{{"A", 4}, {"B", 8}};
  EXPECT_EQ(evaluate("A*B <= 32", names), 1);
  EXPECT_EQ(evaluate("A*B < 32", names), 0);
  EXPECT_EQ(evaluate("A == 4 && !(B != 8) || 0", names), 1);
  EXPECT_EQ(evaluate("A >= 5 || B > 7", names), 1);
}

TEST(Expression, CombinesConditionsByWords) {
  EXPECT_EQ(evaluate("1 or 0 and 0", {}), 1);
  EXPECT_EQ(evaluate("(1 or 0) and 0", {}), 0);
  EXPECT_EQ(evaluate("not 0 and not(1 < 0)", {}), 1);
  EXPECT_EQ(evaluate("order + android + nothing", {{"order", 1}, {"android", 2}, {"nothing", 4}}), 7);
}

TEST(Expression, ReportsSyntaxErrorsAndUnknownNames) {
  const Names names{{"size", 5}};
  expect_error(ErrorCode::bad_argument, "did you mean 'size'?", [&] { evaluate("2*sise", names); });
  expect_error(ErrorCode::bad_argument, "'n' has no value", [&] { evaluate("n", {}); });
  expect_error(ErrorCode::bad_argument, "expected a number or a name at its end", [&] { evaluate("2*", {}); });
  expect_error(ErrorCode::bad_argument, "expected an operator at '3'", [&] { evaluate("2 3", {}); });
  expect_error(ErrorCode::bad_argument, "expected ')'", [&] { evaluate("(2", {}); });
  expect_error(ErrorCode::bad_argument, "did you mean 'ceil'?", [&] { evaluate("celi(2)", {}); });
  expect_error(ErrorCode::bad_argument, "min takes 2 arguments, not 1", [&] { evaluate("min(2)", {}); });
  expect_error(ErrorCode::bad_argument, "not a finite number", [&] { evaluate("1/0", {}); });
  expect_error(ErrorCode::bad_argument, "a number", [&] { evaluate("", {}); });
  expect_error(ErrorCode::bad_argument, "nested too deeply", [&] { evaluate(std::string(1000, '('), {}); });
}

TEST(Expression, RejectsFractionsForIntegers) {
  EXPECT_EQ(evaluate_integer("1e8 / 10", {}), 10'000'000);
  expect_error(ErrorCode::bad_argument, "ceil(10/4)", [&] { evaluate_integer("10/4", {}); });
  expect_error(ErrorCode::bad_argument, "too large", [&] { evaluate_integer("1e30", {}); });
}

TEST(Expression, SplitsListsOutsideOfParentheses) {
  EXPECT_EQ(split_list("ceil(n/4),min(a,(b+1)),3"), (std::vector<std::string>{"ceil(n/4)", "min(a,(b+1))", "3"}));
  EXPECT_EQ(split_list(""), (std::vector<std::string>{""}));
}

}  // namespace rafter::base

#include "workbench/lab/workload/params.hpp"

#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::lab {
namespace {

TEST(ParseInteger, TakesPlainNumbers) {
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("1"), 1);
  EXPECT_EQ(parse_integer("256"), 256);
}

TEST(ParseInteger, KeepsAllDigitsBeyondWhatADoubleHolds) {
  EXPECT_EQ(parse_integer("9007199254740993"), 9007199254740993);
}

TEST(ParseInteger, TakesPowers) {
  EXPECT_EQ(parse_integer("2^28"), std::int64_t{1} << 28);
  EXPECT_EQ(parse_integer("2^0"), 1);
  EXPECT_EQ(parse_integer("10^6"), 1000000);
  EXPECT_EQ(parse_integer("2^62"), std::int64_t{1} << 62);
}

TEST(ParseInteger, TakesExponents) {
  EXPECT_EQ(parse_integer("1e7"), 10000000);
  EXPECT_EQ(parse_integer("2.5e3"), 2500);
}

TEST(ParseInteger, TakesSuffixes) {
  EXPECT_EQ(parse_integer("64k"), 64000);
  EXPECT_EQ(parse_integer("3M"), 3000000);
  EXPECT_EQ(parse_integer("2G"), 2000000000);
  EXPECT_EQ(parse_integer("64Ki"), 65536);
  EXPECT_EQ(parse_integer("16Mi"), 16777216);
  EXPECT_EQ(parse_integer("4Gi"), 4294967296);
  EXPECT_EQ(parse_integer("1.5k"), 1500);
}

TEST(ParseInteger, TakesDecimalsThatASuffixMakesWhole) {
  EXPECT_EQ(parse_integer("2.01k"), 2010);
  EXPECT_EQ(parse_integer("1.001k"), 1001);
  EXPECT_EQ(parse_integer("4.03M"), 4030000);
}

class ParseIntegerRefuses : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, ParseIntegerRefuses,
                         testing::Values("", " ", "-1", "-2^3", "-1k", "1.5", "2^0.5", "2^-1", "1e-3", "0.0001k",
                                         "2^63", "2^64", "1e19", "1e400", "99999999999999999999", "10000000000G", "2^",
                                         "^2", "^", "2^^3", "2^3^4", "k", "Mi", "12q", "1kk", "1 000", " 5", "5 ", "+5",
                                         "0x10", "1,000", "abc", "nan", "inf", "-inf"));

TEST_P(ParseIntegerRefuses, AndListsTheForms) {
  const std::string text = GetParam();
  expect_error(ErrorCode::bad_argument, "'" + text + "' is not a whole number", [&] { parse_integer(text); });
  expect_error(ErrorCode::bad_argument, "2^28, 1e7, 64k or 16Mi", [&] { parse_integer(text); });
}

TEST(ParseValue, WholeNumbersTakeTheIntegerForms) {
  const Parameter n{"n", "elements", std::int64_t{1}};
  EXPECT_EQ(parse_value(n, "2^10"), Value(std::int64_t{1024}));
  expect_error(ErrorCode::bad_argument, "'1.5'", [&] { parse_value(n, "1.5"); });
}

TEST(ParseValue, RealsMayBeNegativeAndFractional) {
  const Parameter scale{"scale", "factor", 1.};
  EXPECT_EQ(parse_value(scale, "-0.25"), Value(-0.25));
  EXPECT_EQ(parse_value(scale, "3"), Value(3.));
}

TEST(ParseValue, RealsRefuseNonNumbers) {
  const Parameter scale{"scale", "factor", 1.};
  for (const char* text : {"", "x", "1x", "1 "}) {
    expect_error(ErrorCode::bad_argument, "scale", [&] { parse_value(scale, text); });
  }
}

TEST(ParseValue, WordsMustBeAmongTheChoices) {
  const Parameter dtype{"dtype", "type", std::string("float32"), false, {"float32", "float64"}};
  EXPECT_EQ(parse_value(dtype, "float64"), Value(std::string("float64")));
  expect_error(ErrorCode::bad_argument, "did you mean 'float32'", [&] { parse_value(dtype, "float23"); });
  expect_error(ErrorCode::bad_argument, "expected one of: float32, float64", [&] { parse_value(dtype, "int8"); });
  expect_error(ErrorCode::bad_argument, "dtype", [&] { parse_value(dtype, ""); });
  expect_error(ErrorCode::bad_argument, "dtype", [&] { parse_value(dtype, "Float32"); });
}

TEST(Params, KeepTheOrderInWhichTheyWereSet) {
  Params params;
  params.set("rows", std::int64_t{3});
  params.set("cols", std::int64_t{4});
  params.set("rows", std::int64_t{5});
  ASSERT_EQ(params.all().size(), 2u);
  EXPECT_EQ(params.all()[0].first, "rows");
  EXPECT_EQ(params.integer("rows"), 5);
  EXPECT_EQ(params.integer("cols"), 4);
}

TEST(Params, TextNamesEveryValue) {
  const Params params{{"rows", std::int64_t{1000000}}, {"cols", std::int64_t{2048}}, {"dtype", "float32"}, {"c", 0.5}};
  EXPECT_EQ(params.text(), "rows=1000000 cols=2^11 dtype=float32 c=0.5");
}

TEST(Params, EmptyTextIsEmpty) { EXPECT_EQ(Params().text(), ""); }

TEST(Params, ValuesAreFoundByName) {
  const Params params{{"dtype", "float32"}, {"c", 0.5}};
  EXPECT_EQ(params.word("dtype"), "float32");
  EXPECT_EQ(params.real("c"), 0.5);
  EXPECT_EQ(params.find("d"), nullptr);
}

TEST(Params, ReadingAnUnsetParameterThrows) {
  expect_error(ErrorCode::bad_argument, "'n' is not set", [] { Params().integer("n"); });
}

Workload workload_of_two() {
  Workload workload;
  workload.name = "rows";
  workload.parameters = {{"n_rows", "rows", std::int64_t{10}}, {"dtype", "type", std::string("float32")}};
  return workload;
}

TEST(Complete, FillsInDefaultsInTheWorkloadsOrder) {
  EXPECT_EQ(complete(workload_of_two(), {{"dtype", "float64"}}).text(), "n_rows=10 dtype=float64");
}

TEST(Complete, OmitsDefaultsOfHiddenParameters) {
  Workload workload = workload_of_two();
  workload.parameters.push_back({.name = "pitch", .meaning = "", .standard = std::int64_t{0}, .shows_standard = false});
  EXPECT_EQ(complete(workload, {}).text(), "n_rows=10 dtype=float32");
  EXPECT_EQ(complete(workload, {{"pitch", std::int64_t{0}}}).text(), "n_rows=10 dtype=float32");
  EXPECT_EQ(complete(workload, {{"pitch", std::int64_t{7}}}).text(), "n_rows=10 dtype=float32 pitch=7");
  EXPECT_EQ(complete(workload, {}).integer_or("pitch", 3), 3);
  EXPECT_EQ(complete(workload, {{"pitch", std::int64_t{7}}}).integer_or("pitch", 3), 7);
}

TEST(Complete, RefusesUnknownParametersWithASuggestion) {
  expect_error(ErrorCode::bad_argument, "rows: unknown parameter 'n_row': did you mean 'n_rows'?", [] {
    complete(workload_of_two(), {{"n_row", std::int64_t{1}}});
  });
}

}  // namespace
}  // namespace rafter::lab

#include "workbench/lab/data/comparator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace rafter::lab {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Comparison compare_within(double bound, const std::vector<double>& actual, const std::vector<double>& expected) {
  return compare<double>(actual, expected, [bound](std::int64_t) { return bound; });
}

TEST(Comparator, EqualValuesPass) {
  const Comparison c = compare_within(0, {1, -2, 3}, {1, -2, 3});
  EXPECT_TRUE(c.ok());
  EXPECT_EQ(c.n_compared, 3);
  EXPECT_EQ(c.n_wrong, 0);
  EXPECT_EQ(c.worst_share, 0);
}

TEST(Comparator, NanNeverPassesForANumber) {
  for (const double bound : {0., 1., 1e300, infinity}) {
    const Comparison c = compare_within(bound, {nan_value}, {1});
    EXPECT_FALSE(c.ok()) << "bound " << bound;
    EXPECT_EQ(c.n_wrong, 1) << "bound " << bound;
  }
}

TEST(Comparator, NegativeNanNeverPasses) { EXPECT_FALSE(compare_within(1, {-nan_value}, {0}).ok()); }

TEST(Comparator, FloatNanNeverPasses) {
  const std::vector<float> actual{std::numeric_limits<float>::quiet_NaN()};
  const std::vector<double> expected{0};
  EXPECT_FALSE(compare<float>(actual, expected, [](std::int64_t) { return 1.; }).ok());
}

TEST(Comparator, ExpectedNanRequiresNan) {
  EXPECT_TRUE(compare_within(0, {nan_value}, {nan_value}).ok());
  EXPECT_FALSE(compare_within(1e300, {1}, {nan_value}).ok());
  EXPECT_FALSE(compare_within(1e300, {infinity}, {nan_value}).ok());
}

TEST(Comparator, ExpectedInfinityRequiresItsSign) {
  EXPECT_TRUE(compare_within(0, {infinity}, {infinity}).ok());
  EXPECT_TRUE(compare_within(0, {-infinity}, {-infinity}).ok());
  EXPECT_FALSE(compare_within(infinity, {-infinity}, {infinity}).ok());
  EXPECT_FALSE(compare_within(infinity, {infinity}, {-infinity}).ok());
  EXPECT_FALSE(compare_within(infinity, {nan_value}, {infinity}).ok());
  EXPECT_FALSE(compare_within(infinity, {1e308}, {infinity}).ok());
}

TEST(Comparator, InfinityNeverPassesForANumber) {
  EXPECT_FALSE(compare_within(1e300, {infinity}, {1}).ok());
  EXPECT_FALSE(compare_within(1e300, {-infinity}, {1}).ok());
}

TEST(Comparator, WrongElementsAreLocatedUnderAnInfiniteBoundToo) {
  const Comparison c = compare_within(infinity, {0, infinity}, {0, 1});
  EXPECT_EQ(c.n_wrong, 1);
  EXPECT_EQ(c.first.index, 1);
  EXPECT_EQ(c.worst.index, 1);
}

TEST(Comparator, ErrorsCountOnBothSides) {
  EXPECT_TRUE(compare_within(0.5, {1.25, 0.75}, {1, 1}).ok());
  EXPECT_FALSE(compare_within(0.5, {1.75}, {1}).ok());
  EXPECT_FALSE(compare_within(0.5, {0.25}, {1}).ok());
}

TEST(Comparator, NegativeValuesAreComparedByMagnitudeOfTheError) {
  EXPECT_TRUE(compare_within(0.5, {-10.5, -9.5}, {-10, -10}).ok());
  EXPECT_FALSE(compare_within(0.5, {-11}, {-10}).ok());
  EXPECT_FALSE(compare_within(0.5, {10}, {-10}).ok());
}

TEST(Comparator, BoundExactlyMetPasses) {
  const Comparison c = compare_within(0.25, {1.25, 0.75}, {1, 1});
  EXPECT_TRUE(c.ok());
  EXPECT_EQ(c.worst_share, 1);
}

TEST(Comparator, BoundExceededByOneUlpFails) {
  for (const double bound : {0.25, 1 / 3., 1., 1.9999999999999998, 3e-300, 5e-324}) {
    EXPECT_TRUE(compare_within(bound, {bound}, {0}).ok()) << bound;
    EXPECT_FALSE(compare_within(bound, {std::nextafter(bound, 10.)}, {0}).ok()) << bound;
    EXPECT_FALSE(compare_within(bound, {-std::nextafter(bound, 10.)}, {0}).ok()) << bound;
  }
}

TEST(Comparator, ZeroBoundAllowsNothing) {
  EXPECT_TRUE(compare_within(0, {1}, {1}).ok());
  EXPECT_TRUE(compare_within(0, {-0.}, {0.}).ok());
  EXPECT_FALSE(compare_within(0, {std::nextafter(1., 2.)}, {1}).ok());
}

TEST(Comparator, NanAndNegativeBoundsAllowNothing) {
  EXPECT_FALSE(compare_within(nan_value, {1}, {1}).ok());
  EXPECT_FALSE(compare_within(-1, {1}, {1}).ok());
}

TEST(Comparator, OverflowingErrorFails) { EXPECT_FALSE(compare_within(1e308, {1e308}, {-1e308}).ok()); }

TEST(Comparator, FloatsAreComparedUnrounded) {
  const std::vector<float> actual{0.1f};  // 1.5e-9 off the double
  const std::vector<double> expected{0.1};
  EXPECT_FALSE(compare<float>(actual, expected, [](std::int64_t) { return 1e-9; }).ok());
  EXPECT_TRUE(compare<float>(actual, expected, [](std::int64_t) { return 2e-9; }).ok());
}

TEST(Comparator, EachElementHasItsOwnBound) {
  const std::vector<double> actual{1, 1, 1};
  const std::vector<double> expected{0, 0, 0};
  const Comparison c = compare<double>(actual, expected, [](std::int64_t i) { return i == 1 ? 0.5 : 2.; });
  EXPECT_EQ(c.n_wrong, 1);
  EXPECT_EQ(c.first.index, 1);
  EXPECT_EQ(c.first.bound, 0.5);
}

TEST(Comparator, EmptyComparisonIsNotOk) {
  const Comparison c = compare_within(1, {}, {});
  EXPECT_FALSE(c.ok());
  EXPECT_EQ(c.text(), "nothing was compared");
}

TEST(Comparator, DefaultComparisonIsNotOk) { EXPECT_FALSE(Comparison{}.ok()); }

TEST(Comparator, SizesMustBeEqual) {
  const Comparison shorter = compare_within(1, {1}, {1, 1});
  EXPECT_FALSE(shorter.ok());
  EXPECT_EQ(shorter.text(), "1 elements, expected 2");
  EXPECT_FALSE(compare_within(1, {1, 1}, {1}).ok());
  EXPECT_FALSE(compare_within(1, {}, {1}).ok());
  EXPECT_FALSE(compare_within(1, {1}, {}).ok());
}

TEST(Comparator, OneWrongElementAmongManyIsFound) {
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{500}, std::size_t{999}}) {
    std::vector<double> actual(1000, 1);
    actual[wrong] = 2;
    const Comparison c = compare_within(0.5, actual, std::vector<double>(1000, 1));
    EXPECT_FALSE(c.ok());
    EXPECT_EQ(c.n_wrong, 1);
    EXPECT_EQ(c.first.index, static_cast<std::int64_t>(wrong));
    EXPECT_EQ(c.worst.index, static_cast<std::int64_t>(wrong));
  }
}

TEST(Comparator, FirstIsTheLowestWrongIndex) {
  const Comparison c = compare_within(1, {0, 3, 9, 2}, {0, 0, 0, 0});
  EXPECT_EQ(c.n_wrong, 3);
  EXPECT_EQ(c.first.index, 1);
  EXPECT_EQ(c.first.actual, 3);
  EXPECT_EQ(c.first.expected, 0);
  EXPECT_EQ(c.first.bound, 1);
}

TEST(Comparator, WorstIsByErrorOverBound) {
  const std::vector<double> actual{100, 3, 2};
  const std::vector<double> expected{0, 0, 0};
  const Comparison c = compare<double>(actual, expected, [](std::int64_t i) {
    return i == 0 ? 50. : i == 1 ? 0.5 : 1;
  });
  EXPECT_EQ(c.worst.index, 1);  // 6 times its bound, against 2 and 2
  EXPECT_EQ(c.worst.actual, 3);
}

TEST(Comparator, WorstIsNanAtAnyIndex) {
  EXPECT_EQ(compare_within(1, {nan_value, 1e300, infinity}, {0, 0, 0}).worst.index, 0);
  EXPECT_EQ(compare_within(1, {1e300, nan_value, infinity}, {0, 0, 0}).worst.index, 1);
  EXPECT_EQ(compare_within(1, {infinity, 1e300, nan_value}, {0, 0, 0}).worst.index, 2);
}

TEST(Comparator, WorstShareCoversCorrectElementsOnly) {
  const Comparison c = compare_within(1, {0.25, 0.5, 7}, {0, 0, 0});
  EXPECT_EQ(c.worst_share, 0.5);
}

TEST(Comparator, ComplaintAloneIsNotOk) {
  Comparison c = compare_within(1, {1}, {1});
  ASSERT_TRUE(c.ok());
  c.complaint = "memory past the end of the array was written";
  EXPECT_FALSE(c.ok());
  EXPECT_EQ(c.text(), "memory past the end of the array was written");
}

TEST(Comparator, TextOfCorrectAnswersGivesTheUsedShareOfTheBound) {
  EXPECT_EQ(compare_within(1, {0.25, 0.5}, {0, 0}).text(), "2 correct, errors up to 0.5 of the allowed error");
}

TEST(Comparator, TextOfOneWrongAnswerShowsIt) {
  EXPECT_EQ(compare_within(0.5, {1, nan_value}, {1, 2}).text(),
            "1 of 2 wrong, first at [1]: expected 2, got nan, allowed error 0.5");
}

TEST(Comparator, TextShowsTheWorstWhenItIsNotTheFirst) {
  EXPECT_EQ(compare_within(1, {2, 9}, {0, 0}).text(),
            "2 of 2 wrong, first at [0]: expected 0, got 2, allowed error 1; "
            "worst at [1]: expected 0, got 9, allowed error 1");
}

TEST(Comparator, TextKeepsTheComplaintBesideWrongElements) {
  Comparison c = compare_within(1, {2}, {0});
  c.complaint = "memory before the array was written";
  EXPECT_NE(c.text().find("1 of 1 wrong"), std::string::npos);
  EXPECT_NE(c.text().find("memory before the array was written"), std::string::npos);
}

TEST(Comparator, CallsTheExpectationOfEachElement) {
  std::vector<float> actual(200000);
  std::iota(actual.begin(), actual.end(), 0.f);
  const auto expected = [](std::int64_t i) { return Expectation{static_cast<double>(i), 0.5}; };
  EXPECT_TRUE(compare_elements<float>(actual, expected).ok());
  EXPECT_EQ(compare_elements<float>(actual, expected).n_compared, 200000);
  actual[70001] += 1;
  actual[150000] = static_cast<float>(nan_value);
  const Comparison c = compare_elements<float>(actual, expected);
  EXPECT_EQ(c.n_wrong, 2);
  EXPECT_EQ(c.first.index, 70001);
  EXPECT_EQ(c.worst.index, 150000);
  EXPECT_FALSE(compare_elements<float>(std::vector<float>{}, expected).ok());
}

TEST(Comparator, NothingToCompareIsOk) { EXPECT_TRUE(nothing_to_compare().ok()); }

TEST(Comparator, NothingToCompareClaimsNoComparisons) {
  EXPECT_EQ(nothing_to_compare().text().find("9223372036854775807"), std::string::npos) << nothing_to_compare().text();
}

}  // namespace
}  // namespace rafter::lab

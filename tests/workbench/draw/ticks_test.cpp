#include <gtest/gtest.h>

#include <limits>

#include "workbench/draw/ruler.hpp"

namespace rafter::draw {
namespace {

using Words = std::vector<std::string>;

Words labels(Scale scale, Range range, int n = 5) {
  Words all;
  for (const Tick& tick : ticks_of(scale, range, n).ticks) {
    EXPECT_GE(tick.value, range.low * (1 - 1e-9));
    EXPECT_LE(tick.value, range.high * (1 + 1e-9));
    if (!tick.label.empty()) all.push_back(tick.label);
  }
  return all;
}

TEST(Ticks, AreRoundNumbersWithinTheRange) {
  EXPECT_EQ(labels(Scale::linear, {0, 1}), (Words{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(ticks_of(Scale::linear, {-3, 7}, 5).ticks.front().label, "\u22122");
  EXPECT_EQ(labels(Scale::linear, {0, 3e-7}), (Words{"0", "1", "2", "3"}));
  EXPECT_EQ(ticks_of(Scale::linear, {0, 3e-7}, 5).exponent, -7);
  EXPECT_EQ(ticks_of(Scale::linear, {0, 2e6}, 5).exponent, 6);
  EXPECT_TRUE(labels(Scale::linear, {1, 1}).empty());
  EXPECT_TRUE(labels(Scale::linear, {0, std::numeric_limits<double>::infinity()}).empty());
}

TEST(Ticks, ArePowersOnLogarithmicAxes) {
  EXPECT_EQ(labels(Scale::log10, {0.05, 2000}), (Words{"0.1", "1", "10", "100", "1000"}));
  EXPECT_EQ(labels(Scale::log10, {1e-6, 1e6}, 6), (Words{"10^-6", "10^-4", "10^-2", "10^0", "10^2", "10^4", "10^6"}));
  EXPECT_EQ(labels(Scale::log2, {4096, 65536}, 5), (Words{"2^12", "2^13", "2^14", "2^15", "2^16"}));
  EXPECT_EQ(labels(Scale::log2, {1, 8}, 5), (Words{"1", "2", "4", "8"}));
}

TEST(Ticks, HaveNumbersOnShortLogarithmicAxes) {
  EXPECT_EQ(labels(Scale::log10, {1.5, 25}, 6), (Words{"10", "2", "5", "20"}));
  EXPECT_EQ(labels(Scale::log10, {3, 4}, 5), (Words{"3.0", "3.2", "3.4", "3.6", "3.8", "4.0"}));
  EXPECT_GE(labels(Scale::log10, {2e7, 3e7}, 5).size(), 2u);
  EXPECT_TRUE(labels(Scale::log10, {0, 1}).empty());
}

}  // namespace
}  // namespace rafter::draw

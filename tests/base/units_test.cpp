#include "base/units.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace rafter::base {
namespace {

TEST(Units, ShowsTimesWithThreeDigitsAndUnit) {
  EXPECT_EQ(show_time(0), "0.00 ns");
  EXPECT_EQ(show_time(1.234), "1.23 ns");
  EXPECT_EQ(show_time(12.34), "12.3 ns");
  EXPECT_EQ(show_time(123.4), "123 ns");
  EXPECT_EQ(show_time(12345), "12.3 us");
  EXPECT_EQ(show_time(1.5e6), "1.50 ms");
  EXPECT_EQ(show_time(2e9), "2.00 s");
  EXPECT_EQ(show_time(3600e9), "3600 s");
}

TEST(Units, TimesRoundUpIntoTheNextUnit) {
  EXPECT_EQ(show_time(999.4), "999 ns");
  EXPECT_EQ(show_time(999.6), "1.00 us");
  EXPECT_EQ(show_time(999.6e3), "1.00 ms");
  EXPECT_EQ(show_time(999.6e6), "1.00 s");
}

TEST(Units, RoundingNeverGivesAFourthDigit) {
  EXPECT_EQ(show_time(9.994), "9.99 ns");
  EXPECT_EQ(show_time(9.996), "10.0 ns");
  EXPECT_EQ(show_time(99.94), "99.9 ns");
  EXPECT_EQ(show_time(99.96), "100 ns");
}

TEST(Units, RoundsDurationsUp) {
  EXPECT_EQ(show_duration(0), "0 s");
  EXPECT_EQ(show_duration(41.2), "42 s");
  EXPECT_EQ(show_duration(303), "5:03 min");
  EXPECT_EQ(show_duration(7620), "2:07 h");
}

TEST(Units, BytesAreDecimal) {
  EXPECT_EQ(show_bytes(0), "0.00 B");
  EXPECT_EQ(show_bytes(512), "512 B");
  EXPECT_EQ(show_bytes(1024), "1.02 kB");
  EXPECT_EQ(show_bytes(1073741824), "1.07 GB");
}

TEST(Units, RatesTakeTheirUnit) {
  EXPECT_EQ(show_rate(4.55e12, "B/s"), "4.55 TB/s");
  EXPECT_EQ(show_rate(66.9e12, "FLOP/s"), "66.9 TFLOP/s");
  EXPECT_EQ(show_rate(999.7e9, "B/s"), "1.00 TB/s");
  EXPECT_EQ(show_rate(8.1e3, " frames/s"), "8.10 k frames/s");
  EXPECT_EQ(show_rate(31.6, " frames/s"), "31.6 frames/s");
}

TEST(Units, RatesBeyondTheLastPrefixStayReadable) { EXPECT_EQ(show_rate(5e18, "B/s"), "5000 PB/s"); }

TEST(Units, PowersOfTwoAreShownAsSuch) {
  EXPECT_EQ(show_count(1024), "2^10");
  EXPECT_EQ(show_count(std::int64_t{1} << 28), "2^28");
  EXPECT_EQ(show_count(std::int64_t{1} << 62), "2^62");
}

TEST(Units, ShowsOtherCountsInDecimal) {
  EXPECT_EQ(show_count(0), "0");
  EXPECT_EQ(show_count(1), "1");
  EXPECT_EQ(show_count(512), "512");
  EXPECT_EQ(show_count(1025), "1025");
  EXPECT_EQ(show_count(10000000), "10000000");
  EXPECT_EQ(show_count(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
}

TEST(Units, RatiosHaveThreeDigits) {
  EXPECT_EQ(show_ratio(1), "1.00x");
  EXPECT_EQ(show_ratio(5.934), "5.93x");
  EXPECT_EQ(show_ratio(118.2), "118x");
}

}  // namespace
}  // namespace rafter::base

// Interpolation of rates over sizes and mixes of reads and writes.
#include "workbench/lab/roofs/bandwidth.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rafter::lab {
namespace {

/// Read rates of 10, 20 and 40 for 1, 4 and 16 bytes; the others have a half and a quarter of these.
Bandwidth example() {
  Bandwidth bandwidth({1, 4, 16});
  for (std::size_t s = 0; s < 3; ++s) {
    const double read = 10 * std::exp2(static_cast<double>(s));
    for (std::size_t t = 0; t < n_traffics; ++t) bandwidth.at(t, s) = read / 2;
    bandwidth.at(read_traffic, s) = read;
    bandwidth.at(write_traffic, s) = read / 4;
  }
  return bandwidth;
}

TEST(Bandwidth, HasTheRatesOfItsPoints) {
  const Bandwidth bandwidth = example();
  EXPECT_DOUBLE_EQ(bandwidth.rate(4, 0), 20);
  EXPECT_DOUBLE_EQ(bandwidth.rate(4, 0.5), 10);
  EXPECT_DOUBLE_EQ(bandwidth.rate(4, 1), 5);
  EXPECT_TRUE(bandwidth.is_complete());
  EXPECT_EQ(bandwidth.best(), 40);
}

TEST(Bandwidth, IsInterpolatedOverTheLogarithmOfTheSize) {
  EXPECT_DOUBLE_EQ(example().rate(2, 0), 15);
  EXPECT_DOUBLE_EQ(example().rate(8, 0), 30);
}

TEST(Bandwidth, IsConstantBeyondItsPoints) {
  EXPECT_DOUBLE_EQ(example().rate(0.1, 0), 10);
  EXPECT_DOUBLE_EQ(example().rate(1e9, 0), 40);
}

TEST(Bandwidth, MixTakesTheTimeOfItsParts) {  // half of the bytes copied, the others written
  EXPECT_DOUBLE_EQ(example().rate(4, 0.75), 1 / (0.5 / 10 + 0.5 / 5));
}

// Reading and then writing may be faster than a copy loop, but a copy is still compared with the copy loop.
TEST(Bandwidth, CopyHasTheRateOfTheCopyLoop) {
  const Bandwidth bandwidth = Bandwidth::flat(4.70, 4.70, 4.28);
  EXPECT_DOUBLE_EQ(bandwidth.rate(1, 0.5), 4.28);
  EXPECT_DOUBLE_EQ(bandwidth.rate(1, 0.5 + 1e-12), 4.28);
  EXPECT_DOUBLE_EQ(bandwidth.rate(1, 0.5 - 1e-12), 4.28);
  EXPECT_NEAR(bandwidth.rate(1, 1. / 3), 4.28, 1e-9);
}

TEST(Bandwidth, MixUsesOnlyTheTwoNearestLoops) {
  Bandwidth bandwidth = example();
  const double before = bandwidth.rate(4, 0.4);
  bandwidth.at(read_traffic, 1) *= 10;
  bandwidth.at(write_traffic, 1) *= 10;
  EXPECT_DOUBLE_EQ(bandwidth.rate(4, 0.4), before);
}

TEST(Bandwidth, EachKindOfTrafficHasItsOwnRate) {
  Bandwidth bandwidth = example();
  bandwidth.at(1, 1) = 17;
  bandwidth.at(2, 1) = 14;
  EXPECT_NEAR(bandwidth.rate(4, 0.25), 17, 1e-9);
  EXPECT_NEAR(bandwidth.rate(4, 1. / 3), 14, 1e-9);
}

TEST(Bandwidth, RaisingKeepsTheBetterOfEach) {
  Bandwidth bandwidth = example();
  Bandwidth other({1, 4, 16});
  other.at(read_traffic, 0) = 99;
  other.at(read_traffic, 1) = 1;
  bandwidth.raise_to(other);
  EXPECT_EQ(bandwidth.at(read_traffic, 0), 99);
  EXPECT_EQ(bandwidth.at(read_traffic, 1), 20);
}

TEST(Bandwidth, IsIncompleteWithoutOneOfItsPoints) {
  Bandwidth bandwidth = example();
  bandwidth.at(2, 1) = 0;
  EXPECT_FALSE(bandwidth.is_complete());
  EXPECT_FALSE(Bandwidth().is_complete());
}

TEST(Traffic, IsOrderedByItsShareOfWrites) {
  for (std::size_t t = 1; t < n_traffics; ++t)
    EXPECT_GT(all_traffics[t].write_share(), all_traffics[t - 1].write_share());
  EXPECT_EQ(all_traffics[read_traffic].write_share(), 0);
  EXPECT_EQ(all_traffics[copy_traffic].write_share(), 0.5);
  EXPECT_EQ(all_traffics[write_traffic].write_share(), 1);
}

}  // namespace
}  // namespace rafter::lab

// floor_of(): the least time a cost can take under given roofs.
#include <gtest/gtest.h>

#include <string>

#include "lab/roofs/roofs.hpp"

namespace rafter::lab {
namespace {

constexpr Roofs roofs{.read_bytes_per_s = 10e9,
                      .write_bytes_per_s = 5e9,
                      .copy_bytes_per_s = 8e9,
                      .fma_flops_per_s = 100e9,
                      .launch_ns = 2000};

TEST(Floor, ReadOnlyIsSetByTheReadingLoop) {
  const Floor floor = floor_of({.bytes_read = 10e9}, roofs);
  EXPECT_DOUBLE_EQ(floor.ns, 1e9);
  EXPECT_EQ(floor.limit, Floor::Limit::memory);
}

TEST(Floor, WriteOnlyIsSetByTheWritingLoop) {
  const Floor floor = floor_of({.bytes_written = 10e9}, roofs);
  EXPECT_DOUBLE_EQ(floor.ns, 2e9);
  EXPECT_EQ(floor.limit, Floor::Limit::memory);
}

TEST(Floor, MixedTrafficIsSetByTheBestRateForAllOfIt) {
  EXPECT_DOUBLE_EQ(floor_of({.bytes_read = 9e9, .bytes_written = 1e9}, roofs).ns, 1e9);
}

TEST(Floor, MixedTrafficIsAtLeastItsWrites) {
  EXPECT_DOUBLE_EQ(floor_of({.bytes_read = 1e9, .bytes_written = 5e9}, roofs).ns, 1e9);
}

TEST(Floor, ManyOperationsMakeArithmeticTheLimit) {
  const Floor floor = floor_of({.bytes_read = 1e9, .operations = 100e9}, roofs);
  EXPECT_DOUBLE_EQ(floor.ns, 1e9);
  EXPECT_EQ(floor.limit, Floor::Limit::arithmetic);
}

TEST(Floor, SmallWorkIsLimitedByItsLaunches) {
  const Floor floor = floor_of({.bytes_read = 4, .operations = 1, .launches = 3}, roofs);
  EXPECT_DOUBLE_EQ(floor.ns, 6000);
  EXPECT_EQ(floor.limit, Floor::Limit::launch);
}

TEST(Floor, NoWorkStillCostsALaunch) { EXPECT_DOUBLE_EQ(floor_of({}, roofs).ns, 2000); }

TEST(Floor, IsNeverAboveWhatACopyAchieves) {
  constexpr double n = 1e9;
  for (const double write_rate : {2e9, 4e9, 5e9, 8e9, 20e9}) {
    for (const double read_rate : {3e9, 5e9, 10e9, 20e9}) {
      Roofs here = roofs;
      here.write_bytes_per_s = write_rate;
      here.read_bytes_per_s = read_rate;
      const double copy_ns = 1e9 * 2 * n / here.copy_bytes_per_s;
      EXPECT_LE(floor_of({.bytes_read = n, .bytes_written = n}, here).ns, copy_ns)
          << "read " << read_rate << ", write " << write_rate;
    }
  }
}

TEST(Floor, LimitsHaveNames) {
  EXPECT_EQ(name(Floor::Limit::memory), std::string("memory"));
  EXPECT_EQ(name(Floor::Limit::arithmetic), std::string("arithmetic"));
  EXPECT_EQ(name(Floor::Limit::launch), std::string("launch"));
}

}  // namespace
}  // namespace rafter::lab

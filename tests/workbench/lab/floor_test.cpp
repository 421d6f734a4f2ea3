// floor_of(): the least time of a cost for given roofs, and the resource that sets it.
#include <gtest/gtest.h>

#include <string>

#include "workbench/lab/roofs/roofs.hpp"

namespace rafter::lab {
namespace {

Roofs some_roofs() {
  Roofs roofs{.bandwidth = Bandwidth::flat(10e9, 5e9, 8e9),
              .cache_bytes_per_s = 100e9,
              .cache_bytes = 1e6,
              .sector_bytes = 32,
              .launch_ns = 2000};
  roofs.operations_per_s[Unit::fp32] = 100e9;
  roofs.operations_per_s[Unit::fp64] = 50e9;
  roofs.operations_per_s[Unit::tensor_bf16] = 1e12;
  return roofs;
}
const Roofs roofs = some_roofs();

std::string limit_of(const Cost& cost) { return name(floor_of(cost, roofs)); }

TEST(Floor, ReadsAreLimitedByTheReadLoop) {
  EXPECT_DOUBLE_EQ(floor_of({.bytes_read = 10e9}, roofs).ns, 1e9);
  EXPECT_EQ(limit_of({.bytes_read = 10e9}), "memory");
}

TEST(Floor, WritesAreLimitedByTheWriteLoop) { EXPECT_DOUBLE_EQ(floor_of({.bytes_written = 10e9}, roofs).ns, 2e9); }

TEST(Floor, CopiesAreLimitedByTheCopyLoop) {  // a scan can reach 100 %
  EXPECT_DOUBLE_EQ(floor_of({.bytes_read = 4e9, .bytes_written = 4e9}, roofs).ns, 1e9);
}

TEST(Floor, UsesTheRateForItsOwnSize) {
  Roofs here = roofs;
  here.bandwidth = Bandwidth({1e6, 1e8});
  for (std::size_t t = 0; t < n_traffics; ++t) {
    here.bandwidth.at(t, 0) = 50e9;
    here.bandwidth.at(t, 1) = 10e9;
  }
  EXPECT_DOUBLE_EQ(floor_of({.bytes_read = 1e6}, here).ns, 1e9 * 1e6 / 50e9);
  EXPECT_DOUBLE_EQ(floor_of({.bytes_read = 1e7}, here).ns, 1e9 * 1e7 / 30e9);
  EXPECT_DOUBLE_EQ(floor_of({.bytes_read = 1e9}, here).ns, 1e9 * 1e9 / 10e9);
}

TEST(Floor, NamesTheUnitThatSetsIt) {
  EXPECT_EQ(limit_of({.bytes_read = 1e9, .operations = operations_on(Unit::fp32, 100e9)}), "fp32");
  EXPECT_EQ(limit_of({.bytes_read = 1e9, .operations = operations_on(Unit::fp64, 100e9)}), "fp64");
  EXPECT_EQ(limit_of({.bytes_read = 1e9, .operations = operations_on(Unit::tensor_bf16, 1e12)}), "tensor bf16");
  EXPECT_DOUBLE_EQ(floor_of({.operations = operations_on(Unit::fp64, 100e9)}, roofs).ns, 2e9);
}

TEST(Floor, TheSlowestUnitSetsIt) {
  PerUnit both = operations_on(Unit::fp32, 100e9);
  both[Unit::tensor_bf16] = 3e12;
  EXPECT_EQ(limit_of({.operations = both}), "tensor bf16");
  EXPECT_DOUBLE_EQ(floor_of({.operations = both}, roofs).ns, 3e9);
}

TEST(Floor, UnitThatTheDeviceLacksSetsNoFloor) {
  EXPECT_EQ(limit_of({.bytes_read = 1e9, .operations = operations_on(Unit::tensor_fp8, 1e30)}), "memory");
}

TEST(Floor, SmallWorkIsLimitedByItsLaunches) {
  const Cost cost{.bytes_read = 4, .operations = operations_on(Unit::fp32, 1), .launches = 3};
  EXPECT_DOUBLE_EQ(floor_of(cost, roofs).ns, 6000);
  EXPECT_EQ(limit_of(cost), "launch");
  EXPECT_DOUBLE_EQ(floor_of({}, roofs).ns, 2000);  // no work still costs a launch
}

TEST(Floor, FewRandomReadsMoveASectorEach) {
  const RandomReads table{.n = 1e6, .n_table = 1e12, .element_bytes = 4};
  const Cost cost{.bytes_read = table.bytes_asked(), .random_reads = table};
  EXPECT_NEAR(table.bytes_asked(), 4e6, 1e2);
  EXPECT_NEAR(floor_of(cost, roofs).ns, 1e9 * 32e6 / 10e9, 1e3);
  EXPECT_EQ(limit_of(cost), "memory, sectors");
}

TEST(Floor, ManyRandomReadsMoveTheTableOnce) {
  const RandomReads table{.n = 1e9, .n_table = 1e6, .element_bytes = 4};
  const Cost cost{.bytes_read = table.bytes_asked(), .random_reads = table};
  EXPECT_NEAR(floor_of(cost, roofs).ns, 1e9 * 4e6 / 10e9, 1);
  EXPECT_EQ(limit_of(cost), "memory");
}

TEST(Floor, LaterPassesOverSmallDataComeFromTheCaches) {
  const Cost kept{.bytes_read = 10e6, .footprint_bytes = 1e6};
  EXPECT_NEAR(floor_of(kept, roofs).ns, 1e9 * (1e6 / 10e9 + 9e6 / 100e9), 1e-3);
  const Cost not_kept{.bytes_read = 10e9, .footprint_bytes = 1e9};
  EXPECT_DOUBLE_EQ(floor_of(not_kept, roofs).ns, 1e9);
}

TEST(Floor, WarmDataComesFromTheCachesIfItFits) {
  EXPECT_DOUBLE_EQ(floor_of({.bytes_read = 1e6}, roofs, CacheState::warm).ns, 1e9 * 1e6 / 100e9);
  EXPECT_DOUBLE_EQ(floor_of({.bytes_read = 10e9}, roofs, CacheState::warm).ns, 1e9);
}

TEST(Impossible, IsBeyondTheCachesAndTheUnitsOnly) {
  EXPECT_DOUBLE_EQ(impossible_below_ns({.bytes_read = 10e9}, roofs), 1e9 * 10e9 / 100e9 / 2);
  EXPECT_DOUBLE_EQ(impossible_below_ns({.operations = operations_on(Unit::fp32, 100e9)}, roofs), 0.5e9);
  EXPECT_DOUBLE_EQ(impossible_below_ns({.launches = 4}, roofs), 4000);
  // Data of later passes may stay in registers.
  EXPECT_DOUBLE_EQ(impossible_below_ns({.bytes_read = 10e9, .footprint_bytes = 1e9}, roofs), 1e9 * 1e9 / 100e9 / 2);
}

}  // namespace
}  // namespace rafter::lab

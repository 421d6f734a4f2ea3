#include "workbench/lab/workload/cost.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <unordered_set>

namespace rafter::lab {
namespace {

TEST(Cost, OperationsAreCountedOnTheUnitOfTheirType) {
  EXPECT_EQ(operations_in<float>(5)[Unit::fp32], 5);
  EXPECT_EQ(operations_in<float>(5)[Unit::fp64], 0);
  EXPECT_EQ(operations_in<double>(5)[Unit::fp64], 5);
  EXPECT_EQ(operations_in<std::int32_t>(5), PerUnit{});
  EXPECT_EQ(operations_in<std::int64_t>(5), PerUnit{});
}

TEST(Cost, EveryUnitHasItsOwnName) {
  std::unordered_set<std::string> names;
  for (const Unit unit : all_units) names.insert(name(unit));
  EXPECT_EQ(names.size(), n_units);
}

TEST(Cost, ExpectedDistinctMatchesSimulation) {
  std::mt19937_64 random(1);
  for (const int n_places : {1, 2, 1000, 30000}) {
    for (const int n : {1, 500, 30000, 100000}) {
      std::unordered_set<std::uint64_t> found;
      for (int i = 0; i < n; ++i) found.insert(random() % static_cast<std::uint64_t>(n_places));
      const auto count = static_cast<double>(found.size());
      EXPECT_NEAR(expected_distinct(n, n_places), count, 0.02 * count + 1) << n << " of " << n_places;
    }
  }
}

TEST(Cost, DistinctDrawsAreNeverMoreThanDrawsOrPlaces) {
  EXPECT_EQ(expected_distinct(0, 100), 0);
  EXPECT_EQ(expected_distinct(100, 0), 0);
  EXPECT_NEAR(expected_distinct(1e3, 1e15), 1e3, 1e-6);
  EXPECT_NEAR(expected_distinct(1e15, 1e3), 1e3, 1e-6);
}

TEST(Cost, RandomReadsMoveWholeSectors) {
  const RandomReads few{.n = 1000, .n_table = 1e12, .element_bytes = 4};
  EXPECT_NEAR(few.bytes_asked(), 4000, 1e-3);
  EXPECT_NEAR(few.bytes_moved(32), 32000, 1e-2);
  const RandomReads wide{.n = 1000, .n_table = 1e12, .element_bytes = 128};  // each fills its own sectors
  EXPECT_EQ(wide.bytes_moved(32), wide.bytes_asked());
  const RandomReads all{.n = 1e9, .n_table = 1e6, .element_bytes = 4};
  EXPECT_NEAR(all.bytes_moved(32), 4e6, 1);
  EXPECT_EQ(RandomReads{}.bytes_moved(32), 0);
}

}  // namespace
}  // namespace rafter::lab

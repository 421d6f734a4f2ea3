#include "executor/count/footprint.hpp"

#include <gtest/gtest.h>

#include "executor/count/passes.hpp"

namespace rafter::simt {
namespace {

const std::byte* at(std::uintptr_t address) { return reinterpret_cast<const std::byte*>(address); }

std::uintptr_t one_allocation(std::uintptr_t) { return 0; }

TEST(Footprint, CountsDistinctSectorsAndBytes) {
  Footprint footprint;
  FootprintCounts counts;
  for (int again = 0; again < 2; ++again) {
    footprint.add(at(0x10000), 4, false, 0);
    footprint.add(at(0x1001e), 4, false, 0);  // crosses the end of a sector
    footprint.add(at(0x20000), 16, true, 0);
    footprint.block_ended(counts);
  }
  footprint.launch_ended(counts, one_allocation);
  EXPECT_EQ(counts.read_sectors, 2U);
  EXPECT_EQ(counts.read_bytes, 8U);
  EXPECT_EQ(counts.written_sectors, 1U);
  EXPECT_EQ(counts.written_bytes, 16U);
  EXPECT_EQ(counts.block_read_sectors, 4U);  // each of two blocks reads two
  EXPECT_EQ(counts.block_lines, 4U);
  EXPECT_EQ(counts.shared_sectors, 3U);
}

TEST(Footprint, CachesRecentAccessesOfABlock) {
  Footprint footprint;
  FootprintCounts counts;
  for (int thread = 0; thread < 8; ++thread) {
    footprint.add(at(0x10000), 4, false, 0);    // fetched by the first thread
    footprint.add(at(0x10004), 4, false, 16);   // still cached
    footprint.add(at(0x10008), 4, false, 100);  // evicted, except for threads that read it at the same time
    footprint.add(at(0x20000), 4, true, 101);
    footprint.add(at(0x20000), 4, false, 102);
  }
  EXPECT_EQ(counts.block_fetched_sectors, 0U);
  footprint.block_ended(counts);
  EXPECT_EQ(counts.block_fetched_sectors, 1U + 1 + 2 * 7);  // each later thread starts again
  EXPECT_EQ(counts.block_read_sectors, 2U);
}

TEST(Footprint, CountsTheReadSpanOfEachAllocation) {
  Footprint footprint;
  FootprintCounts counts;
  for (const std::uintptr_t address : {0x10000, 0x18000, 0x90000, 0x90020}) footprint.add(at(address), 4, false, 0);
  footprint.add(at(0x1f000), 4, true, 0);
  footprint.block_ended(counts);
  footprint.launch_ended(counts, [](std::uintptr_t address) { return address / 0x80000; });
  EXPECT_EQ(counts.read_span_sectors, 0x8000U / 32 + 1 + 2);
}

TEST(Footprint, StartsAgainWithEachLaunch) {
  Footprint footprint;
  FootprintCounts counts;
  for (int launch = 0; launch < 3; ++launch) {
    footprint.add(at(0x1000), 32, false, 0);
    footprint.block_ended(counts);
    footprint.launch_ended(counts, one_allocation);
  }
  EXPECT_EQ(counts.read_sectors, 3U);
  EXPECT_EQ(counts.shared_sectors, 0U);
}

TEST(Passes, CombinesTheNthPassesOfLanes) {
  Passes passes;
  std::map<const void*, PassCounts> counts;
  const int block = 0, here = 0, there = 0;
  for (unsigned thread = 0; thread < 64; ++thread) {
    for (unsigned n = 0; n < 3; ++n) passes.pass(&block, thread, &here);
    for (unsigned n = 0; n < thread % 32; ++n) passes.pass(&block, thread, &there);
  }
  passes.block_ended(&block, counts);
  EXPECT_EQ(counts[&here].warps, 6U);
  EXPECT_EQ(counts[&here].lanes, 192U);
  EXPECT_EQ(counts[&there].warps, 62U);  // of the lane that passes most often
  EXPECT_EQ(counts[&there].lanes, 2 * 31U * 32 / 2);
}

}  // namespace
}  // namespace rafter::simt

#include "executor/count/footprint.hpp"

#include <gtest/gtest.h>

#include "executor/count/passes.hpp"

namespace rafter::simt {
namespace {

const std::byte* at(std::uintptr_t address) { return reinterpret_cast<const std::byte*>(address); }

std::uintptr_t one_allocation(std::uintptr_t) { return 0; }

TEST(Footprint, counts_sectors_and_bytes_once) {
  Footprint footprint;
  FootprintCounts counts;
  for (int again = 0; again < 2; ++again) {
    footprint.add(at(0x10000), 4, false, 0);
    footprint.add(at(0x1001e), 4, false, 0);  // over the end of a sector
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

TEST(Footprint, a_block_keeps_what_its_threads_touched_of_late) {
  Footprint footprint;
  FootprintCounts counts;
  for (int thread = 0; thread < 8; ++thread) {
    footprint.add(at(0x10000), 4, false, 0);    // the first fetches it
    footprint.add(at(0x10004), 4, false, 16);   // still there
    footprint.add(at(0x10008), 4, false, 100);  // no more, but for the threads that do the same then
    footprint.add(at(0x20000), 4, true, 101);
    footprint.add(at(0x20000), 4, false, 102);
  }
  EXPECT_EQ(counts.block_fetched_sectors, 0U);
  footprint.block_ended(counts);
  EXPECT_EQ(counts.block_fetched_sectors, 1U + 1 + 2 * 7);  // threads that come later begin anew
  EXPECT_EQ(counts.block_read_sectors, 2U);
}

TEST(Footprint, spans_what_is_read_of_each_allocation) {
  Footprint footprint;
  FootprintCounts counts;
  for (const std::uintptr_t address : {0x10000, 0x18000, 0x90000, 0x90020}) footprint.add(at(address), 4, false, 0);
  footprint.add(at(0x1f000), 4, true, 0);
  footprint.block_ended(counts);
  footprint.launch_ended(counts, [](std::uintptr_t address) { return address / 0x80000; });
  EXPECT_EQ(counts.read_span_sectors, 0x8000U / 32 + 1 + 2);
}

TEST(Footprint, begins_anew_with_each_launch) {
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

TEST(Passes, are_a_warps_when_lanes_pass_as_often) {
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
  EXPECT_EQ(counts[&there].warps, 62U);  // by the lane that passes most often
  EXPECT_EQ(counts[&there].lanes, 2 * 31U * 32 / 2);
}

}  // namespace
}  // namespace rafter::simt

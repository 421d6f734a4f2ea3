// Facts from the executor's report.
#include <gtest/gtest.h>

#include "workbench/explain/profile.hpp"
#include "workbench/explain/times.hpp"

namespace rafter::explain {
namespace {

using nlohmann::json;

json place(int line) { return {{"file", "a.cu"}, {"line", line}, {"text", "x"}}; }

json access(int line, double requests, int stride, double strided) {
  return {{"place", place(line)},
          {"space", "global"},
          {"kind", "load"},
          {"requests", requests},
          {"lanes", 32 * requests},
          {"bytes", 128 * requests},
          {"distinct_bytes", 128 * requests},
          {"sectors", 4 * requests},
          {"ideal_sectors", 4 * requests},
          {"wavefronts", 0},
          {"ideal_wavefronts", 0},
          {"worst_contention", 0},
          {"stride", stride},
          {"strided", strided}};
}

/// A report of two launches of 100 blocks each, of which 10 ran.
json report() {
  json counts{
      {"launches", 2},
      {"shapes",
       {{{"grid", {100, 1, 1}},
         {"block", {64, 1, 1}},
         {"cluster", {1, 1, 1}},
         {"shared_bytes", 128},
         {"launches", 2}}}},
      {"blocks", 200},
      {"counted_blocks", 20},
      {"footprint",
       {{"read_sectors", 220},
        {"read_bytes", 7040},
        {"written_sectors", 80},
        {"written_bytes", 2560},
        {"block_read_sectors", 400},
        {"block_fetched_sectors", 440},
        {"block_lines", 100},
        {"shared_sectors", 0},
        {"read_span_sectors", 1 << 20}}},
      {"hottest_atomics", 7},
      {"hottest_global_atomics", 5},
      {"places", {access(3, 40, 4, 40), access(3, 40, 4, 40), access(4, 40, 8, 4)}},
      {"barriers", {{{"place", place(5)}, {"arrivals", 1280}}}},
      {"passes",
       {{{"place", place(3)}, {"warps", 40}, {"lanes", 1280}}, {{"place", nullptr}, {"warps", 1}, {"lanes", 1}}}}};
  return {{"counts", {{"sum", counts}, {"never", {{"launches", 0}}}}},
          {"transfers",
           {{{"place", place(9)}, {"direction", "to_host"}, {"pageable", false}, {"copies", 3}, {"bytes", 12}}}}};
}

TEST(Facts, DescribeOneLaunchWithAllItsBlocks) {
  const ProgramFacts program = facts_of(report());
  ASSERT_EQ(program.kernels.size(), 1U);
  const Facts& f = program.kernels[0];
  EXPECT_EQ(f.kernel, "sum");
  EXPECT_EQ(f.launches, 2);
  EXPECT_EQ(f.blocks, 100);
  EXPECT_DOUBLE_EQ(f.counted_share, 0.1);
  EXPECT_EQ(f.dynamic_shared_bytes, 128);
  ASSERT_EQ(f.accesses.size(), 2U);  // two places on one line are merged
  EXPECT_DOUBLE_EQ(f.accesses[0].requests, 400);
  EXPECT_EQ(f.accesses[0].stride, 4);
  EXPECT_EQ(f.accesses[1].stride, 0);  // one request in ten has this stride
  EXPECT_DOUBLE_EQ(f.hottest_atomics, 50);
  EXPECT_DOUBLE_EQ(f.barriers[0].arrivals, 6400);
  ASSERT_EQ(f.passes.size(), 1U);
  EXPECT_DOUBLE_EQ(f.passes[0].warps, 200);
}

TEST(Facts, SharedDataIsNotCountedPerBlock) {
  // 10 blocks read 20 sectors each, 110 of them distinct: 10 that all read, and 10 for each block.
  const Footprint f = facts_of(report()).kernels[0].footprint;
  EXPECT_NEAR(f.read_sectors, 10 + 100 * 10, 1e-6);
  EXPECT_NEAR(f.written_sectors, 400, 1e-6);
  EXPECT_NEAR(f.lines_per_block, 5, 1e-6);
}

TEST(Facts, CopiesAreThoseBetweenHostAndDevice) {
  const ProgramFacts program = facts_of(report());
  ASSERT_EQ(program.copies.size(), 1U);
  EXPECT_FALSE(program.copies[0].to_device);
  EXPECT_FALSE(program.copies[0].pageable);
  EXPECT_EQ(program.copies[0].at.line, 9);
}

TEST(Facts, TimesAreMatchedByKernelName) {
  const json results{{"results",
                      {{{"rung", "other"}, {"device", "cuda"}, {"verified", true}, {"median_ns", 1.}},
                       {{"rung", "sum"},
                        {"device", "cuda"},
                        {"verified", true},
                        {"regime", "cold"},
                        {"median_ns", 30.},
                        {"floor_ns", 20.},
                        {"regimes", {{"warm", {{"median_ns", 25.}}}}}},
                       {{"rung", "sum"}, {"device", "cuda"}, {"verified", false}, {"median_ns", 2.}}}}};
  Facts facts;
  facts.kernel = "sum";
  add_times(facts, results);
  ASSERT_TRUE(facts.times);
  EXPECT_EQ(facts.times->cold_ns, 30);
  EXPECT_EQ(facts.times->warm_ns, 25);
  EXPECT_EQ(facts.times->graph_ns, 0);
  EXPECT_EQ(facts.times->floor_ns, 20);
}

TEST(Facts, EmptyReportHasNone) { EXPECT_TRUE(facts_of(json::object()).kernels.empty()); }

}  // namespace
}  // namespace rafter::explain

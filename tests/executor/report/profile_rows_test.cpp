// Lines of a profile: their order and the advice for them.
#include "executor/report/profile_rows.hpp"

#include <gtest/gtest.h>

#include "executor/report/findings_text.hpp"
#include "executor/report/profile_text.hpp"

namespace rafter::simt::report {
namespace {

using nlohmann::json;

/// Returns the counts of 100 requests of a line; `traffic` and `ideal` are sectors or passes per request.
json place(int line, const std::string& space, const std::string& kind, int lanes, int traffic, int ideal,
           int contention = 0) {
  const bool is_shared = space == "shared";
  return {{"place", {{"file", "dir/kernel.cu"}, {"line", line}, {"text", "code"}}},
          {"space", space},
          {"kind", kind},
          {"requests", 100},
          {"lanes", 100 * lanes},
          {"bytes", 400 * lanes},
          {"distinct_bytes", 400 * lanes},
          {"sectors", is_shared ? 0 : 100 * traffic},
          {"ideal_sectors", is_shared ? 0 : 100 * ideal},
          {"wavefronts", is_shared ? 100 * traffic : 0},
          {"ideal_wavefronts", is_shared ? 100 * ideal : 0},
          {"worst_contention", contention}};
}

json kernel(const json& places) {
  return {{"launches", 1}, {"hottest_atomics", 0}, {"places", places}, {"barriers", json::array()}};
}

TEST(ProfileRows, SortsLinesByWasteThenTraffic) {
  const json counts = kernel({place(1, "global", "load", 32, 4, 4), place(2, "global", "store", 32, 32, 4),
                              place(3, "shared", "load", 32, 32, 1), place(4, "global", "load", 32, 16, 16)});
  std::vector<int> lines;
  for (const Row& row : rows_of(counts)) lines.push_back(row.line);
  EXPECT_EQ(lines, (std::vector{3, 2, 4, 1}));
  EXPECT_DOUBLE_EQ(rows_of(counts)[0].share, 1) << "of the passes";
  EXPECT_DOUBLE_EQ(rows_of(counts)[1].share, 32. / 52) << "of the sectors";
}

std::string advice_for(const json& one) { return advice(rows_of(kernel(json::array({one}))).front()); }

TEST(Advice, NamesTheCause) {
  const auto says = [](const json& one, const std::string& words) {
    return advice_for(one).find(words) != std::string::npos;
  };
  EXPECT_TRUE(says(place(1, "global", "load", 32, 32, 4), "a sector of its own"));
  EXPECT_TRUE(says(place(1, "global", "load", 32, 12, 4), "gaps between the bytes"));
  EXPECT_TRUE(says(place(1, "global", "store", 32, 5, 4), "multiples of 32 bytes"));
  EXPECT_TRUE(says(place(1, "global", "load", 16, 4, 2), "16 of 32 lanes"));
  EXPECT_TRUE(says(place(1, "global", "load", 8, 1, 1), "8 of 32 lanes"));
  EXPECT_TRUE(says(place(1, "shared", "load", 32, 8, 1), "about 8 lanes access one bank"));
  EXPECT_TRUE(says(place(1, "shared", "atomic", 32, 32, 1, 32), "Up to 32 lanes of a warp update one address"));
  EXPECT_TRUE(says(place(1, "global", "atomic", 32, 1, 1, 32), "Up to 32 lanes of a warp update one address"));
}

TEST(Advice, IsEmptyForIdealOrNegligibleLines) {
  EXPECT_EQ(advice_for(place(1, "global", "load", 32, 4, 4)), "");
  EXPECT_EQ(advice_for(place(1, "shared", "store", 32, 4, 4)), "");
  EXPECT_EQ(advice_for(place(1, "global", "atomic", 32, 4, 4, 1)), "");
  const json counts = kernel({place(1, "global", "load", 32, 1000, 1000), place(2, "global", "store", 1, 2, 1)});
  for (const Row& row : rows_of(counts)) EXPECT_EQ(advice(row), "") << row.line << ": negligible share";
}

TEST(ProfileText, ColoursAndAdvisesOnWastefulLines) {
  json report;
  report["counts"]["k"] = kernel({place(1, "global", "load", 32, 32, 4), place(2, "global", "store", 32, 4, 4)});
  const std::string plain = profile_tables(report, base::Style::plain);
  EXPECT_NE(plain.find("  kernel.cu:1   global load         100   32.0    32.00 / 4.00 sectors   89 %\n"
                       "      Each thread accesses a sector of its own"),
            std::string::npos)
      << plain;
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  const std::string coloured = profile_tables(report, base::Style::coloured);
  EXPECT_NE(coloured.find("\x1b[31m  kernel.cu:1"), std::string::npos) << coloured;
  EXPECT_EQ(coloured.find("\x1b[31m  kernel.cu:2"), std::string::npos) << coloured;
  for (std::size_t at = 0, end; (end = plain.find('\n', at)) != std::string::npos; at = end + 1) {
    EXPECT_LE(end - at, 98u) << plain.substr(at, end - at);
  }
}

TEST(Summary, ListsIgnoredErrors) {
  const auto ignored = [](const std::string& error) {
    return json{{"kind", "ignored_error"}, {"kernel", ""}, {"sides", {{{"action", "ignores " + error}}}}};
  };
  json report{{"kernels", json::array()}, {"findings", json::array()}, {"notes", json::array()}};
  EXPECT_EQ(summary_text(report).find("failed"), std::string::npos);
  report["notes"] = {ignored("cudaErrorMemoryAllocation")};
  EXPECT_NE(summary_text(report).find("1 call failed and its error was ignored (cudaErrorMemoryAllocation)"),
            std::string::npos)
      << summary_text(report);
  report["notes"] = {ignored("cudaErrorMemoryAllocation"), ignored("cudaErrorInvalidValue"),
                     ignored("cudaErrorInvalidValue")};
  EXPECT_NE(summary_text(report).find(
                "3 calls failed and their errors were ignored (cudaErrorInvalidValue, cudaErrorMemoryAllocation)"),
            std::string::npos)
      << summary_text(report);
}

}  // namespace
}  // namespace rafter::simt::report

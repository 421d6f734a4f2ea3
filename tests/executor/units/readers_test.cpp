// The readers of a word: lanes of a warp, two that represent all, and lists of readers.
#include "executor/check/races/readers.hpp"

#include <gtest/gtest.h>

#include <set>

namespace rafter::simt {
namespace {

/// Reads at one place in the code. The segment number identifies the warp; ten warps make a block.
class ReadersTest : public testing::Test {
 protected:
  void read(std::uint32_t segment, unsigned lane, bool lists = false, std::uint32_t first_segment = 1) {
    const auto warp_of = [](const Record& r) { return std::uint64_t{r.segment() / 10} << 32 | r.segment(); };
    const auto is_ordered = [&](const Record& r) { return past_.contains(r.accessor); };
    readers_.add(cell_, {segment << 5 | lane, 15}, {{first_segment, end}, lists}, is_ordered, warp_of);
  }
  std::set<std::uint32_t> readers(std::uint32_t first_segment = 1) const {
    std::set<std::uint32_t> all;
    readers_.for_each(cell_, {first_segment, end}, [&](const WarpReaders& warp) {
      for (unsigned lane = 0; lane < 32; ++lane) {
        if (warp.lanes >> lane & 1) all.insert(warp.record(lane).accessor);
      }
    });
    return all;
  }
  static constexpr std::uint32_t end = 1000;  // of segments
  static std::uint32_t id(std::uint32_t segment, unsigned lane) { return segment << 5 | lane; }

  Readers readers_;
  Cell cell_;
  std::set<std::uint32_t> past_;  // records that the reader is ordered after
};

using Ids = std::set<std::uint32_t>;

TEST_F(ReadersTest, KeepsAllLanesOfAWarp) {
  for (const unsigned lane : {3u, 0u, 31u, 3u}) read(11, lane);
  EXPECT_EQ(readers(), (Ids{id(11, 0), id(11, 3), id(11, 31)}));
  EXPECT_FALSE(readers_.may_have_forgotten(cell_, false));
}

TEST_F(ReadersTest, PrefersTwoWarpsToTwoLanes) {
  read(11, 0);
  read(11, 1);
  read(12, 5);
  read(13, 6);
  const Ids known = readers();
  EXPECT_TRUE(known.contains(id(12, 5)));
  EXPECT_TRUE(known.contains(id(11, 0)));
  EXPECT_TRUE(readers_.may_have_forgotten(cell_, false));
}

TEST_F(ReadersTest, PrefersTwoBlocksToTwoWarps) {
  read(11, 0);
  read(12, 0);
  read(25, 0);
  EXPECT_EQ(readers(), (Ids{id(11, 0), id(25, 0)}));
  read(31, 0);
  EXPECT_EQ(readers(), (Ids{id(11, 0), id(25, 0)}));
}

TEST_F(ReadersTest, ListKeepsAllReaders) {
  const Ids all{id(11, 0), id(11, 1), id(12, 0), id(25, 0), id(25, 7), id(36, 1)};
  for (const std::uint32_t one : all) read(one >> 5, one & 31, true);
  EXPECT_EQ(readers(), all);
  EXPECT_FALSE(readers_.may_have_forgotten(cell_, true));
}

TEST_F(ReadersTest, ReportsAFullList) {
  for (std::uint32_t segment = 11; segment < 19; ++segment) read(segment, 0, true);
  EXPECT_FALSE(readers_.may_have_forgotten(cell_, true));
  read(40, 0, true);
  EXPECT_TRUE(readers_.may_have_forgotten(cell_, true));
  EXPECT_EQ(readers().size(), 8u);
  readers_.forget(cell_);
  EXPECT_TRUE(readers().empty());
}

TEST_F(ReadersTest, DropsReadersOrderedBeforeTheNewOne) {
  for (std::uint32_t segment = 11; segment < 19; ++segment) {
    read(segment, 0, true);
    past_.insert(id(segment, 0));
  }
  read(40, 0, true);
  EXPECT_EQ(readers(), (Ids{id(40, 0)}));
}

TEST_F(ReadersTest, IgnoresReadersOfEarlierLaunches) {
  for (std::uint32_t segment = 11; segment < 15; ++segment) read(segment, 0, true);
  EXPECT_TRUE(readers(100).empty());
  read(100, 2, true, 100);
  EXPECT_EQ(readers(100), (Ids{id(100, 2)}));
}

TEST_F(ReadersTest, ReplacesAnAgentByItsThread) {
  for (const std::uint32_t segment : {11u, 12u, 13u}) read(segment, 4, true);
  readers_.replace(cell_, id(12, 4), id(25, 9));
  EXPECT_EQ(readers(), (Ids{id(11, 4), id(13, 4), id(25, 9)}));
}

}  // namespace
}  // namespace rafter::simt

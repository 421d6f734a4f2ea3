// Shadow cells: every stored cell is loaded unchanged, and takes no more records than needed.
#include "executor/memory/cells.hpp"

#include <gtest/gtest.h>

#include <random>

namespace rafter::simt {
namespace {

constexpr std::size_t n = 64;
constexpr SegmentRange valid{10, 100};

class CellsTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(cells_.reserve(n)); }
  void TearDown() override { cells_.drop(n); }

  static Record record(std::uint32_t segment, unsigned lane, std::uint32_t mode = 0) {
    return {segment << 5 | lane, 77u << 6 | mode << 4 | 15};
  }
  static bool equal(const Record& a, const Record& b) { return a.accessor == b.accessor && a.details == b.details; }

  Cells cells_;
};

TEST_F(CellsTest, RecordsPackSegmentLaneSiteModeAndBytes) {
  const Record one{(5u << 5) | 9, (77u << 6) | (1u << 4) | 15};
  EXPECT_EQ(one.segment(), 5u);
  EXPECT_EQ(one.lane(), 9u);
  EXPECT_EQ(one.site(), 77u);
  EXPECT_EQ(one.mode(), 1u);
  EXPECT_EQ(one.bytes(), 15u);
  EXPECT_FALSE(valid.contains(record(9, 31)));
  EXPECT_TRUE(valid.contains(record(10, 0)));
  EXPECT_TRUE(valid.contains(record(99, 31)));
  EXPECT_FALSE(valid.contains(record(100, 0)));
}

TEST_F(CellsTest, StoresOnePlainAccessInOneRecord) {
  cells_.store(1, {.write = record(11, 3), .atomic = {}, .read = {}, .more_reads = {}}, valid);
  cells_.store(2, {.write = {}, .atomic = {}, .read = record(11, 3), .more_reads = {}}, valid);
  for (const std::size_t word : {1, 2}) {
    EXPECT_EQ(cells_.second[word].accessor, 0u);
    EXPECT_EQ(cells_.rest[word].atomic.accessor, 0u);
    EXPECT_EQ(cells_.rest[word].more_reads.accessor, 0u);
  }
}

TEST_F(CellsTest, StoresTwoAccessesInTwoRecords) {
  cells_.store(1, {.write = record(11, 3), .atomic = {}, .read = record(12, 4), .more_reads = {}}, valid);
  cells_.store(2, {.write = {}, .atomic = {}, .read = record(11, 3), .more_reads = record(12, 4)}, valid);
  cells_.store(3, {.write = {}, .atomic = {}, .read = record(11, 3), .more_reads = {Cell::reader_lanes, ~0u}}, valid);
  for (const std::size_t word : {1, 2, 3}) {
    EXPECT_EQ(cells_.rest[word].atomic.accessor, 0u);
    EXPECT_EQ(cells_.rest[word].more_reads.accessor, 0u);
  }
}

// Valid records are loaded as they were stored; others may be dropped.
TEST_F(CellsTest, LoadsAllValidRecordsUnchanged) {
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    const auto any = [&](std::uint32_t mode) {
      return random() % 3 == 0 ? Record{} : record(5 + random() % 20, random() % 32, mode);
    };
    const auto more = [&]() -> Record {
      switch (random() % 4) {
        case 0: return {};
        case 1: return {Cell::reader_lanes, static_cast<std::uint32_t>(random())};
        case 2: return {Cell::reader_list, static_cast<std::uint32_t>(random() % 9)};
        default: return record(10 + random() % 20, random() % 32, random() % 4);
      }
    };
    const Cell cell{any(0), any(1 + random() % 3), any(random() % 4), more()};
    const std::size_t word = random() % n;
    cells_.store(word, cell, valid);
    const Cell back = cells_.load(word, valid);
    const auto same = [&](const Record& was, const Record& is) {
      return valid.contains(was) ? equal(was, is) : !valid.contains(is);
    };
    ASSERT_TRUE(same(cell.write, back.write) && same(cell.atomic, back.atomic) && same(cell.read, back.read)) << round;
    if (cell.more_reads.accessor == Cell::reader_list || valid.contains(cell.read)) {
      ASSERT_TRUE(equal(cell.more_reads, back.more_reads)) << round;
    }
  }
}

TEST_F(CellsTest, KeepsOnlyTheLastAccessOfSplitWords) {
  const std::uint32_t accessor = record(11, 3).accessor;
  cells_.store(1, {.write = {accessor, 0}, .atomic = {}, .read = {}, .more_reads = {Cell::split, 0}}, valid);
  EXPECT_TRUE(Cells::is_split(cells_.first[1]));
  EXPECT_EQ(cells_.second[1].accessor, 0u);
  EXPECT_EQ(cells_.rest[1].more_reads.accessor, 0u);
  EXPECT_EQ(cells_.load(1, valid).more_reads.accessor, Cell::split);
  EXPECT_EQ(cells_.load(1, valid).write.accessor, accessor);
  EXPECT_EQ(cells_.load(1, {12, 100}).more_reads.accessor, 0u) << "no byte is valid if the last access is not";
  cells_.store(2, {.write = {}, .atomic = record(11, 3, 2), .read = {}, .more_reads = {}}, valid);
  EXPECT_FALSE(Cells::is_split(cells_.first[2]));
}

}  // namespace
}  // namespace rafter::simt

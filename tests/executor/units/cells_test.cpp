// Cells of words: what is stored comes back whole, and takes no more records than it has.
#include "executor/memory/cells.hpp"

#include <gtest/gtest.h>

#include <random>

namespace rafter::simt {
namespace {

constexpr std::size_t n = 64;
constexpr Segments counting{10, 100};

class CellsTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(cells_.reserve(n)); }
  void TearDown() override { cells_.drop(n); }

  static Record record(std::uint32_t segment, unsigned lane, std::uint32_t how = 0) {
    return {segment << 5 | lane, 77u << 6 | how << 4 | 15};
  }
  static bool equal(const Record& a, const Record& b) { return a.who == b.who && a.what == b.what; }

  Cells cells_;
};

TEST_F(CellsTest, records_have_their_parts) {
  const Record one{(5u << 5) | 9, (77u << 6) | (1u << 4) | 15};
  EXPECT_EQ(one.segment(), 5u);
  EXPECT_EQ(one.lane(), 9u);
  EXPECT_EQ(one.site(), 77u);
  EXPECT_EQ(one.how(), 1u);
  EXPECT_EQ(one.bytes(), 15u);
  EXPECT_FALSE(counting.hold(record(9, 31)));
  EXPECT_TRUE(counting.hold(record(10, 0)));
  EXPECT_TRUE(counting.hold(record(99, 31)));
  EXPECT_FALSE(counting.hold(record(100, 0)));
}

TEST_F(CellsTest, plain_words_take_one_record) {
  cells_.store(1, {.write = record(11, 3), .atomic = {}, .read = {}, .more_reads = {}}, counting);
  cells_.store(2, {.write = {}, .atomic = {}, .read = record(11, 3), .more_reads = {}}, counting);
  for (const std::size_t word : {1, 2}) {
    EXPECT_EQ(cells_.second[word].who, 0u);
    EXPECT_EQ(cells_.rest[word].atomic.who, 0u);
    EXPECT_EQ(cells_.rest[word].more_reads.who, 0u);
  }
}

TEST_F(CellsTest, two_records_leave_the_rest_alone) {
  cells_.store(1, {.write = record(11, 3), .atomic = {}, .read = record(12, 4), .more_reads = {}}, counting);
  cells_.store(2, {.write = {}, .atomic = {}, .read = record(11, 3), .more_reads = record(12, 4)}, counting);
  cells_.store(3, {.write = {}, .atomic = {}, .read = record(11, 3), .more_reads = {Cell::of_lanes, ~0u}}, counting);
  for (const std::size_t word : {1, 2, 3}) {
    EXPECT_EQ(cells_.rest[word].atomic.who, 0u);
    EXPECT_EQ(cells_.rest[word].more_reads.who, 0u);
  }
}

// Whatever of it counts comes back; what does not count need not.
TEST_F(CellsTest, whatever_is_stored_comes_back) {
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    const auto any = [&](std::uint32_t how) {
      return random() % 3 == 0 ? Record{} : record(5 + random() % 20, random() % 32, how);
    };
    const auto more = [&]() -> Record {
      switch (random() % 4) {
        case 0: return {};
        case 1: return {Cell::of_lanes, static_cast<std::uint32_t>(random())};
        case 2: return {Cell::of_list, static_cast<std::uint32_t>(random() % 9)};
        default: return record(10 + random() % 20, random() % 32, random() % 4);
      }
    };
    const Cell cell{any(0), any(1 + random() % 3), any(random() % 4), more()};
    const std::size_t word = random() % n;
    cells_.store(word, cell, counting);
    const Cell back = cells_.load(word, counting);
    const auto same = [&](const Record& was, const Record& is) {
      return counting.hold(was) ? equal(was, is) : !counting.hold(is);
    };
    ASSERT_TRUE(same(cell.write, back.write) && same(cell.atomic, back.atomic) && same(cell.read, back.read)) << round;
    if (cell.more_reads.who == Cell::of_list || counting.hold(cell.read)) {
      ASSERT_TRUE(equal(cell.more_reads, back.more_reads)) << round;
    }
  }
}

TEST_F(CellsTest, of_split_words_only_the_last_access_is_kept) {
  const std::uint32_t who = record(11, 3).who;
  cells_.store(1, {.write = {who, 0}, .atomic = {}, .read = {}, .more_reads = {Cell::split, 0}}, counting);
  EXPECT_TRUE(Cells::is_split(cells_.first[1]));
  EXPECT_EQ(cells_.second[1].who, 0u);
  EXPECT_EQ(cells_.rest[1].more_reads.who, 0u);
  EXPECT_EQ(cells_.load(1, counting).more_reads.who, Cell::split);
  EXPECT_EQ(cells_.load(1, counting).write.who, who);
  EXPECT_EQ(cells_.load(1, {12, 100}).more_reads.who, 0u) << "none of its bytes counts when the last access does not";
  cells_.store(2, {.write = {}, .atomic = record(11, 3, 2), .read = {}, .more_reads = {}}, counting);
  EXPECT_FALSE(Cells::is_split(cells_.first[2]));
}

}  // namespace
}  // namespace rafter::simt

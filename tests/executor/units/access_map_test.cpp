// Access maps, compared with a table of every byte.
#include "executor/order/access_map.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "executor/order/recorder.hpp"

namespace rafter::simt {
namespace {

TEST(Use, AtomicAccessesDoNotConflictWithEachOther) {
  EXPECT_FALSE(conflict(Use::reads, Use::reads));
  EXPECT_FALSE(conflict(Use::reads, Use::reads_atomically));
  EXPECT_FALSE(conflict(Use::updates, Use::updates));
  EXPECT_FALSE(conflict(Use::updates, Use::reads_atomically));
  EXPECT_TRUE(conflict(Use::reads, Use::updates));
  EXPECT_TRUE(conflict(Use::writes, Use::updates));
  EXPECT_TRUE(conflict(Use::writes, Use::reads_atomically));
  EXPECT_TRUE(conflict(Use::writes, Use::writes));
}

TEST(Intervals, KeepTheFirstSiteOfEachByte) {
  Intervals intervals;
  intervals.add({10, 20}, 1);
  intervals.add({5, 30}, 2);
  EXPECT_EQ(intervals.find({10, 11})->site, 1);
  EXPECT_EQ(intervals.find({0, 100})->site, 2);
  EXPECT_EQ(intervals.find({0, 100})->bytes.begin, 5u);
  EXPECT_EQ(intervals.find({25, 100})->bytes.end, 30u);
  EXPECT_FALSE(intervals.find({30, 100}));
  intervals.remove({8, 25});
  EXPECT_FALSE(intervals.find({8, 25}));
  EXPECT_EQ(intervals.find({0, 100})->bytes.end, 8u);
}

constexpr std::uintptr_t n_bytes = 3 * AccessMap::page_bytes;

struct Table {
  std::array<std::vector<bool>, n_uses> accessed;
  Table() { accessed.fill(std::vector<bool>(n_bytes)); }
  void add(Bytes bytes, Use use) {
    for (std::uintptr_t at = bytes.begin; at < bytes.end; ++at) accessed[static_cast<std::size_t>(use)][at] = true;
  }
  bool conflicts(Bytes bytes, Use use) const {
    for (std::size_t other = 0; other < n_uses; ++other) {
      for (std::uintptr_t at = bytes.begin; at < bytes.end; ++at) {
        if (accessed[other][at] && conflict(use, static_cast<Use>(other))) return true;
      }
    }
    return false;
  }
};

TEST(AccessMap, FindsConflictsLikeATableOfBytes) {
  for (unsigned seed = 0; seed < 70; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uintptr_t n) { return random() % n; };
    const auto any_bytes = [&](std::uintptr_t most) {
      const std::uintptr_t begin = below(n_bytes - most);
      return Bytes{begin, begin + 1 + below(most)};
    };
    const auto any_use = [&] { return static_cast<Use>(below(n_uses)); };
    AccessMap accesses, more;
    Recorder recorder;
    Table table;
    const auto find = [&](std::uintptr_t number) { return Recorder::Found{&accesses.page(number), false}; };
    for (int i = 0; i < 60; ++i) {
      const Bytes few = any_bytes(16), many = any_bytes(2000);
      const Use few_use = any_use(), many_use = any_use();
      recorder.record(few, few_use, &table, find, [](const void*) { return SiteNumber{1}; });
      table.add(few, few_use);
      if (i % 8 == 0) {
        (i % 16 == 0 ? accesses : more).add(many, many_use, 2);
        table.add(many, many_use);
      }
    }
    more.page(1).words[5] = {WordAccesses::mask(Use::writes, 3), 0, 7, 0};
    table.add({AccessMap::page_bytes + 20, AccessMap::page_bytes + 22}, Use::writes);
    accesses.merge(more);
    for (int i = 0; i < 500; ++i) {
      const Bytes bytes = any_bytes(i % 2 == 0 ? 8 : 3000);
      const Use use = any_use();
      const auto found = accesses.find(bytes, use);
      ASSERT_EQ(found.has_value(), table.conflicts(bytes, use)) << "seed " << seed;
      if (!found) continue;
      EXPECT_NE(found->site, 0);
      EXPECT_LE(bytes.begin, found->bytes.begin);
      EXPECT_LE(found->bytes.end, bytes.end);
      for (std::uintptr_t at = found->bytes.begin; at < found->bytes.end; ++at) {
        EXPECT_TRUE(table.conflicts({at, at + 1}, use)) << "seed " << seed;
      }
    }
  }
  EXPECT_EQ(AccessMap::n_pages(), 0u);
}

TEST(AccessMap, ForgetsAccessesToReplacedMemory) {
  AccessMap accesses;
  accesses.page(0).words[2] = {WordAccesses::mask(Use::writes, 15), 0, 1, 0};
  accesses.add({4096, 8192}, Use::reads, 1);
  accesses.forget({8, 4100});
  EXPECT_FALSE(accesses.find({0, 4100}, Use::writes));
  EXPECT_TRUE(accesses.find({4100, 4104}, Use::writes));
}

}  // namespace
}  // namespace rafter::simt

// A launch that several workers share speculatively: detecting conflicts, and rolling back.
#include "executor/check/speculative_launch.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace rafter::simt {
namespace {

class SpeculativeLaunchTest : public testing::Test {
 protected:
  static constexpr std::size_t n = 10 * ReadWriteSet::page_bytes + 40;  // the last page is incomplete

  void SetUp() override {
    ASSERT_TRUE(shadow_.reserve(memory_.data(), n));
    shadow_.set(Shadow::Part::exists, memory_.data(), n, true);
    ASSERT_TRUE(launch_.begin(3));
  }
  void TearDown() override {
    launch_.end();
    shadow_.drop();
  }
  bool access(int worker, std::size_t at, std::size_t bytes, bool writes) {
    return launch_.read_write_set(worker).add(memory_.data() + at, bytes, writes);
  }

  alignas(4096) std::array<std::byte, n> memory_{};
  Shadow shadow_;
  SpeculativeLaunch launch_{shadow_};
};

TEST_F(SpeculativeLaunchTest, ReadersDoNotConflict) {
  for (int worker = 0; worker < 3; ++worker) EXPECT_TRUE(access(worker, 4000, 200, false));
  EXPECT_FALSE(launch_.has_conflict());
}

TEST_F(SpeculativeLaunchTest, WritersOfAdjacentWordsDoNotConflict) {
  for (int worker = 0; worker < 3; ++worker) {
    for (std::size_t at = static_cast<std::size_t>(worker) * 4; at + 4 <= n; at += 12) access(worker, at, 4, true);
  }
  EXPECT_FALSE(launch_.has_conflict());
}

TEST_F(SpeculativeLaunchTest, WriterConflictsWithAccessesToItsWord) {
  for (const bool writes : {false, true}) {
    for (const bool writer_first : {false, true}) {
      access(writer_first ? 0 : 2, 8200, 4, true);
      access(writer_first ? 2 : 0, 8192, 16, writes);
      EXPECT_TRUE(launch_.has_conflict()) << writes << writer_first;
      launch_.end();
      ASSERT_TRUE(launch_.begin(3));
    }
  }
  access(1, 8200, 1, true);
  access(2, 8203, 1, true);
  EXPECT_TRUE(launch_.has_conflict());  // conflicts are detected per word, not per byte
}

TEST_F(SpeculativeLaunchTest, ComparesAllPairsOfWorkers) {
  access(1, 12288, 4, true);
  access(2, 12288, 4, false);
  EXPECT_TRUE(launch_.has_conflict());
}

TEST_F(SpeculativeLaunchTest, StartsEmptyForEachLaunch) {
  access(0, 100, 4, true);
  launch_.end();
  ASSERT_TRUE(launch_.begin(2));
  access(1, 100, 4, true);
  EXPECT_FALSE(launch_.has_conflict());
}

TEST_F(SpeculativeLaunchTest, RollBackRestoresBytesAndStates) {
  std::mt19937 random(5);
  for (std::byte& byte : memory_) byte = static_cast<std::byte>(random());
  for (int i = 0; i < 200; ++i) shadow_.set(Shadow::Part::written, memory_.data() + random() % (n - 8), 8, true);
  const auto before = memory_;
  const std::vector<std::uint8_t> states(shadow_.state, shadow_.state + n / 4);
  for (int i = 0; i < 300; ++i) {
    const std::size_t bytes = i % 10 == 0 ? 9000 : 1 + random() % 16, at = random() % (n - bytes);
    ASSERT_TRUE(access(static_cast<int>(random() % 3), at, bytes, true));
    std::memset(memory_.data() + at, i, bytes);
    shadow_.set(Shadow::Part::written, memory_.data() + at, bytes, true);
  }
  EXPECT_FALSE(memory_ == before);
  launch_.roll_back();
  EXPECT_TRUE(memory_ == before);
  EXPECT_EQ(std::vector<std::uint8_t>(shadow_.state, shadow_.state + n / 4), states);
}

}  // namespace
}  // namespace rafter::simt

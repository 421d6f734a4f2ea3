// Shadow memory: which bytes exist and which were written, at any offset and length.
#include "executor/memory/shadow.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace rafter::simt {
namespace {

class ShadowTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(shadow_.reserve(memory_.data() + 2, n)); }
  void TearDown() override { shadow_.drop(); }

  static bool bit(const Shadow& shadow, const std::byte* at, Shadow::Part part) {
    const auto offset = static_cast<std::size_t>(at - shadow.base);
    const unsigned both = shadow.state[offset / 4] >> offset % 4;
    return part == Shadow::Part::written ? both & 1 : both >> 4 & 1;
  }

  static constexpr std::size_t n = 200;
  alignas(16) std::array<std::byte, n + 8> memory_{};  // the range starts within a word
  Shadow shadow_;
};

TEST_F(ShadowTest, ContainsItsRange) {
  EXPECT_TRUE(shadow_.holds(memory_.data() + 2));
  EXPECT_TRUE(shadow_.holds(memory_.data() + 2 + n - 1));
  EXPECT_FALSE(shadow_.holds(memory_.data() + 2 + n));
  EXPECT_FALSE(shadow_.holds(memory_.data() - 1));
  EXPECT_EQ(shadow_.word(memory_.data() + 3), 0u);
  EXPECT_EQ(shadow_.word(memory_.data() + 4), 1u);
}

TEST_F(ShadowTest, SetsExactlyTheGivenBytes) {
  std::array<bool, n + 2> written{}, exists{};
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const std::size_t from = 2 + random() % n, length = random() % (n + 2 - from + 1);
    const auto part = random() % 2 ? Shadow::Part::written : Shadow::Part::exists;
    const bool value = random() % 2;
    shadow_.set(part, memory_.data() + from, length, value);
    auto& model = part == Shadow::Part::written ? written : exists;
    std::fill_n(model.begin() + static_cast<std::ptrdiff_t>(from), length, value);
    for (std::size_t i = 0; i < n + 2; ++i) {
      ASSERT_EQ(bit(shadow_, memory_.data() + i, Shadow::Part::written), written[i])
          << "round " << round << " byte " << i;
      ASSERT_EQ(bit(shadow_, memory_.data() + i, Shadow::Part::exists), exists[i])
          << "round " << round << " byte " << i;
    }
  }
}

TEST_F(ShadowTest, CopiesWrittenStateBetweenOffsets) {
  std::array<std::byte, n> other_memory;
  Shadow other;
  ASSERT_TRUE(other.reserve(other_memory.data(), other_memory.size()));
  for (std::size_t i = 0; i < 50; i += 3) other.set(Shadow::Part::written, other_memory.data() + i, 1, true);
  shadow_.set(Shadow::Part::written, memory_.data() + 2, n, true);
  shadow_.set(Shadow::Part::exists, memory_.data() + 2, n, true);
  shadow_.copy_written(memory_.data() + 11, other, other_memory.data() + 1, 40);
  for (std::size_t i = 2; i < n; ++i) {
    const bool is_copied = i >= 11 && i < 51;
    EXPECT_EQ(bit(shadow_, memory_.data() + i, Shadow::Part::written), !is_copied || (i - 10) % 3 == 0) << i;
    EXPECT_TRUE(bit(shadow_, memory_.data() + i, Shadow::Part::exists)) << i;
  }
  other.drop();
}

TEST_F(ShadowTest, ForgetsOnlyAccesses) {
  shadow_.set(Shadow::Part::written, memory_.data() + 8, 4, true);
  const Record write{(5u << 5) | 9, (77u << 6) | 15};
  shadow_.cells.store(2, {.write = write, .atomic = {}, .read = {}, .more_reads = {}}, {1, 10});
  EXPECT_EQ(shadow_.cells.load(2, {1, 10}).write.accessor, write.accessor);
  shadow_.forget_accesses();
  EXPECT_EQ(shadow_.cells.load(2, {1, 10}).write.accessor, 0u);
  EXPECT_TRUE(bit(shadow_, memory_.data() + 8, Shadow::Part::written));
}

}  // namespace
}  // namespace rafter::simt

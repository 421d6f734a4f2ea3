#include "apps/forces/summary.hpp"

#include <gtest/gtest.h>

namespace rafter::forces {
namespace {

TEST(ForcesSummary, KeepsTheExtremesAndTheirFrames) {
  ForcesSummary summary;
  const auto add = [&](std::int64_t index, double energy, const std::vector<float>& forces) {
    Frame frame{.index = index};
    frame.elements.assign(forces.size() / 3, 6);
    summary.add<float>(frame, energy, forces);
  };
  add(0, 5, {0, 0, 1});
  add(2, -3, {0, 0, 1, 0, -3, 4});
  add(3, 7, {3, 0, 4});
  add(5, -3, {});
  EXPECT_EQ(summary.n_frames(), 4);
  EXPECT_EQ(summary.n_atoms(), 4);
  EXPECT_EQ(summary.lowest().frame, 2);
  EXPECT_EQ(summary.lowest().energy, -3);
  EXPECT_EQ(summary.highest().frame, 3);
  EXPECT_EQ(summary.highest().energy, 7);
  EXPECT_EQ(summary.largest().frame, 2);
  EXPECT_EQ(summary.largest().atom, 1);
  EXPECT_EQ(summary.largest().force, 5);
}

TEST(ForcesSummary, CountsSkippedFramesAndKeepsTheFirst) {
  ForcesSummary summary;
  for (std::int64_t i = 0; i < 100; ++i) summary.add(SkippedFrame{.index = i});
  EXPECT_EQ(summary.n_skipped(), 100);
  ASSERT_EQ(summary.skipped().size(), ForcesSummary::n_skipped_shown);
  EXPECT_EQ(summary.skipped().back().index, 4);
  EXPECT_EQ(summary.n_frames(), 0);
}

}  // namespace
}  // namespace rafter::forces

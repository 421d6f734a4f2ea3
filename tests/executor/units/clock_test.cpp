// The vector clocks of a warp's lanes, after some of them have synchronised.
#include <gtest/gtest.h>

#include "executor/engine/warp_clock.hpp"

namespace rafter::simt {
namespace {

constexpr unsigned all = ~0u;

TEST(WarpClock, OrdersNothingInitially) {
  WarpClock clock;
  EXPECT_FALSE(clock.knows(0, 1, clock.time()));
}

TEST(WarpClock, FullSyncOrdersOnlyEarlierWork) {
  WarpClock clock;
  const std::uint32_t before = clock.time();
  clock.meet(all, all);
  EXPECT_GT(clock.time(), before);
  EXPECT_TRUE(clock.knows(3, 31, before));
  EXPECT_FALSE(clock.knows(3, 31, clock.time()));
}

TEST(WarpClock, PartialSyncDoesNotOrderOtherLanes) {
  WarpClock clock;
  const std::uint32_t before = clock.time();
  clock.meet(0b0011, all);
  EXPECT_TRUE(clock.knows(0, 1, before));
  EXPECT_TRUE(clock.knows(1, 0, before));
  EXPECT_FALSE(clock.knows(2, 0, before));
  EXPECT_FALSE(clock.knows(0, 2, before));
}

TEST(WarpClock, OrderIsTransitive) {
  WarpClock clock;
  const std::uint32_t first = clock.time();
  clock.meet(0b0011, all);
  const std::uint32_t second = clock.time();
  clock.meet(0b0110, all);
  EXPECT_TRUE(clock.knows(2, 0, first)) << "through lane 1";
  EXPECT_FALSE(clock.knows(2, 0, second)) << "after lane 1 synchronised with lane 0";
  EXPECT_TRUE(clock.knows(2, 1, second));
  EXPECT_FALSE(clock.knows(0, 2, first)) << "order is not symmetric";
}

TEST(WarpClock, SyncOfAllLanesOfAShortWarpIsFull) {
  WarpClock clock;
  const std::uint32_t before = clock.time();
  clock.meet(all, 0x0000ffff);
  EXPECT_TRUE(clock.knows(0, 15, before));
  EXPECT_FALSE(clock.has_met_in_part());
}

TEST(WarpClock, TickAdvancesTimeWithoutOrdering) {
  WarpClock clock;
  const std::uint32_t before = clock.time();
  clock.tick();
  EXPECT_EQ(clock.time(), before + 1);
  EXPECT_FALSE(clock.knows(0, 1, before));
}

TEST(WarpClock, ViewAgreesWithKnows) {
  WarpClock clock;
  clock.meet(all, all);
  clock.meet(0xff, all);
  clock.meet(0xf0f0, all);
  clock.tick();
  for (unsigned lane = 0; lane < 32; ++lane) {
    const auto view = clock.view(lane);
    for (unsigned other = 0; other < 32; ++other) {
      for (std::uint32_t time = 0; time <= clock.time(); ++time) {
        EXPECT_EQ(clock.knows(lane, other, time), time <= view[other]) << lane << " " << other;
      }
    }
  }
}

TEST(WarpClock, RestartForgetsAllOrder) {
  WarpClock clock;
  clock.meet(0b11, all);
  clock.meet(all, all);
  clock.restart();
  EXPECT_FALSE(clock.knows(0, 1, clock.time()));
  EXPECT_EQ(clock.view(0)[1], 0u);
}

}  // namespace
}  // namespace rafter::simt

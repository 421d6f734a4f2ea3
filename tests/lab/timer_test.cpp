#include "lab/timer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "expect_error.hpp"

namespace rafter::lab {
namespace {

class CpuTimerIn : public testing::TestWithParam<Regime> {
 protected:
  std::unique_ptr<Timer> timer_ = make_timer(Stream::cpu(), 0);
};
INSTANTIATE_TEST_SUITE_P(, CpuTimerIn, testing::Values(Regime::cold, Regime::warm, Regime::wall),
                         [](const auto& regime) { return std::string(name(regime.param)); });

TEST_P(CpuTimerIn, IsSupported) { EXPECT_TRUE(timer_->supports(GetParam())); }

TEST_P(CpuTimerIn, MeasuresASleep) {
  double shortest = 1e30;  // of three, for machines that do other things
  for (int i = 0; i < 3; ++i) {
    const auto sleep = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
    const double ns = timer_->time_ns(GetParam(), sleep);
    EXPECT_GE(ns, 5e6);
    shortest = std::min(shortest, ns);
  }
  EXPECT_LE(shortest, 50e6);
}

TEST_P(CpuTimerIn, TimesOneCallOnly) {
  double shortest = 1e30;
  int n_calls = 0;
  for (int i = 0; i < 3; ++i) {
    shortest = std::min(shortest, timer_->time_ns(GetParam(), [&] { ++n_calls; }));
  }
  EXPECT_EQ(n_calls, GetParam() == Regime::warm ? 6 : 3);  // warm: straight after the same call
  EXPECT_LT(shortest, 1e6);                                // neither the warming call nor the flush is in it
}

TEST_P(CpuTimerIn, PassesOnWhatTheCallThrows) {
  expect_error(ErrorCode::unsupported, "no",
               [&] { timer_->time_ns(GetParam(), [] { throw Error(ErrorCode::unsupported, "no"); }); });
}

TEST(CpuTimer, DoesNotSupportGraphs) { EXPECT_FALSE(make_timer(Stream::cpu(), 0)->supports(Regime::graph)); }

TEST(CpuTimer, NeedsNoSweepForDataLargerThanTheCaches) {
  const auto timer = make_timer(Stream::cpu(), 1e13);
  EXPECT_GE(timer->time_ns(Regime::cold, [] {}), 0);
}

TEST(Regime, HasNames) {
  EXPECT_EQ(name(Regime::cold), "cold");
  EXPECT_EQ(name(Regime::warm), "warm");
  EXPECT_EQ(name(Regime::graph), "graph");
  EXPECT_EQ(name(Regime::wall), "wall");
}

}  // namespace
}  // namespace rafter::lab

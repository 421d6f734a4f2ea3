#include "workbench/lab/machine/timer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "expect_error.hpp"
#include "workbench/lab/machine/machine.hpp"

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
  const auto sleep = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
  EXPECT_GE(timer_->time_ns(GetParam(), sleep), 5e6);
}

// In the warm regime another call precedes the timed one. It sleeps here: its time must be outside of the result,
// however slow the machine is.
TEST_P(CpuTimerIn, TimesOneCallOnly) {
  int n_calls = 0;
  const auto call = [&] {
    ++n_calls;
    if (GetParam() == Regime::warm && n_calls == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  const auto start = std::chrono::steady_clock::now();
  const double ns = timer_->time_ns(GetParam(), call);
  const std::chrono::duration<double, std::nano> total = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(n_calls, GetParam() == Regime::warm ? 2 : 1);
  EXPECT_GE(total.count() - ns, GetParam() == Regime::warm ? 20e6 : 0);
}

TEST_P(CpuTimerIn, PreparesDirectlyBeforeTheTimedCall) {
  std::string order;
  timer_->time_ns(
      GetParam(), [&] { order += 'c'; }, [&] { order += 'p'; });
  EXPECT_EQ(order, GetParam() == Regime::warm ? "cpc" : "pc");
}

TEST_P(CpuTimerIn, RethrowsErrorsOfTheCall) {
  expect_error(ErrorCode::unsupported, "no",
               [&] { timer_->time_ns(GetParam(), [] { throw Error(ErrorCode::unsupported, "no"); }); });
}

TEST(CpuTimer, DoesNotSupportGraphs) { EXPECT_FALSE(make_timer(Stream::cpu(), 0)->supports(Regime::graph)); }

TEST(CpuTimer, SweepIsLargerThanTheLastCache) { EXPECT_GE(cold_sweep_bytes(1 << 20), 2 * last_level_cache_bytes()); }

TEST(CpuTimer, NeedsNoSweepForDataLargerThanTheCaches) {
  EXPECT_EQ(cold_sweep_bytes(1e13), 0);
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

#include "workbench/lab/machine/timer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "expect_error.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/measure/statistics.hpp"

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
  double shortest = 1e30;  // of three, because the machine may be busy
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
  EXPECT_EQ(n_calls, GetParam() == Regime::warm ? 6 : 3);  // warm: immediately after the same call
  EXPECT_LT(shortest, 1e6);                                // excludes the warming call and the flush
}

TEST_P(CpuTimerIn, RethrowsErrorsOfTheCall) {
  expect_error(ErrorCode::unsupported, "no",
               [&] { timer_->time_ns(GetParam(), [] { throw Error(ErrorCode::unsupported, "no"); }); });
}

TEST(CpuTimer, DoesNotSupportGraphs) { EXPECT_FALSE(make_timer(Stream::cpu(), 0)->supports(Regime::graph)); }

TEST(CpuTimer, NeedsNoSweepForDataLargerThanTheCaches) {
  const auto timer = make_timer(Stream::cpu(), 1e13);
  EXPECT_GE(timer->time_ns(Regime::cold, [] {}), 0);
}

/// Cache lines linked in random order, which prefetchers cannot predict.
class Chain {
 public:
  explicit Chain(std::int64_t bytes) : lines_(static_cast<std::size_t>(bytes) / sizeof(Line)) {
    std::vector<std::size_t> order(lines_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    for (std::size_t i = 0; i < order.size(); ++i) lines_[order[i]].next = order[(i + 1) % order.size()];
  }
  void follow() {
    std::size_t at = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) at = lines_[at].next;
    end_ = at;
  }
  double median_ns(Timer& timer, Regime regime) {
    std::vector<double> samples(15);
    for (double& ns : samples) ns = timer.time_ns(regime, [this] { follow(); });
    return summarize(samples).median;
  }

 private:
  struct alignas(64) Line {
    std::size_t next;
  };
  std::vector<Line> lines_;
  volatile std::size_t end_ = 0;
};

TEST(CpuTimer, ColdDataIsNotInTheCaches) {
  Chain chain(1 << 20);
  const auto timer = make_timer(Stream::cpu(), 1 << 20);
  double ratio = 0;  // the best of several, because other processes use the caches, too
  for (int attempt = 0; attempt < 10 && ratio <= 1.5; ++attempt)
    ratio = chain.median_ns(*timer, Regime::cold) / chain.median_ns(*timer, Regime::warm);
  EXPECT_GT(ratio, 1.5);
}

/// Returns the shortest of five times, because the machine may be busy.
template <class Work>
double shortest_ns(const Work& work) {
  double shortest = 1e30;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    shortest = std::min(shortest, taken.count());
  }
  return shortest;
}

// Twice the last-level cache is written and read, which takes far longer than writing half of it.
TEST(CpuTimer, SweepIsLargerThanTheLastCache) {
  std::vector<char> half(static_cast<std::size_t>(last_level_cache_bytes()) / 2);
  volatile char sink = 0;
  const double fill = shortest_ns([&] {
    std::fill(half.begin(), half.end(), static_cast<char>(sink + 1));
    sink = half[half.size() / 2];
  });
  const auto timer = make_timer(Stream::cpu(1), 1 << 20);
  double longest = 0;  // of several, because filling the half may have been interrupted
  for (int attempt = 0; attempt < 5 && longest <= fill; ++attempt)
    longest = std::max(longest, shortest_ns([&] { timer->time_ns(Regime::cold, [] {}); }));
  EXPECT_GT(longest, fill);
}

TEST(Regime, HasNames) {
  EXPECT_EQ(name(Regime::cold), "cold");
  EXPECT_EQ(name(Regime::warm), "warm");
  EXPECT_EQ(name(Regime::graph), "graph");
  EXPECT_EQ(name(Regime::wall), "wall");
}

}  // namespace
}  // namespace rafter::lab

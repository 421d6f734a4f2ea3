#include "workbench/lab/measure/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace rafter::lab {
namespace {

using Samples = std::vector<double>;

Samples made(int n, const std::function<double(int)>& value) {
  Samples samples;
  for (int i = 0; i < n; ++i) samples.push_back(value(i));
  return samples;
}

/// Returns times around 1000 with the given relative scatter.
Samples scattered(int n, double scatter, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> around(1000, 1000 * scatter);
  return made(n, [&](int) { return around(random); });
}

Samples scaled(Samples samples, double factor) {
  for (double& x : samples) x *= factor;
  return samples;
}

// --- one list of times

TEST(Summary, IsAllZerosWithoutSamples) {
  const Summary s = summarize({});
  EXPECT_EQ(s.n, 0u);
  EXPECT_EQ(s.median, 0);
  EXPECT_EQ(s.uncertainty(), 0);
}

TEST(Summary, EqualsASingleSample) {
  const Summary s = summarize(Samples{7});
  EXPECT_EQ(s.n, 1u);
  EXPECT_EQ(s.minimum, 7);
  EXPECT_EQ(s.lower_quartile, 7);
  EXPECT_EQ(s.median, 7);
  EXPECT_EQ(s.upper_quartile, 7);
  EXPECT_EQ(s.interval_low, 7);
  EXPECT_EQ(s.interval_high, 7);
}

TEST(Summary, MedianOfAnOddNumberIsTheMiddleOne) {
  const Summary s = summarize(Samples{5, 1, 4, 2, 3});
  EXPECT_EQ(s.minimum, 1);
  EXPECT_EQ(s.lower_quartile, 2);
  EXPECT_EQ(s.median, 3);
  EXPECT_EQ(s.upper_quartile, 4);
}

TEST(Summary, MedianOfAnEvenNumberInterpolates) {
  const Summary s = summarize(Samples{4, 1, 3, 2});
  EXPECT_EQ(s.lower_quartile, 1.75);
  EXPECT_EQ(s.median, 2.5);
  EXPECT_EQ(s.upper_quartile, 3.25);
}

TEST(Summary, MedianIgnoresAnOutlier) { EXPECT_EQ(summarize(Samples{1, 1, 1, 1, 1e9}).median, 1); }

TEST(Summary, IntervalOfFewSamplesIsTheWholeRange) {
  for (int n = 1; n < 6; ++n) {
    const Summary s = summarize(made(n, [](int i) { return i + 1; }));
    EXPECT_EQ(s.interval_low, 1) << n;
    EXPECT_EQ(s.interval_high, n) << n;
  }
}

TEST(Summary, IntervalOfManySamplesIsNarrowAroundTheMedian) {
  const Summary s = summarize(made(10001, [](int i) { return i; }));
  EXPECT_EQ(s.median, 5000);
  EXPECT_NEAR(s.interval_low, 5000 - 98, 2);  // 1.96 * sqrt(n) / 2 ranks
  EXPECT_NEAR(s.interval_high, 5000 + 98, 2);
}

// Of 20 samples at most 5 fall below the median with a chance of 2.07 %, at most 6 with 5.77 %.
TEST(Summary, IntervalHasTheRanksOfTheExactBinomial) {
  struct Ranks {
    int n, low, high;
  };
  for (const Ranks& ranks :
       {Ranks{5, 1, 5}, {6, 1, 6}, {8, 1, 8}, {9, 2, 8}, {20, 6, 15}, {50, 18, 33}, {100, 40, 61}}) {
    const Summary s = summarize(made(ranks.n, [](int i) { return i + 1; }));
    EXPECT_EQ(s.interval_low, ranks.low) << ranks.n << " samples";
    EXPECT_EQ(s.interval_high, ranks.high) << ranks.n << " samples";
  }
}

TEST(Summary, IntervalIsSymmetricInRank) {
  for (int n = 1; n <= 200; ++n) {
    const Summary s = summarize(made(n, [](int i) { return i + 1; }));
    EXPECT_EQ(s.interval_low + s.interval_high, n + 1) << n << " samples";
  }
}

TEST(Summary, UncertaintyIsHalfTheIntervalOverTheMedian) {
  const Summary s{.median = 10, .interval_low = 9, .interval_high = 11};
  EXPECT_DOUBLE_EQ(s.uncertainty(), 0.1);
}

/// Returns how often the interval contains the true median of skewed samples, as times are.
double coverage(int n, unsigned seed) {
  constexpr int n_trials = 4000;
  std::mt19937 random(seed);
  std::exponential_distribution<double> skewed(1);
  int n_covered = 0;
  for (int trial = 0; trial < n_trials; ++trial) {
    const Summary s = summarize(made(n, [&](int) { return skewed(random); }));
    if (s.interval_low <= std::log(2.) && std::log(2.) <= s.interval_high) ++n_covered;
  }
  return n_covered / static_cast<double>(n_trials);
}

TEST(Summary, IntervalCoversTheMedianAtItsConfidenceLevel) {
  for (const int n : {6, 8, 20, 21, 50, 101, 300}) {
    const double share = coverage(n, 1);
    EXPECT_GT(share, 0.93) << n << " samples";
    EXPECT_LT(share, 0.995) << n << " samples";
  }
}

// --- two lists

TEST(Judge, ClearlyShorterTimesAreFaster) {
  const Versus v = judge(scattered(50, 0.01, 1), scaled(scattered(50, 0.01, 2), 1.2), 0.001);
  EXPECT_EQ(v.verdict, Verdict::faster);
  EXPECT_NEAR(v.ratio, 1.2, 0.02);
  EXPECT_LE(v.interval_low, v.ratio);
  EXPECT_GE(v.interval_high, v.ratio);
}

TEST(Judge, ClearlyLongerTimesAreSlower) {
  const Versus v = judge(scaled(scattered(50, 0.01, 1), 1.2), scattered(50, 0.01, 2), 0.001);
  EXPECT_EQ(v.verdict, Verdict::slower);
  EXPECT_NEAR(v.ratio, 1 / 1.2, 0.02);
}

Verdict mirrored(Verdict verdict) {
  return verdict == Verdict::faster ? Verdict::slower : verdict == Verdict::slower ? Verdict::faster : verdict;
}

TEST(Judge, SidesCanBeSwapped) {
  for (const int n : {8, 10, 20, 21}) {
    for (unsigned seed = 1; seed <= 50; ++seed) {
      const Samples one = scattered(n, 0.02, seed);
      const Samples two = scaled(scattered(n, 0.02, 100 + seed), 1 + 0.002 * (static_cast<int>(seed) - 25));
      const Versus there = judge(one, two, 0);
      const Versus back = judge(two, one, 0);
      EXPECT_EQ(back.verdict, mirrored(there.verdict)) << n << " samples, seed " << seed;
      EXPECT_NEAR(back.interval_low, 1 / there.interval_high, 1e-12) << n << " samples, seed " << seed;
      EXPECT_NEAR(back.interval_high, 1 / there.interval_low, 1e-12) << n << " samples, seed " << seed;
    }
  }
}

TEST(Judge, EqualTimesAreTheSame) {
  EXPECT_EQ(judge(scattered(200, 0.005, 1), scattered(200, 0.005, 2), 0.001).verdict, Verdict::same);
}

TEST(Judge, HalfAPercentIsTheSame) {
  const Samples once = scattered(50, 0.01, 1);
  EXPECT_EQ(judge(once, scaled(once, 1.005), 0).verdict, Verdict::same);
}

TEST(Judge, TwoPercentWithoutScatterIsDecided) {
  const Samples once = scattered(50, 0.01, 1);
  EXPECT_EQ(judge(once, scaled(once, 1.02), 0).verdict, Verdict::faster);
  EXPECT_EQ(judge(once, scaled(once, 0.98), 0).verdict, Verdict::slower);
}

TEST(Judge, WideScatterIsUndecided) {
  const Versus v = judge(scattered(20, 0.3, 1), scattered(20, 0.3, 2), 0.001);
  EXPECT_EQ(v.verdict, Verdict::undecided);
}

TEST(Judge, IntervalAcrossTheMarginIsUndecided) {
  const Samples own(100, 1000);
  const Samples other = made(100, [](int i) { return i % 2 == 0 ? 1005 : 1015; });
  EXPECT_EQ(judge(own, other, 0).verdict, Verdict::undecided);
}

TEST(Judge, CommonDriftCancels) {
  const auto drift = [](int i) { return 1000. * (1 + i); };  // 50-fold over the run
  const Versus v = judge(made(50, drift), scaled(made(50, drift), 1.1), 0.001);
  EXPECT_EQ(v.verdict, Verdict::faster);
  EXPECT_NEAR(v.ratio, 1.1, 1e-9);
}

TEST(Judge, NoiseWidensTheMargin) {
  const Samples once = scattered(50, 0.01, 1);
  const Samples other = scaled(once, 1.03);
  EXPECT_EQ(judge(once, other, 0.01).verdict, Verdict::faster);  // margin 2 %
  EXPECT_EQ(judge(once, other, 0.02).verdict, Verdict::same);    // margin 4 %
}

TEST(Judge, WideIntervalsAreNeverTheSame) {
  Samples own(30, 1.), other = own;
  for (std::size_t i = 0; i < own.size(); ++i) other[i] = 0.08 + (1.96 - 0.08) * static_cast<double>(i) / 29;
  EXPECT_EQ(judge(own, other, 1).verdict, Verdict::undecided);
  const Samples once = scattered(50, 0.01, 1);
  EXPECT_EQ(judge(once, scaled(once, 1.04), 0.025).verdict, Verdict::same);
  EXPECT_EQ(judge(once, scaled(once, 1.04), 0.026).verdict, Verdict::undecided) << "such noise hides the difference";
}

TEST(Judge, TooNoisyMeansTwiceTheNoiseExceedsSame) {
  EXPECT_FALSE(is_too_noisy(0));
  EXPECT_FALSE(is_too_noisy(0.024));
  EXPECT_TRUE(is_too_noisy(0.026));
  EXPECT_TRUE(is_too_noisy(std::nan("")));
}

TEST(Judge, FewRoundsAreUndecided) {
  EXPECT_EQ(judge(Samples(7, 1.), Samples(7, 2.), 0).verdict, Verdict::undecided);
  EXPECT_EQ(judge(Samples(8, 1.), Samples(8, 2.), 0).verdict, Verdict::faster);
}

TEST(Judge, NoRoundsAreUndecided) {
  EXPECT_EQ(judge({}, Samples{1, 2}, 0).verdict, Verdict::undecided);
  EXPECT_EQ(judge({}, {}, 0).ratio, 1);
}

TEST(Judge, OnlyCommonRoundsCount) {
  Samples longer(20, 2.);
  longer.resize(100, 1000.);
  EXPECT_EQ(judge(Samples(20, 1.), longer, 0).ratio, 2);
}

TEST(Judge, VerdictsHaveNames) {
  EXPECT_EQ(name(Verdict::faster), std::string("FASTER"));
  EXPECT_EQ(name(Verdict::slower), std::string("SLOWER"));
  EXPECT_EQ(name(Verdict::same), std::string("SAME"));
  EXPECT_EQ(name(Verdict::undecided), std::string("UNDECIDED"));
}

TEST(Noise, IsZeroForIdenticalTimes) {
  const Samples once = scattered(50, 0.1, 1);
  EXPECT_EQ(noise_of(once, once), 0);
  EXPECT_EQ(noise_of({}, {}), 0);
}

TEST(Noise, IsTheDifferenceBetweenTwoRunsOfOneThing) {
  const Samples once(50, 1000.);
  EXPECT_NEAR(noise_of(once, scaled(once, 1.03)), 0.03, 1e-9);
  EXPECT_NEAR(noise_of(once, scaled(once, 0.97)), 0.03, 1e-9);
}

TEST(Noise, GrowsWithTheScatter) {
  const double quiet = noise_of(scattered(50, 0.01, 1), scattered(50, 0.01, 2));
  const double loud = noise_of(scattered(50, 0.1, 1), scattered(50, 0.1, 2));
  EXPECT_GT(quiet, 0);
  EXPECT_GT(loud, 3 * quiet);
}

}  // namespace
}  // namespace rafter::lab

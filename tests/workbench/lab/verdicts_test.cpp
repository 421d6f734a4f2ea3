// A verdict is correct in 99 of 100 repetitions: with simulated times under varying load, and with real ones under
// load.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "load_generator.hpp"
#include "workbench/lab/measure/statistics.hpp"

namespace rafter::lab {
namespace {

using Samples = std::vector<double>;

/// Returns times around `ns` with an autoregressive logarithm: each value keeps `memory` of the previous deviation.
Samples wandering(int n, double ns, double scatter, double memory, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Samples times;
  double now = scatter * normal(random);
  for (int i = 0; i < n; ++i) {
    times.push_back(ns * std::exp(now));
    now = memory * now + scatter * std::sqrt(1 - memory * memory) * normal(random);
  }
  return times;
}

/// Counts the wrong verdicts and the decided ones over many runs that compare times with a true ratio of `ratio`.
struct Verdicts {
  int n_wrong = 0, n_decided = 0;

  void add(Verdict verdict, double ratio) {
    n_decided += verdict != Verdict::undecided;
    n_wrong += (verdict == Verdict::faster && ratio <= 1) || (verdict == Verdict::slower && ratio >= 1) ||
               (verdict == Verdict::same && std::abs(ratio - 1) > 0.05);
  }
};

TEST(Verdict, IsCorrectUnderVaryingLoad) {
  constexpr int n_runs = 1000;
  std::mt19937 random(11);
  for (const double memory : {0., 0.5, 0.9}) {
    for (const double scatter : {0.01, 0.05}) {
      for (const int n : {12, 20, 60}) {
        for (const double ratio : {1., 1.07, 0.93}) {
          Verdicts verdicts;
          for (int run = 0; run < n_runs; ++run) {
            const Samples own = wandering(n, 100, scatter, memory, random);
            const Samples repeat = wandering(n, 100, scatter, memory, random);
            const Samples other = wandering(n, 100 * ratio, scatter, memory, random);
            verdicts.add(judge(own, other, noise_of(own, repeat)).verdict, ratio);
          }
          EXPECT_LE(verdicts.n_wrong, n_runs / 100) << memory << ", " << scatter << ", " << n << ", " << ratio;
        }
      }
    }
  }
}

TEST(Verdict, IsReachedForSteadyTimes) {
  std::mt19937 random(12);
  for (const double ratio : {1., 1.07}) {
    Verdicts verdicts;
    for (int run = 0; run < 200; ++run) {
      const Samples own = wandering(20, 100, 0.01, 0, random), repeat = wandering(20, 100, 0.01, 0, random);
      const Samples other = wandering(20, 100 * ratio, 0.01, 0, random);
      verdicts.add(judge(own, other, noise_of(own, repeat)).verdict, ratio);
    }
    EXPECT_GE(verdicts.n_decided, 180) << ratio;
  }
}

/// Returns the time of adding `n` numbers, one after the other.
double time_of(int n) {
  const auto start = std::chrono::steady_clock::now();
  volatile double sum = 0;
  for (int i = 0; i < n; ++i) sum = sum + 1;
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

Verdicts repeat_under_load(int own_work, int other_work) {
  constexpr int n_runs = 100, n_rounds = 20;
  const double ratio = static_cast<double>(other_work) / own_work;
  const LoadGenerator load(static_cast<int>(2 * std::thread::hardware_concurrency()));
  Verdicts verdicts;
  for (int run = 0; run < n_runs; ++run) {
    Samples own, other, repeat;
    for (int round = 0; round < n_rounds; ++round) {
      std::pair<Samples*, int> order[] = {{&own, own_work}, {&other, other_work}, {&repeat, own_work}};
      if (round % 2 == 1) std::reverse(std::begin(order), std::end(order));
      for (const auto& [samples, work] : order) samples->push_back(time_of(work));
    }
    verdicts.add(judge(own, other, noise_of(own, repeat)).verdict, ratio);
  }
  return verdicts;
}

TEST(Verdict, IsCorrectUnderLoad) {
  EXPECT_LE(repeat_under_load(2000, 2000).n_wrong, 1);
  EXPECT_LE(repeat_under_load(2000, 2200).n_wrong, 1);
}

}  // namespace
}  // namespace rafter::lab

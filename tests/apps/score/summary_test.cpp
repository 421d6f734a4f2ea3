#include "apps/score/summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace rafter::score {
namespace {

std::vector<std::int64_t> windows_of(const ScoreSummary& summary) {
  std::vector<std::int64_t> windows;
  for (const ScoredWindow& scored : summary.highest()) windows.push_back(scored.window);
  return windows;
}

TEST(ScoreSummary, SortsHighestFirstAndEqualsByWindow) {
  ScoreSummary summary;
  summary.add(std::vector<float>{1, 5, 3});
  summary.add(std::vector<float>{5, 2, 4, 3, 0.5f});
  EXPECT_EQ(windows_of(summary), (std::vector<std::int64_t>{1, 3, 5, 2, 6}));
  EXPECT_EQ(summary.highest().front().score, 5);
  EXPECT_EQ(summary.lowest(), 0.5f);
  EXPECT_DOUBLE_EQ(summary.mean(), 23.5 / 8);
  EXPECT_EQ(summary.n(), 8);
  EXPECT_FALSE(summary.first_not_finite());
}

TEST(ScoreSummary, DoesNotDependOnHowScoresAreAdded) {
  std::mt19937 random(1);
  std::vector<float> scores(1000);
  for (float& score : scores) score = static_cast<float>(random() % 400);
  ScoreSummary whole, parts;
  whole.add(scores);
  for (std::size_t at = 0; at < scores.size();) {
    const std::size_t n = std::min<std::size_t>(random() % 30, scores.size() - at);
    parts.add(std::span(scores).subspan(at, n));
    at += n;
  }
  EXPECT_EQ(windows_of(whole), windows_of(parts));
  EXPECT_EQ(whole.mean(), parts.mean());
  std::vector<std::int64_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
  });
  order.resize(ScoreSummary::n_highest);
  EXPECT_EQ(windows_of(whole), order);
}

TEST(ScoreSummary, OnlyCountsScoresThatAreNotFinite) {
  ScoreSummary summary;
  summary.add(std::vector<float>{2, NAN, 1, INFINITY});
  EXPECT_EQ(summary.n(), 4);
  EXPECT_EQ(summary.n_finite(), 2);
  EXPECT_EQ(summary.first_not_finite(), 1);
  EXPECT_EQ(summary.lowest(), 1);
  EXPECT_EQ(summary.mean(), 1.5);
  EXPECT_EQ(windows_of(summary), (std::vector<std::int64_t>{0, 2}));
}

TEST(ScoreSummary, EmptySummaryHasNoHighest) {
  ScoreSummary summary;
  summary.add({});
  EXPECT_EQ(summary.n(), 0);
  EXPECT_EQ(summary.mean(), 0);
  EXPECT_TRUE(summary.highest().empty());
}

}  // namespace
}  // namespace rafter::score

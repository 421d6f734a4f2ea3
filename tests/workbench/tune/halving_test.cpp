#include "workbench/tune/halving.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace rafter::tune {

namespace {

void silent(double) {}

}  // namespace

TEST(Halving, FindsTheBestOfManyWithNoise) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random(seed);
    std::exponential_distribution<double> noise(20);  // only ever slower, 5 % on average
    std::vector<double> truth(100);
    for (double& ns : truth) ns = 100 + static_cast<double>(random() % 100);
    const std::size_t best = random() % truth.size();
    truth[best] = 90;
    const HalvingResult result = halve(
        truth.size(), {}, [&](std::size_t i) { return truth[i] * (1 + noise(random)); }, silent);
    EXPECT_EQ(result.finalists.front(), best) << "seed " << seed;
    EXPECT_LE(result.finalists.size(), 6u);
  }
}

TEST(Halving, SpendsLittleTimeOnSlowCandidates) {
  std::map<std::size_t, int> asked;
  const HalvingResult result = halve(
      64, {},
      [&](std::size_t i) {
        ++asked[i];
        return 100. * static_cast<double>(1 + i);
      },
      silent);
  EXPECT_EQ(asked[63], 3);
  EXPECT_GT(asked[0], 30);
  EXPECT_EQ(result.rounds[63], 1);
  int sum = 0;
  for (const auto& entry : asked) sum += entry.second;
  EXPECT_LT(sum, 64 * 3 * 7);
}

TEST(Halving, EndsNearTheFloor) {
  int n = 0;
  const HalvingResult result = halve(
      64, {.floor_ns = 99},
      [&](std::size_t i) {
        ++n;
        return i == 5 ? 100. : 150.;
      },
      silent);
  EXPECT_TRUE(result.is_near_floor);
  EXPECT_EQ(n, 64 * 3) << "one round was enough";
  EXPECT_EQ(result.finalists.front(), 5u);
}

TEST(Halving, EndsWithEqualOrNoCandidates) {
  EXPECT_EQ(halve(
                40, {}, [](std::size_t) { return 7.; }, silent)
                .finalists.size(),
            6u);
  EXPECT_EQ(halve(
                2, {}, [](std::size_t) { return 7.; }, silent)
                .finalists.size(),
            2u);
  EXPECT_TRUE(halve(
                  0, {}, [](std::size_t) { return 7.; }, silent)
                  .finalists.empty());
}

}  // namespace rafter::tune

#include "workbench/lab/data/generate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "rafter/thread_pool.hpp"

namespace rafter::lab {
namespace {

using Kind = Generator::Kind;
constexpr std::int64_t n = 10000;

std::vector<float> made(Kind kind, std::uint64_t seed) {
  GuardedArray<float> array(Stream::cpu(), n);
  fill(array, {kind, seed});
  const std::span<const float> elements = array.on_host();
  return {elements.begin(), elements.end()};
}

/// A pool that divides the work as so many threads would.
class InTurn final : public ThreadPool {
 public:
  explicit InTurn(int n_threads) : n_threads_(n_threads) {}
  int n_threads() const noexcept override { return n_threads_; }
  void run(int n, void (*task)(void*, int), void* context) override {
    for (int i = 0; i < n; ++i) task(context, i);
  }

 private:
  int n_threads_;
};

class BothKinds : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Generate, BothKinds, testing::Values(Kind::whole, Kind::bell),
                         [](const auto& kind) { return kind.param == Kind::whole ? "whole" : "bell"; });

TEST_P(BothKinds, SameSeedGivesTheSameData) { EXPECT_EQ(made(GetParam(), 7), made(GetParam(), 7)); }

TEST_P(BothKinds, DifferentSeedGivesDifferentData) { EXPECT_NE(made(GetParam(), 7), made(GetParam(), 8)); }

TEST_P(BothKinds, ThreadCountDoesNotMatter) {
  const auto by_default = made(GetParam(), 7);
  for (const int n_threads : {1, 3, 7}) {
    set_thread_pool(std::make_shared<InTurn>(n_threads));
    EXPECT_EQ(made(GetParam(), 7), by_default) << n_threads;
  }
  set_thread_pool(nullptr);
}

TEST_P(BothKinds, UntouchedArrayShowsNoChange) {
  GuardedArray<float> array(Stream::cpu(), n);
  fill(array, {GetParam(), 7});
  EXPECT_EQ(find_change(array, {GetParam(), 7}), std::nullopt);
}

TEST_P(BothKinds, OneChangedElementIsFound) {
  for (const std::int64_t where : {std::int64_t{0}, std::int64_t{1234}, n - 1}) {
    GuardedArray<double> array(Stream::cpu(), n);
    fill(array, {GetParam(), 7});
    double& element = array.data()[where];
    element = std::nextafter(element, 100.);
    EXPECT_EQ(find_change(array, {GetParam(), 7}), where);
  }
}

TEST_P(BothKinds, ElementTurnedNanIsFound) {
  GuardedArray<float> array(Stream::cpu(), n);
  fill(array, {GetParam(), 7});
  array.data()[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(find_change(array, {GetParam(), 7}).has_value());
}

TEST_P(BothKinds, DifferentSeedIsReportedAsChange) {
  GuardedArray<float> array(Stream::cpu(), n);
  fill(array, {GetParam(), 7});
  EXPECT_TRUE(find_change(array, {GetParam(), 8}).has_value());
}

TEST(Generate, WholeNumbersAreFromMinusEightToEightWithoutZero) {
  std::set<float> seen;
  for (const float value : made(Kind::whole, 3)) seen.insert(value);
  EXPECT_EQ(seen, (std::set<float>{-8, -7, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Generate, BellHasMeanZeroAndVarianceOne) {
  constexpr int n_values = 100000;
  const Generator bell{Kind::bell, 11};
  double sum = 0;
  double sum_of_squares = 0;
  for (std::int64_t i = 0; i < n_values; ++i) {
    const double value = bell(i);
    sum += value;
    sum_of_squares += value * value;
  }
  EXPECT_NEAR(sum / n_values, 0, 0.016);  // five standard errors
  EXPECT_NEAR(sum_of_squares / n_values, 1, 0.02);
}

TEST(Generate, AdjacentElementsAreNotCorrelated) {
  constexpr int n_values = 100000;
  const Generator bell{Kind::bell, 11};
  double sum = 0;
  for (std::int64_t i = 0; i < n_values; ++i) sum += bell(i) * bell(i + 1);
  EXPECT_NEAR(sum / n_values, 0, 0.016);
}

TEST(Generate, ElementsPastTwoToTheThirtyOneDiffer) {
  const Generator bell{Kind::bell, 11};
  constexpr std::int64_t far = std::int64_t{1} << 32;
  EXPECT_NE(bell(far), bell(0));
}

TEST(Generate, EmptyArrayIsFilledAndUnchanged) {
  GuardedArray<float> array(Stream::cpu(), 0);
  fill(array, {Kind::bell, 7});
  EXPECT_EQ(find_change(array, {Kind::bell, 7}), std::nullopt);
  EXPECT_EQ(array.damage(), std::nullopt);
}

TEST(Generate, FreshSeedsDiffer) { EXPECT_NE(fresh_seed(), fresh_seed()); }

TEST(Generate, FreshSeedsAreShortEnoughToType) {
  for (int i = 0; i < 100; ++i) EXPECT_LT(fresh_seed(), std::uint64_t{1} << 48);
}

}  // namespace
}  // namespace rafter::lab

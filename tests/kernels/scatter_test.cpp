// The guarantees of scatter() and ScatterPlan beyond right answers, on every device present.
#include <cmath>

#include "kernels/all_ops.hpp"
#include "library/core/dtype.hpp"
#include "scatter_results.hpp"

namespace rafter {
namespace {

template <class T, class Key>
void expect_equal_to_a_map(const Stream& stream, std::int64_t n) {
  const std::vector<T> values = whole_numbers<T>(n, 3);
  for (const std::int64_t n_keys : all_n_keys) {
    for (const lab::Spread spread : all_spreads) {
      for (const KeyOrder order : {KeyOrder::unsorted, KeyOrder::sorted}) {
        const std::vector<Key> keys = some_keys<Key>(n, n_keys, spread, order);
        for (const Reduction reduction : all_reductions) {
          const Result<T> expected = slowly(keys, values, reduction, n_keys);
          const auto what = testing::Message()
                            << n_keys << " keys, spread " << static_cast<int>(spread) << ", order "
                            << static_cast<int>(order) << ", reduction " << static_cast<int>(reduction);
          ASSERT_EQ(scattered(stream, keys, values, {reduction, order}, n_keys), expected) << what;
          ASSERT_EQ(planned(stream, keys, values, reduction, n_keys), expected) << "planned, " << what;
        }
      }
    }
  }
}

TEST_P(Scatter, EqualsAMapOfKeys) {
  const Stream stream = Stream::on(GetParam());
  expect_equal_to_a_map<double, std::int64_t>(stream, 100003);
  expect_equal_to_a_map<std::int32_t, std::int32_t>(stream, 20011);
}

/// Every second element has key 0, whose sum exceeds 65504: in their own type, 16-bit sums would stop growing at 4096
/// (bfloat16), or be infinite before the division of a mean (float16).
template <class T, class Key>
void expect_rounded_once(const Stream& stream, std::int64_t n, std::int64_t n_keys) {
  std::vector<T> values;
  std::vector<double> wide;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(T(lab::random_below(9, i, 17) - 2));
  for (const T value : values) wide.push_back(static_cast<double>(value));
  for (const KeyOrder order : {KeyOrder::unsorted, KeyOrder::sorted}) {
    const std::vector<Key> keys = some_keys<Key>(n, n_keys, lab::Spread::skewed, order);
    for (const Reduction reduction : all_reductions) {
      const Result<double> exact = scattered(stream, keys, wide, {reduction, order}, n_keys);
      Result<T> expected = {{}, exact.counts, exact.arguments};
      for (const double x : exact.out) expected.out.push_back(T(x));
      const auto what = testing::Message() << n_keys << " keys, order " << static_cast<int>(order) << ", reduction "
                                           << static_cast<int>(reduction);
      ASSERT_EQ(scattered(stream, keys, values, {reduction, order}, n_keys), expected) << what;
      ASSERT_EQ(planned(stream, keys, values, reduction, n_keys), expected) << "planned, " << what;
    }
  }
}

TEST_P(Scatter, ReducesSixteenBitElementsAsFloatsAndRoundsOnce) {
  const Stream stream = Stream::on(GetParam());
  for (const std::int64_t n_keys : {1, 10, 3000, 200000}) {  // every algorithm
    expect_rounded_once<Half, std::int32_t>(stream, 100003, n_keys);
    expect_rounded_once<Bfloat16, std::int64_t>(stream, 100003, n_keys);
  }
}

TEST_P(Scatter, GivesIdentitiesWithoutElements) {
  const Stream stream = Stream::on(GetParam());
  const float infinity = std::numeric_limits<float>::infinity();
  const auto of = [&](Reduction reduction) {
    return scattered<float, std::int64_t>(stream, {}, {}, {reduction, KeyOrder::unsorted}, 2).out;
  };
  EXPECT_EQ(of(Reduction::sum), (std::vector<float>{0, 0}));
  EXPECT_EQ(of(Reduction::mean), (std::vector<float>{0, 0}));
  EXPECT_EQ(of(Reduction::min), (std::vector<float>{infinity, infinity}));
  EXPECT_EQ(of(Reduction::max), (std::vector<float>{-infinity, -infinity}));
  const ScatterOptions min = {Reduction::min, KeyOrder::sorted};
  EXPECT_EQ((scattered<Half, std::int64_t>(stream, {}, {}, min, 1).out[0].bits), Half(infinity).bits);
}

TEST_P(Scatter, KeepsNanInItsKey) {
  const Stream stream = Stream::on(GetParam());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::int64_t n_keys : all_n_keys) {
    for (const KeyOrder order : {KeyOrder::unsorted, KeyOrder::sorted}) {
      const auto keys = some_keys<std::int64_t>(50000, n_keys, lab::Spread::uniform, order);
      std::vector<float> values = whole_numbers<float>(50000, 4);
      values[12345] = std::copysign(nan, 1.f);
      values[43210] = std::copysign(nan, -1.f);
      for (const Reduction reduction : all_reductions) {
        const Result<float> result = scattered(stream, keys, values, {reduction, order}, n_keys);
        for (std::int64_t key = 0; key < n_keys; ++key) {
          const bool expected = key == keys[12345] || key == keys[43210];
          ASSERT_EQ(std::isnan(result.out[static_cast<std::size_t>(key)]), expected) << n_keys << " key " << key;
        }
        if (reduction == Reduction::min || reduction == Reduction::max) {
          EXPECT_EQ(result.arguments[static_cast<std::size_t>(keys[12345])], 12345);
        }
      }
    }
  }
}

TEST_P(Scatter, OrdersMinusZeroBeforeZero) {
  const Stream stream = Stream::on(GetParam());
  const std::vector<std::int32_t> keys = {0, 0, 1, 1};
  const std::vector<double> values = {0., -0., -0., 0.};
  for (const KeyOrder order : {KeyOrder::unsorted, KeyOrder::sorted}) {
    const auto least = scattered(stream, keys, values, {Reduction::min, order}, 2);
    const auto largest = scattered(stream, keys, values, {Reduction::max, order}, 2);
    for (const std::size_t key : {0u, 1u}) {
      EXPECT_TRUE(std::signbit(least.out[key]));
      EXPECT_FALSE(std::signbit(largest.out[key]));
    }
    EXPECT_EQ(least.arguments, (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(largest.arguments, (std::vector<std::int64_t>{0, 3}));
  }
}

TEST_P(Scatter, IgnoresKeysFarOutOfRange) {
  const Stream stream = Stream::on(GetParam());
  using Limits = std::numeric_limits<std::int64_t>;
  const std::vector<std::int64_t> keys = {Limits::min(), -1, 0, 1, 2, std::int64_t{1} << 32, Limits::max()};
  const std::vector<float> values(keys.size(), 1.f);
  for (const KeyOrder order : {KeyOrder::unsorted, KeyOrder::sorted}) {
    EXPECT_EQ(scattered(stream, keys, values, {Reduction::sum, order}, 2).out, (std::vector<float>{1, 1}));
  }
  EXPECT_EQ(planned(stream, keys, values, Reduction::sum, 2).out, (std::vector<float>{1, 1}));
}

std::vector<float> fractions(std::int64_t n) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(1.f / static_cast<float>(i % 9973 + 1));
  return values;
}

TEST_P(Scatter, GivesTheSameBitsEveryTimeForSortedKeysAndWithAPlan) {
  const Stream stream = Stream::on(GetParam());
  const std::vector<float> values = fractions(300007);
  for (const std::int64_t n_keys : all_n_keys) {
    const auto keys = some_keys<std::int64_t>(300007, n_keys, lab::Spread::skewed, KeyOrder::unsorted);
    const auto sorted = some_keys<std::int64_t>(300007, n_keys, lab::Spread::skewed, KeyOrder::sorted);
    const auto first = planned(stream, keys, values, Reduction::sum, n_keys);
    const auto first_sorted = scattered(stream, sorted, values, {Reduction::sum, KeyOrder::sorted}, n_keys);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(planned(stream, keys, values, Reduction::sum, n_keys), first) << n_keys;
      ASSERT_EQ(scattered(stream, sorted, values, {Reduction::sum, KeyOrder::sorted}, n_keys), first_sorted) << n_keys;
    }
  }
}

TEST_P(Scatter, RejectsInvalidArguments) {
  const Stream stream = Stream::on(GetParam());
  const Buffer<std::int32_t> keys(stream, std::vector<std::int32_t>(8, 0));
  Buffer<float> values(stream, std::vector<float>(8, 1.f));
  Buffer<float> out(stream, 4);
  Buffer<std::int64_t> four(stream, 4);
  Buffer<std::int64_t> five(stream, 5);
  const DeviceSpan<const float> seven = values.span().first(7);
  const auto with = [](Reduction reduction) { return ScatterOptions{reduction, KeyOrder::unsorted}; };
  const Reduction sum = Reduction::sum;
  EXPECT_THROW(scatter(stream, keys, seven, with(sum), out.span()), Error);
  EXPECT_THROW(scatter(stream, keys, values, with(sum), values.span().first(4)), Error);
  EXPECT_THROW(scatter(stream, keys, values, with(Reduction::mean), out.span()), Error);
  EXPECT_THROW(scatter(stream, keys, values, with(sum), out.span(), {five.span(), {}}), Error);
  EXPECT_THROW(scatter(stream, keys, values, with(sum), out.span(), {{}, four.span()}), Error);
  EXPECT_THROW(scatter(stream, keys, values, with(Reduction::min), out.span(), {four.span(), four.span()}), Error);
  EXPECT_NO_THROW(scatter(stream, keys, values, with(Reduction::mean), out.span(), {four.span(), {}}));

  Buffer<float> gradient(stream, 8);
  EXPECT_THROW(scatter_gradient(stream, keys, {Reduction::mean, {}, {}}, out, gradient.span()), Error);
  EXPECT_THROW(scatter_gradient(stream, keys, {Reduction::max, four, {}}, out, gradient.span()), Error);
  EXPECT_THROW(scatter_gradient(stream, keys, {Reduction::sum, {}, {}}, out, gradient.span().first(7)), Error);
  EXPECT_NO_THROW(scatter_gradient(stream, keys, {Reduction::mean, four, {}}, out, gradient.span()));

  EXPECT_THROW(ScatterPlan(stream, keys, -1), Error);
  const ScatterPlan plan(stream, keys, 4);
  Buffer<float> other(stream, 5);
  EXPECT_THROW(scatter(stream, plan, values, sum, other.span()), Error);
  EXPECT_THROW(scatter(stream, plan, seven, sum, out.span()), Error);
  EXPECT_NO_THROW(scatter(stream, plan, values, sum, out.span()));
  stream.synchronize();
}

INSTANTIATE_TEST_SUITE_P(Devices, Scatter, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

TEST(ScatterOnTheCpu, GivesTheSameBitsWithAnyNumberOfThreads) {
  const std::vector<float> values = fractions(300007);
  for (const std::int64_t n_keys : all_n_keys) {
    for (const KeyOrder order : {KeyOrder::unsorted, KeyOrder::sorted}) {
      for (const lab::Spread spread : all_spreads) {
        const auto keys = some_keys<std::int64_t>(300007, n_keys, spread, order);
        const ScatterOptions options = {Reduction::sum, order};
        EXPECT_EQ(scattered(Stream::cpu(1), keys, values, options, n_keys),
                  scattered(Stream::cpu(3), keys, values, options, n_keys))
            << n_keys << " keys, spread " << static_cast<int>(spread) << ", order " << static_cast<int>(order);
      }
    }
  }
}

// ---- The op's sample for the tests of streams ----
class ScatterSample final : public OpSample {
 public:
  ScatterSample(const Stream& stream, std::int64_t n, int value)
      : value_(static_cast<float>(value)),
        keys_(stream, reversed_indices(n)),
        values_(stream, filled(n, value_)),
        out_(stream, 100) {}
  /// Keys from 100 on are out of range: every result is one value.
  void enqueue(const Stream& stream) override { scatter(stream, keys_, values_, {}, out_.span()); }
  void check() override { EXPECT_EQ(take(out_), filled(out_.size(), value_)); }

 private:
  float value_;
  Buffer<std::int64_t> keys_;
  Buffer<float> values_, out_;
};
const RegisterOp<ScatterSample> scatter_sample;

}  // namespace
}  // namespace rafter

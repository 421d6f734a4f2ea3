// What scatter(), scatter_gradient() and ScatterPlan promise beyond right answers, on every device present.
#include "rafter/scatter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "core/backend.hpp"
#include "core/dtype.hpp"
#include "lab/data/generate.hpp"
#include "rafter/buffer.hpp"
#include "scatter/scatter_keys.hpp"
#include "scatter/scatter_rung.hpp"
#include "simt/device/simt_device.hpp"

namespace rafter {

namespace scatter_ladder::simt {
extern const ScatterRung by_shape;
extern const GradientRung fetch_gradient;
extern const SortRung sort_keys;
}  // namespace scatter_ladder::simt

namespace {

template <class T>
struct Result {
  std::vector<T> out;
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> arguments;
  bool operator==(const Result&) const = default;
};

template <class T>
std::vector<T> to_host(const Buffer<T>& buffer) {
  std::vector<T> host(static_cast<std::size_t>(buffer.size()));
  buffer.copy_to(host);
  return host;
}

/// Calls `work(out, details)` with everything there is to ask for, over garbage.
template <class T, class Work>
Result<T> result_of(const Stream& stream, Reduction reduction, std::int64_t n_keys, const Work& work) {
  const bool is_extreme = reduction == Reduction::min || reduction == Reduction::max;
  const auto size = static_cast<std::size_t>(n_keys);
  Buffer<T> out(stream, std::vector<T>(size, T(77)));
  Buffer<std::int64_t> counts(stream, std::vector<std::int64_t>(size, 77));
  Buffer<std::int64_t> arguments(stream, std::vector<std::int64_t>(is_extreme ? size : 0, 77));
  work(out.span(), ScatterDetails{counts.span(), arguments.span()});
  stream.synchronize();
  return {to_host(out), to_host(counts), to_host(arguments)};
}

template <class T, class Key>
Result<T> scattered(const Stream& stream, const std::vector<Key>& keys, const std::vector<T>& values,
                    ScatterOptions options, std::int64_t n_keys) {
  const Buffer<Key> device_keys(stream, keys);
  const Buffer<T> device_values(stream, values);
  return result_of<T>(stream, options.reduction, n_keys, [&](std::span<T> out, ScatterDetails details) {
    scatter(stream, device_keys, device_values, options, out, details);
  });
}

template <class T, class Key>
Result<T> planned(const Stream& stream, const std::vector<Key>& keys, const std::vector<T>& values, Reduction reduction,
                  std::int64_t n_keys) {
  const Buffer<Key> device_keys(stream, keys);
  const Buffer<T> device_values(stream, values);
  const ScatterPlan plan(stream, device_keys, n_keys);
  return result_of<T>(stream, reduction, n_keys, [&](std::span<T> out, ScatterDetails details) {
    scatter(stream, plan, device_values, reduction, out, details);
  });
}

/// The answer, from a map of the elements of each key; exact for whole numbers.
template <class T, class Key>
Result<T> slowly(const std::vector<Key>& keys, const std::vector<T>& values, Reduction reduction, std::int64_t n_keys) {
  std::map<std::int64_t, std::vector<std::int64_t>> elements;
  for (std::size_t i = 0; i < keys.size(); ++i) elements[keys[i]].push_back(static_cast<std::int64_t>(i));
  const bool is_extreme = reduction == Reduction::min || reduction == Reduction::max;
  Result<T> result;
  for (std::int64_t key = 0; key < n_keys; ++key) {
    using Limits = std::numeric_limits<T>;
    T sum = 0;
    T best = reduction == Reduction::min ? (Limits::has_infinity ? Limits::infinity() : Limits::max())
                                         : (Limits::has_infinity ? -Limits::infinity() : Limits::lowest());
    std::int64_t argument = -1;
    for (const std::int64_t i : elements[key]) {
      const T x = values[static_cast<std::size_t>(i)];
      sum += x;
      const bool better = x != x ? best == best : reduction == Reduction::min ? x < best : x > best;
      if (argument < 0 || better) argument = i;
      if (better) best = x;
    }
    const auto count = std::ssize(elements[key]);
    if (reduction == Reduction::mean) sum = count > 0 ? static_cast<T>(sum / static_cast<T>(count)) : T{0};
    result.out.push_back(is_extreme ? best : sum);
    result.counts.push_back(count);
    if (is_extreme) result.arguments.push_back(argument);
  }
  return result;
}

template <class T>
std::vector<T> whole_numbers(std::int64_t n, std::uint64_t seed) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(static_cast<T>(lab::random_below(seed, i, 17) - 8));
  return values;
}

template <class Key>
std::vector<Key> some_keys(std::int64_t n, std::int64_t n_keys, lab::Spread spread, KeyOrder order) {
  const lab::KeyGenerator generator{n, n_keys, spread, order, 5};
  std::vector<Key> keys;
  for (std::int64_t i = 0; i < n; ++i) keys.push_back(static_cast<Key>(generator(i)));
  return keys;
}

constexpr Reduction all_reductions[] = {Reduction::sum, Reduction::mean, Reduction::min, Reduction::max};
constexpr lab::Spread all_spreads[] = {lab::Spread::uniform, lab::Spread::skewed, lab::Spread::equal,
                                       lab::Spread::distinct, lab::Spread::strays};
constexpr std::int64_t all_n_keys[] = {1, 10, 1000, 3000, 100000};  // every way there is, on every device

class Scatter : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }
};

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

TEST_P(Scatter, EqualsASlowMap) {
  const Stream stream = Stream::on(GetParam());
  expect_equal_to_a_map<double, std::int64_t>(stream, 100003);
  expect_equal_to_a_map<std::int32_t, std::int32_t>(stream, 20011);
}

/// Every second element has key 0, whose sum is beyond 65504: reduced in their own type, sums of 16 bits would stand
/// still at 4096 (bfloat16), or be infinite before their mean is taken (float16).
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

TEST_P(Scatter, ReducesSixteenBitsAsFloatsAndRoundsOnce) {
  const Stream stream = Stream::on(GetParam());
  for (const std::int64_t n_keys : {1, 10, 3000, 200000}) {  // every way there is
    expect_rounded_once<Half, std::int32_t>(stream, 100003, n_keys);
    expect_rounded_once<Bfloat16, std::int64_t>(stream, 100003, n_keys);
  }
}

TEST_P(Scatter, OfNothingGivesIdentities) {
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

TEST_P(Scatter, TakesMinusZeroForLessThanZero) {
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

TEST_P(Scatter, LeavesKeysAloneThatAreFarOutOfRange) {
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

/// The gradient of sum of weights[k] * out[k], by scatter_gradient() or with a plan.
template <class T>
std::vector<T> gradient_of(const Stream& stream, const std::vector<std::int64_t>& keys, const std::vector<T>& values,
                           Reduction reduction, const std::vector<T>& weights, bool with_plan) {
  const auto n_keys = std::ssize(weights);
  const auto forward = scattered(stream, keys, values, {reduction, KeyOrder::unsorted}, n_keys);
  const Buffer<std::int64_t> device_keys(stream, keys);
  const Buffer<std::int64_t> counts(stream, forward.counts);
  const Buffer<std::int64_t> arguments(stream, forward.arguments);
  const Buffer<T> out_gradient(stream, weights);
  Buffer<T> gradient(stream, std::vector<T>(keys.size(), T(77)));
  const ScatterForward known = {reduction, counts, arguments};
  if (with_plan) {
    const ScatterPlan plan(stream, device_keys, n_keys);
    scatter_gradient(stream, plan, known, out_gradient, gradient.span());
    stream.synchronize();
  } else {
    scatter_gradient(stream, device_keys, known, out_gradient, gradient.span());
  }
  return to_host(gradient);
}

TEST_P(Scatter, GradientIsWhatFiniteDifferencesSay) {
  const Stream stream = Stream::on(GetParam());
  constexpr std::int64_t n = 60;
  constexpr std::int64_t n_keys = 7;
  const auto keys = some_keys<std::int64_t>(n, n_keys, lab::Spread::strays, KeyOrder::unsorted);
  std::vector<double> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(static_cast<double>(i * 37 % n) / n);  // no two alike
  const std::vector<double> weights = {0.5, -2, 3, 0.25, -1, 7, 1.5};
  for (const Reduction reduction : all_reductions) {
    const auto loss = [&](const std::vector<double>& at) {
      const auto out = scattered(stream, keys, at, {reduction, KeyOrder::unsorted}, n_keys).out;
      double total = 0;
      for (std::size_t k = 0; k < out.size(); ++k) total += std::isfinite(out[k]) ? weights[k] * out[k] : 0;
      return total;
    };
    const std::vector<double> gradient = gradient_of(stream, keys, values, reduction, weights, false);
    EXPECT_EQ(gradient_of(stream, keys, values, reduction, weights, true), gradient);
    for (std::size_t i = 0; i < values.size(); ++i) {
      constexpr double h = 1e-4;
      std::vector<double> above = values;
      std::vector<double> below = values;
      above[i] += h;
      below[i] -= h;
      ASSERT_NEAR(gradient[i], (loss(above) - loss(below)) / (2 * h), 1e-8) << static_cast<int>(reduction) << " " << i;
    }
  }
}

template <class T>
void expect_rounded_gradients(const Stream& stream) {
  constexpr std::int64_t n = 5003;
  const auto keys = some_keys<std::int64_t>(n, 7, lab::Spread::strays, KeyOrder::unsorted);
  const std::vector<double> values = whole_numbers<double>(n, 6);
  const std::vector<double> weights = {0.5, -2, 3, 0.25, -1, 7, 1.5};
  std::vector<T> narrow_values;
  std::vector<T> narrow_weights;
  for (const double x : values) narrow_values.push_back(T(x));
  for (const double x : weights) narrow_weights.push_back(T(x));
  for (const Reduction reduction : all_reductions) {
    std::vector<T> expected;
    for (const double x : gradient_of(stream, keys, values, reduction, weights, false)) expected.push_back(T(x));
    EXPECT_EQ(gradient_of(stream, keys, narrow_values, reduction, narrow_weights, false), expected);
    EXPECT_EQ(gradient_of(stream, keys, narrow_values, reduction, narrow_weights, true), expected);
  }
}

TEST_P(Scatter, GradientsOfSixteenBitsAreRoundedOnce) {
  const Stream stream = Stream::on(GetParam());
  expect_rounded_gradients<Half>(stream);
  expect_rounded_gradients<Bfloat16>(stream);
}

TEST_P(Scatter, RefusesWhatDoesNotFit) {
  const Stream stream = Stream::on(GetParam());
  const Buffer<std::int32_t> keys(stream, std::vector<std::int32_t>(8, 0));
  Buffer<float> values(stream, std::vector<float>(8, 1.f));
  Buffer<float> out(stream, 4);
  Buffer<std::int64_t> four(stream, 4);
  Buffer<std::int64_t> five(stream, 5);
  const std::span<const float> seven = values.span().first(7);
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

TEST(ScatterPlanOnTheCpu, SortsStably) {
  const Stream stream = Stream::cpu();
  for (const std::int64_t n_keys : {4, 1000}) {  // by counting, by comparing
    const std::vector<std::int32_t> keys = {3, 0, -1, 3, 99999, 0, 2, 3};
    const ScatterPlan plan(stream, keys, n_keys);
    const std::vector<std::int64_t> order(plan.order().begin(), plan.order().end());
    const std::vector<std::int64_t> sorted(plan.keys().begin(), plan.keys().end());
    EXPECT_EQ(order, (std::vector<std::int64_t>{1, 5, 6, 0, 3, 7, 2, 4}));
    EXPECT_EQ(sorted, (std::vector<std::int64_t>{0, 0, 2, 3, 3, 3, n_keys, n_keys}));
  }
}

template <class T>
void expect_plan_and_gradients(const Stream& stream) {
  namespace ladder = scatter_ladder;
  constexpr std::int64_t n = 5001;
  constexpr std::int64_t n_keys = 40;
  const auto host_keys = some_keys<std::int32_t>(n, n_keys, lab::Spread::strays, KeyOrder::unsorted);
  const auto wide_values = whole_numbers<double>(n, 8);
  std::vector<T> host_values;
  for (const double x : wide_values) host_values.push_back(T(x));
  const Buffer<std::int32_t> keys(stream, host_keys);
  const Buffer<T> values(stream, host_values);
  Buffer<std::int64_t> sorted(stream, n);
  Buffer<std::int64_t> order(stream, n);
  ladder::simt::sort_keys(stream, ladder::SortArgs<std::int32_t>{keys, n_keys, sorted.span(), order.span()});
  for (const Reduction reduction : {Reduction::mean, Reduction::max}) {
    const Result<double> exact = slowly(host_keys, wide_values, reduction, n_keys);
    Result<T> expected = {{}, exact.counts, exact.arguments};
    for (const double x : exact.out) expected.out.push_back(T(x));
    const auto result = result_of<T>(stream, reduction, n_keys, [&](std::span<T> out, ScatterDetails details) {
      ladder::simt::by_shape(stream, ladder::ScatterArgs<T, std::int64_t>{
                                         sorted, values, {reduction, KeyOrder::sorted}, out, details, order.data()});
    });
    EXPECT_EQ(result, expected);

    const Buffer<std::int64_t> counts(stream, result.counts);
    const Buffer<std::int64_t> arguments(stream, result.arguments);
    const Buffer<T> weights(stream, std::vector<T>(n_keys, T(2)));
    Buffer<T> gradient(stream, n);
    Buffer<T> by_plan(stream, n);
    const ScatterForward forward = {reduction, counts, arguments};
    ladder::simt::fetch_gradient(stream,
                                 ladder::GradientArgs<T, std::int32_t>{keys, forward, weights, gradient.span()});
    ladder::simt::fetch_gradient(
        stream, ladder::GradientArgs<T, std::int64_t>{sorted, forward, weights, by_plan.span(), order.data()});
    EXPECT_EQ(to_host(gradient), to_host(by_plan));
    double total = 0;
    for (const T x : to_host(gradient)) total += static_cast<double>(x);
    // Every key has elements, among which its 2 is shared or given to one.
    EXPECT_NEAR(total, 2. * n_keys, 2. * n_keys * core::epsilon<T>);
  }
}

// The kernels of plans and gradients, which no ladder runs, under the executor's checkers.
TEST(ScatterOnTheExecutor, SortsReducesByAPlanAndFetchesGradients) {
  simt::provide_device();
  expect_plan_and_gradients<float>(Stream::on(Device::simt));
  expect_plan_and_gradients<Half>(Stream::on(Device::simt));
  if (const auto complaints = core::backend(Device::simt).take_complaints()) FAIL() << *complaints;
}

}  // namespace
}  // namespace rafter

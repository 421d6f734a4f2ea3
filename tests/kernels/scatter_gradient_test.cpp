// Gradients of scatter(), and the plans that both may use.
#include "executor/device/simt_device.hpp"
#include "library/core/dtype.hpp"
#include "library/core/stream/backend.hpp"
#include "scatter/scatter_rung.hpp"
#include "scatter_results.hpp"

namespace rafter {

namespace scatter_ladder::simt {
extern const ScatterRung by_shape;
extern const GradientRung fetch_gradient;
extern const SortRung sort_keys;
}  // namespace scatter_ladder::simt

namespace {

/// Returns the gradient of the sum of weights[k] * out[k], by scatter_gradient() or with a plan.
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

TEST_P(Scatter, GradientEqualsFiniteDifferences) {
  const Stream stream = Stream::on(GetParam());
  constexpr std::int64_t n = 60;
  constexpr std::int64_t n_keys = 7;
  const auto keys = some_keys<std::int64_t>(n, n_keys, lab::Spread::strays, KeyOrder::unsorted);
  std::vector<double> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(static_cast<double>(i * 37 % n) / n);  // all different
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

TEST_P(Scatter, RoundsSixteenBitGradientsOnce) {
  const Stream stream = Stream::on(GetParam());
  expect_rounded_gradients<Half>(stream);
  expect_rounded_gradients<Bfloat16>(stream);
}

TEST(ScatterPlanOnTheCpu, SortsStably) {
  const Stream stream = Stream::cpu();
  const auto elements = [](DeviceSpan<const std::int64_t> array) {
    return std::vector<std::int64_t>(array.elements().begin(), array.elements().end());
  };
  for (const std::int64_t n_keys : {4, 1000}) {  // counting sort, comparison sort
    const std::vector<std::int32_t> keys = {3, 0, -1, 3, 99999, 0, 2, 3};
    const ScatterPlan plan(stream, device_span(stream, keys), n_keys);
    const std::vector<std::int64_t> order = elements(plan.order());
    const std::vector<std::int64_t> sorted = elements(plan.keys());
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
  ladder::simt::sort_keys(stream, ladder::SortArgs<std::int32_t>{keys.span().elements(), n_keys,
                                                                 sorted.span().elements(), order.span().elements()});
  for (const Reduction reduction : {Reduction::mean, Reduction::max}) {
    const Result<double> exact = slowly(host_keys, wide_values, reduction, n_keys);
    Result<T> expected = {{}, exact.counts, exact.arguments};
    for (const double x : exact.out) expected.out.push_back(T(x));
    const auto result = result_of<T>(stream, reduction, n_keys, [&](DeviceSpan<T> out, ScatterDetails details) {
      ladder::simt::by_shape(stream, ladder::ScatterArgs<T, std::int64_t>{sorted.span().elements(),
                                                                          values.span().elements(),
                                                                          {reduction, KeyOrder::sorted},
                                                                          out.elements(),
                                                                          details,
                                                                          order.data()});
    });
    EXPECT_EQ(result, expected);

    const Buffer<std::int64_t> counts(stream, result.counts);
    const Buffer<std::int64_t> arguments(stream, result.arguments);
    const Buffer<T> weights(stream, std::vector<T>(n_keys, T(2)));
    Buffer<T> gradient(stream, n);
    Buffer<T> by_plan(stream, n);
    const ScatterForward forward = {reduction, counts, arguments};
    ladder::simt::fetch_gradient(
        stream, ladder::GradientArgs<T, std::int32_t>{keys.span().elements(), forward, weights.span().elements(),
                                                      gradient.span().elements()});
    ladder::simt::fetch_gradient(
        stream, ladder::GradientArgs<T, std::int64_t>{sorted.span().elements(), forward, weights.span().elements(),
                                                      by_plan.span().elements(), order.data()});
    EXPECT_EQ(to_host(gradient), to_host(by_plan));
    double total = 0;
    for (const T x : to_host(gradient)) total += static_cast<double>(x);
    // Every key has elements; its gradient of 2 is divided among them or given to one.
    EXPECT_NEAR(total, 2. * n_keys, 2. * n_keys * core::epsilon<T>);
  }
}

// The kernels of plans and gradients, which are in no ladder, under the executor's checkers.
TEST(ScatterOnTheExecutor, SortsReducesByAPlanAndFetchesGradients) {
  simt::provide_device();
  expect_plan_and_gradients<float>(Stream::on(Device::simt));
  expect_plan_and_gradients<Half>(Stream::on(Device::simt));
  if (const auto complaints = core::backend(Device::simt).take_findings()) FAIL() << *complaints;
}

}  // namespace
}  // namespace rafter

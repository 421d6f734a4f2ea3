// Guarantees of minimum(), maximum(), argmin() and argmax() beyond correct results, on every device present.
#include "rafter/extrema.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "extrema/extrema_rung.hpp"
#include "extrema/extrema_simd.hpp"
#include "kernels/all_ops.hpp"
#include "rafter/buffer.hpp"
#include "rafter/error.hpp"

namespace rafter {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
struct Found {
  T minimum, maximum;
  std::int64_t argmin, argmax;
};

class Extrema : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  template <class T>
  static Found<T> found_in(const Stream& stream, const Buffer<T>& in) {
    Buffer<T> values(stream, 2);
    Buffer<std::int64_t> indices(stream, 2);
    const DeviceSpan<T> value = values;
    const DeviceSpan<std::int64_t> index = indices;
    minimum(stream, in, value.first(1));
    maximum(stream, in, value.last(1));
    argmin(stream, in, index.first(1));
    argmax(stream, in, index.last(1));
    std::vector<T> v(2);
    std::vector<std::int64_t> i(2);
    values.copy_to(v);
    indices.copy_to(i);
    return {v[0], v[1], i[0], i[1]};
  }
  template <class T>
  static Found<T> found_in(const std::vector<T>& host) {
    const Stream stream = Stream::on(GetParam());
    return found_in(stream, Buffer<T>(stream, std::span<const T>(host)));
  }
  template <class T>
  static Found<T> found_in_doubles(const std::vector<double>& host) {
    std::vector<T> values;
    for (const double x : host) values.push_back(static_cast<T>(x));
    return found_in(values);
  }

  template <class T>
  static void expect_floats_in_order() {
    // Denormal numbers of Half are the least that all types have.
    const auto mixed = found_in_doubles<T>({1, -0., 0x1p-24, -0x1p-24, 3, -2, -0x1p-14, 3});
    EXPECT_EQ(static_cast<double>(mixed.minimum), -2);
    EXPECT_EQ(static_cast<double>(mixed.maximum), 3);
    EXPECT_EQ(mixed.argmin, 5);
    EXPECT_EQ(mixed.argmax, 4);
    const auto tiny = found_in_doubles<T>({0, -0., 0x1p-24, 0, 0x1p-24});
    EXPECT_TRUE(static_cast<double>(tiny.minimum) == 0 && std::signbit(static_cast<double>(tiny.minimum)));
    EXPECT_EQ(static_cast<double>(tiny.maximum), 0x1p-24);
    EXPECT_EQ(tiny.argmin, 1);
    EXPECT_EQ(tiny.argmax, 2);
    const auto infinite = found_in_doubles<T>({-infinity, 5, infinity, -infinity});
    EXPECT_EQ(static_cast<double>(infinite.minimum), -infinity);
    EXPECT_EQ(static_cast<double>(infinite.maximum), infinity);
    EXPECT_EQ(infinite.argmin, 0);
    EXPECT_EQ(infinite.argmax, 2);
  }

  template <class T>
  static void expect_nan_propagates() {
    for (const double nan : {nan_value, std::copysign(nan_value, -1.)}) {
      for (const std::size_t n : {3u, 100u, 70001u}) {
        std::vector<double> x(n, 1);
        x[0] = -infinity;
        x[1] = infinity;
        x[n - 1] = nan_value;
        x[n / 2 + 1] = nan;
        const auto found = found_in_doubles<T>(x);
        EXPECT_TRUE(std::isnan(static_cast<double>(found.minimum))) << n;
        EXPECT_TRUE(std::isnan(static_cast<double>(found.maximum))) << n;
        EXPECT_EQ(found.argmin, static_cast<std::int64_t>(n / 2 + 1)) << n;
        EXPECT_EQ(found.argmax, static_cast<std::int64_t>(n / 2 + 1)) << n;
      }
    }
  }

  template <class T>
  static void expect_integers_in_order() {
    using Limits = std::numeric_limits<T>;
    const auto found = found_in(std::vector<T>{0, -1, Limits::max(), Limits::min(), 1, Limits::max(), Limits::min()});
    EXPECT_EQ(found.minimum, Limits::min());
    EXPECT_EQ(found.maximum, Limits::max());
    EXPECT_EQ(found.argmin, 3);
    EXPECT_EQ(found.argmax, 2);
    for (const T same : {Limits::min(), Limits::max(), T{-1}}) {
      for (const std::size_t n : {1u, 777u, 300001u}) {
        const auto all = found_in(std::vector<T>(n, same));
        EXPECT_EQ(all.minimum, same);
        EXPECT_EQ(all.maximum, same);
        EXPECT_EQ(all.argmin, 0);
        EXPECT_EQ(all.argmax, 0);
      }
    }
  }
};

TEST_P(Extrema, OrdersNumbersAsIeee754DoesWithMinusZeroBelowZero) {
  expect_floats_in_order<float>();
  expect_floats_in_order<double>();
  expect_floats_in_order<Half>();
  expect_floats_in_order<Bfloat16>();
}

TEST_P(Extrema, PropagatesNanAndFindsTheFirst) {
  expect_nan_propagates<float>();
  expect_nan_propagates<double>();
  expect_nan_propagates<Half>();
  expect_nan_propagates<Bfloat16>();
}

TEST_P(Extrema, OrdersAllIntegersAndFindsTheFirstOfEqualOnes) {
  expect_integers_in_order<std::int32_t>();
  expect_integers_in_order<std::int64_t>();
}

// The best element is in every part of the array that is searched in its own way: ends, full tiles, the last tile.
TEST_P(Extrema, FindsTheBestElementAnywhere) {
  const Stream stream = Stream::on(GetParam());
  constexpr std::int64_t n = 200003;
  const std::vector<float> host(static_cast<std::size_t>(n), 1.f);
  for (const std::int64_t shift : {0, 1, 3}) {
    for (const std::int64_t at :
         {std::int64_t{0}, std::int64_t{2}, std::int64_t{8191}, std::int64_t{8193}, n / 2, n - 9, n - 2, n - 1}) {
      if (at < shift) continue;
      std::vector<float> x = host;
      x[static_cast<std::size_t>(at)] = 2;
      const Buffer<float> in(stream, x);
      Buffer<std::int64_t> index(stream, 1);
      argmax(stream, DeviceSpan<const float>(in).last(n - shift), index);
      std::vector<std::int64_t> result(1);
      index.copy_to(result);
      EXPECT_EQ(result[0], at - shift) << "shift " << shift;
    }
  }
}

TEST_P(Extrema, LeavesItsStreamReadyForTheNextCall) {
  const Stream stream = Stream::on(GetParam());
  for (const std::size_t n : {10u, 1000003u, 5u, 100000u}) {
    std::vector<double> x(n, 4.);
    x[n - 2] = 3;
    const Found<double> found = found_in(stream, Buffer<double>(stream, x));
    EXPECT_EQ(found.minimum, 3);
    EXPECT_EQ(found.maximum, 4);
    EXPECT_EQ(found.argmin, static_cast<std::int64_t>(n - 2));
    EXPECT_EQ(found.argmax, 0);
  }
}

TEST_P(Extrema, RejectsEmptyInputsAndBadArgumentsAndWritesNothing) {
  const Stream stream = Stream::on(GetParam());
  Buffer<std::int64_t> x(stream, std::vector<std::int64_t>{1, 2, 3, 4});
  const DeviceSpan<std::int64_t> all = x;
  const DeviceSpan<const std::int64_t> in = all.first(2);
  EXPECT_THROW(minimum(stream, DeviceSpan<const std::int64_t>(), all.last(1)), Error);
  EXPECT_THROW(argmax(stream, DeviceSpan<const float>(), all.last(1)), Error);
  EXPECT_THROW(maximum(stream, in, all.last(2)), Error);
  EXPECT_THROW(maximum(stream, in, DeviceSpan<std::int64_t>()), Error);
  EXPECT_THROW(maximum(stream, in, DeviceSpan<std::int64_t>::unchecked(nullptr, 1)), Error);
  EXPECT_THROW(argmin(stream, in, all.first(1)), Error);
  EXPECT_THROW(argmin(stream, DeviceSpan<const std::int64_t>::unchecked(nullptr, 3), all.last(1)), Error);
  std::vector<std::int64_t> after(4);
  x.copy_to(after);
  EXPECT_EQ(after, (std::vector<std::int64_t>{1, 2, 3, 4}));
}

INSTANTIATE_TEST_SUITE_P(Devices, Extrema, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

TEST(ExtremaOnTheCpu, FindsTheSameKeyOnEveryInstructionSet) {
  using namespace extrema_ladder;
  std::vector<std::int16_t> halves;
  for (int bits = -0x8000; bits < 0x8000; bits += 3) halves.push_back(static_cast<std::int16_t>(bits));
  const auto n = std::ssize(halves);
#define RAFTER_EXTREMA_AT(level, ...)                                                                                  \
  if (core::runs_on(core::host_isa_level(), core::IsaLevel::level)) {                                                  \
    for (const Extremum which : {Extremum::least, Extremum::greatest}) {                                               \
      const auto order = order_of<Half>(which);                                                                        \
      for (std::int64_t first = 0; first + 97 <= n; first += 31) {                                                     \
        std::int16_t best = std::numeric_limits<std::int16_t>::min();                                                  \
        for (int i = 0; i < 97; ++i) best = std::max(best, order.key_of(halves[static_cast<std::size_t>(first + i)])); \
        ASSERT_EQ(cpu::extrema_loops_##level.w16(halves.data() + first, 97, order), best) << first;                    \
      }                                                                                                                \
    }                                                                                                                  \
  }
  RAFTER_FOR_ISA_LEVELS(RAFTER_EXTREMA_AT)
}

// ---- The ops' sample for the tests of streams ----
class ExtremaSample final : public OpSample {
 public:
  ExtremaSample(const Stream& stream, std::int64_t n, int value)
      : value_(static_cast<float>(value)),
        last_(n - 1),
        in_(stream, rising(n, value_)),
        least_(stream, 1),
        index_(stream, 1) {}
  void enqueue(const Stream& stream) override {
    minimum(stream, in_, least_);
    argmax(stream, in_, index_);
  }
  void check() override {
    EXPECT_EQ(take(least_), filled(1, value_));
    EXPECT_EQ(take(index_), filled(1, last_));
  }

 private:
  /// `value`, and at the end a greater number.
  static std::vector<float> rising(std::int64_t n, float value) {
    std::vector<float> values = filled(n, value);
    if (n > 1) values.back() = value + 1;
    return values;
  }

  float value_;
  std::int64_t last_;
  Buffer<float> in_;
  Buffer<float> least_;
  Buffer<std::int64_t> index_;
};
const RegisterOp<ExtremaSample> extrema_sample;

}  // namespace
}  // namespace rafter

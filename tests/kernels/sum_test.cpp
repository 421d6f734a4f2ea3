// The guarantees of sum() beyond right answers, on every device present.
#include "rafter/sum.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/all_ops.hpp"
#include "rafter/buffer.hpp"
#include "sum/sum_simd.hpp"

namespace rafter {
namespace {

class Sum : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  template <class T>
  static T sum_of(const Stream& stream, std::span<const T> host) {
    const Buffer<T> in(stream, host);
    Buffer<T> out(stream, 1);
    sum(stream, in, out);
    T result{};
    out.copy_to(std::span(&result, 1));
    return result;
  }
  template <class T>
  static T sum_of(std::vector<T> host) {
    return sum_of<T>(Stream::on(GetParam()), host);
  }
};

// Numbers for which the order of additions shows in the last bits.
std::vector<float> harmonic(std::size_t n) {
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = 1.f / static_cast<float>(i % 9973 + 1);
  return x;
}

TEST_P(Sum, SumsAnEmptyArrayToZero) { EXPECT_EQ(sum_of(std::vector<float>{}), 0.f); }

TEST_P(Sum, PropagatesNanAndInfinity) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (const std::size_t n : {1u, 33u, 5000u, 200000u}) {
    std::vector<float> x(n, 1.f);
    x[n / 2] = inf;
    EXPECT_EQ(sum_of(x), inf) << n;
    x[n / 2] = -inf;
    EXPECT_EQ(sum_of(x), -inf) << n;
    x[n / 2] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isnan(sum_of(x))) << n;
  }
  EXPECT_TRUE(std::isnan(sum_of(std::vector<float>{inf, -inf})));
}

TEST_P(Sum, GivesTheSameBitsEveryTime) {
  const Stream stream = Stream::on(GetParam());
  const std::vector<float> x = harmonic(3000017);
  const float first = sum_of<float>(stream, x);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(std::bit_cast<unsigned>(sum_of<float>(stream, x)), std::bit_cast<unsigned>(first)) << i;
  }
}

// The worst case for a given order: one 1, and otherwise halves of its last bit, which every addition to it loses.
template <class T>
std::vector<T> half_bits(std::size_t n) {
  std::vector<T> x(n, std::numeric_limits<T>::epsilon() / 2);
  x[0] = 1;
  return x;
}

template <class T>
void expect_within_bound(T actual, std::size_t n) {
  const double eps = std::numeric_limits<T>::epsilon();
  const double exact = 1 + static_cast<double>(n - 1) * (eps / 2);
  const double bound = (static_cast<double>(n) / 65536 + 160) * eps * exact;
  EXPECT_LE(std::abs(static_cast<double>(actual) - exact), bound) << n << " elements of " << sizeof(T) << " bytes";
}

TEST_P(Sum, KeepsItsErrorBoundOnTheWorstNumbers) {
  for (const std::size_t n : {64u, 4096u, 16384u, 1u << 20, 1u << 23, (1u << 24) + 5}) {
    expect_within_bound(sum_of(half_bits<float>(n)), n);
    expect_within_bound(sum_of(half_bits<double>(n)), n);
  }
}

TEST_P(Sum, DoesNotStopGrowingAtTwoToThe24) {
  // One accumulator in float32 stops growing at 2^24; this must not.
  const std::vector<float> ones(std::size_t{1} << 25, 1.f);
  EXPECT_EQ(sum_of(ones), 33554432.f);
}

// In their own type the sums would stop growing at 2048 and at 256.
TEST_P(Sum, AddsManySixteenBitOnes) {
  for (const std::size_t n : {2049u, 4097u, 40961u, 65504u}) {
    EXPECT_EQ(sum_of(std::vector<Half>(n, Half(1))), Half(n)) << n;
    EXPECT_EQ(sum_of(std::vector<Bfloat16>(n, Bfloat16(1))), Bfloat16(n)) << n;
  }
  const std::size_t many = (std::size_t{1} << 25) + 77;
  EXPECT_EQ(sum_of(std::vector<Bfloat16>(many, Bfloat16(1))), Bfloat16(many));
  EXPECT_EQ(sum_of(std::vector<Half>(many, Half(0x1p-10))), Half(static_cast<double>(many) * 0x1p-10));
}

TEST_P(Sum, OverflowsSixteenBitsOnlyInTheFinalRounding) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(sum_of(std::vector<Half>(65519, Half(1))), Half(65504));  // 65520 would be nearer to 65536
  EXPECT_EQ(sum_of(std::vector<Half>(65520, Half(1))), Half(inf));
  std::vector<Half> x(30001, Half(60000));
  std::fill_n(x.begin(), 15000, Half(-60000));
  EXPECT_EQ(sum_of(x), Half(60000));
  x[777] = Half(-inf);
  EXPECT_EQ(sum_of(x), Half(-inf));
  x[20000] = Half(inf);
  EXPECT_TRUE(std::isnan(static_cast<float>(sum_of(x))));
}

// One 1 and many halves of its last bit: with one rounding at the end all of them count.
TEST_P(Sum, RoundsSixteenBitSumsOnce) {
  for (const std::size_t n : {3u, 1001u, 20001u}) {
    std::vector<Half> halves(n, Half(0x1p-11));
    std::vector<Bfloat16> bfloat16s(n, Bfloat16(0x1p-8));
    halves[0] = Half(1);
    bfloat16s[0] = Bfloat16(1);
    EXPECT_EQ(sum_of(halves), Half(1 + static_cast<double>(n - 1) * 0x1p-11)) << n;
    EXPECT_EQ(sum_of(bfloat16s), Bfloat16(1 + static_cast<double>(n - 1) * 0x1p-8)) << n;
  }
}

TEST_P(Sum, AddsIntegersIn64BitsAndWrapsAround) {
  const Stream stream = Stream::on(GetParam());
  const auto sum_of_integers = [&]<class T>(const std::vector<T>& host) {
    const Buffer<T> in(stream, std::span<const T>(host));
    Buffer<std::int64_t> out(stream, 1);
    sum(stream, in, out);
    std::int64_t result = 0;
    out.copy_to(std::span(&result, 1));
    return result;
  };
  constexpr auto int_max = std::numeric_limits<std::int32_t>::max();
  constexpr auto int_min = std::numeric_limits<std::int32_t>::min();
  constexpr auto long_max = std::numeric_limits<std::int64_t>::max();
  constexpr auto long_min = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t n : {0, 1, 77, 70001, 3000017}) {
    const auto size = static_cast<std::size_t>(n);
    EXPECT_EQ(sum_of_integers(std::vector<std::int32_t>(size, int_max)), n * int_max);
    EXPECT_EQ(sum_of_integers(std::vector<std::int32_t>(size, int_min)), n * int_min);
    EXPECT_EQ(sum_of_integers(std::vector<std::int64_t>(size, long_max)), n % 2 == 0 ? -n : long_max - (n - 1));
  }
  EXPECT_EQ(sum_of_integers(std::vector<std::int64_t>{long_max, 1}), long_min);
}

TEST_P(Sum, LeavesItsStreamReadyForTheNextSum) {
  const Stream stream = Stream::on(GetParam());
  for (const std::size_t n : {10u, 100000u, 10u, 1000003u, 1u}) {
    EXPECT_EQ(sum_of<double>(stream, std::vector<double>(n, 1.)), static_cast<double>(n));
  }
}

TEST_P(Sum, RejectsBadPointersAndWritesNothing) {
  const Stream stream = Stream::on(GetParam());
  Buffer<float> x(stream, std::vector<float>{1, 2, 3, 4});
  EXPECT_THROW(sum(stream, x.span(), DeviceSpan<float>::unchecked(nullptr, 1)), Error);
  EXPECT_THROW(sum(stream, x.span(), x.span().subspan(2, 1)), Error);
  EXPECT_THROW(sum(stream, x.span().first(2), x.span().last(2)), Error) << "more than one result";
  EXPECT_THROW(sum(stream, DeviceSpan<const float>::unchecked(nullptr, 4), x.span().first(1)), Error);
  const auto* odd = reinterpret_cast<const float*>(reinterpret_cast<const char*>(x.data()) + 1);
  EXPECT_THROW(sum(stream, DeviceSpan<const float>::unchecked(odd, 2), x.span().subspan(3, 1)), Error);
  std::vector<float> after(4);
  x.copy_to(after);
  EXPECT_EQ(after, (std::vector<float>{1, 2, 3, 4}));
}

INSTANTIATE_TEST_SUITE_P(Devices, Sum, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

TEST(SumOnTheCpu, GivesTheSameBitsWithAnyNumberOfThreads) {
  const std::vector<float> x = harmonic(3000017);
  float one = 0;
  sum(Stream::cpu(1), x, &one);
  for (const int n_threads : {2, 3, 4, 7}) {
    float many = 0;
    sum(Stream::cpu(n_threads), x, &many);
    EXPECT_EQ(std::bit_cast<unsigned>(many), std::bit_cast<unsigned>(one)) << n_threads;
  }
}

TEST(SumOnTheCpu, AddsInTheSameOrderOnEveryInstructionSet) {
  using namespace sum_ladder::cpu;
  const std::vector<float> x = harmonic(100003);
  std::vector<double> sums;
#define RAFTER_SUM_AT(level, ...)                                   \
  if (core::runs_on(core::host_isa_level(), core::IsaLevel::level)) \
    sums.push_back(sum_loops_##level.f32(x.data(), 100003));
  RAFTER_FOR_ISA_LEVELS(RAFTER_SUM_AT)
  for (const double sum : sums) EXPECT_EQ(sum, sums.front());
}

TEST(SumOnTheCpu, EqualsAPlainLoopForFewElements) {
  const std::vector<float> x = harmonic(1000);
  const auto stream = Stream::cpu(2);
  double plain = 0;
  for (const float value : x) plain += static_cast<double>(value);
  float result = 0;
  sum(stream, x, &result);
  EXPECT_NEAR(static_cast<double>(result), plain, 1e-6);
}

// ---- The op's sample for the tests of streams ----
class SumSample final : public OpSample {
 public:
  SumSample(const Stream& stream, std::int64_t n, int value)
      : answer_(static_cast<float>(n) * static_cast<float>(value)),
        in_(stream, filled(n, static_cast<float>(value))),
        out_(stream, 1) {}
  void enqueue(const Stream& stream) override { sum(stream, in_, out_); }
  void check() override { EXPECT_EQ(take(out_), filled(1, answer_)); }

 private:
  float answer_;
  Buffer<float> in_, out_;
};
const RegisterOp<SumSample> sum_sample;

}  // namespace
}  // namespace rafter

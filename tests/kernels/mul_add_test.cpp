// The guarantees of mul_add() beyond right answers, on every device present.
#include "rafter/mul_add.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/all_ops.hpp"
#include "rafter/buffer.hpp"

namespace rafter {
namespace {

class MulAdd : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  template <class T>
  static std::vector<T> result_of(const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& c) {
    const Stream stream = Stream::on(GetParam());
    const Buffer<T> on_device[] = {Buffer<T>(stream, a), Buffer<T>(stream, b), Buffer<T>(stream, c)};
    Buffer<T> out(stream, std::ssize(a));
    mul_add(stream, on_device[0], on_device[1], on_device[2], out.span());
    std::vector<T> result(a.size());
    out.copy_to(result);
    return result;
  }
};

TEST_P(MulAdd, WrapsIntegersAround) {
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(result_of<std::int32_t>({most, most, 1}, {2, 1, most}, {3, 1, 1}),
            (std::vector<std::int32_t>{1, std::numeric_limits<std::int32_t>::min(),
                                       std::numeric_limits<std::int32_t>::min()}));
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(result_of<std::int64_t>({largest}, {2}, {3}), (std::vector<std::int64_t>{1}));
}

template <class T>
std::vector<T> sixteen_bits(const std::vector<double>& values) {
  std::vector<T> narrow;
  for (const double value : values) narrow.push_back(T(value));
  return narrow;
}

// Half: 2048 + 1 is between two numbers and is rounded to the even one; bfloat16 likewise at 256.
TEST_P(MulAdd, RoundsSixteenBitResultsOnce) {
  const auto half = [](const std::vector<double>& x) { return sixteen_bits<Half>(x); };
  EXPECT_TRUE(result_of(half({64, 64, 1, 0x1p-14}), half({32, 32, 1, 0x1p-10}), half({1, 3, 0x1p-11, 0x1p-24})) ==
              half({2048, 2052, 1, 0x1p-23}));
  const auto bfloat16 = [](const std::vector<double>& x) { return sixteen_bits<Bfloat16>(x); };
  EXPECT_TRUE(result_of(bfloat16({16, 16, 16}), bfloat16({16, 16, 16}), bfloat16({1, 3, -1})) ==
              bfloat16({256, 260, 255}));
}

TEST_P(MulAdd, OverflowsOnlyInTheFinalRounding) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto half = [](const std::vector<double>& x) { return sixteen_bits<Half>(x); };
  EXPECT_TRUE(result_of(half({60000, 60000, -60000, inf, 255}), half({2, 2, 2, -1, 256}),
                        half({-60000, 0, 0, 1, 239})) == half({60000, inf, -inf, -inf, 65504}));
  const auto nan = result_of(half({std::nan(""), inf}), half({1, 0}), half({1, 1}));
  EXPECT_TRUE(std::isnan(static_cast<float>(nan[0])) && std::isnan(static_cast<float>(nan[1])));
  EXPECT_EQ(result_of(sixteen_bits<Bfloat16>({3e38}), sixteen_bits<Bfloat16>({2}), sixteen_bits<Bfloat16>({1}))[0],
            Bfloat16(inf));
}

TEST_P(MulAdd, AcceptsSixteenBitArraysOfAnyAlignmentAndInPlace) {
  const Stream stream = Stream::on(GetParam());
  for (const std::size_t n : {1, 7, 5000, 99991, 3000017}) {
    for (const std::size_t shift : {0, 1, 5}) {
      std::vector<Bfloat16> expected(n + 8, Bfloat16(3));
      Buffer<Bfloat16> x(stream, expected);
      const Buffer<Bfloat16> y(stream, std::vector<Bfloat16>(n + 8, Bfloat16(5)));
      mul_add(stream, x.span().subspan(shift, n), y.span().subspan(1, n), y.span().first(n),
              x.span().subspan(shift, n));
      std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(shift), n, Bfloat16(20));
      std::vector<Bfloat16> result(n + 8);
      x.copy_to(result);
      ASSERT_TRUE(result == expected) << n << " elements at " << shift;
    }
  }
}

TEST_P(MulAdd, KeepsNanAndInfinityInTheirElements) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const auto result = result_of<float>({nan, inf, inf, 1}, {1, 2, 0, 1}, {1, 1, 1, 1});
  EXPECT_TRUE(std::isnan(result[0]));
  EXPECT_EQ(result[1], inf);
  EXPECT_TRUE(std::isnan(result[2]));
  EXPECT_EQ(result[3], 2);
}

TEST_P(MulAdd, MayWriteOverAnyInput) {
  const Stream stream = Stream::on(GetParam());
  for (const std::size_t n : {1, 7, 1000, 99991, 3000017}) {
    for (int which = 0; which < 3; ++which) {
      std::vector<Buffer<float>> in;
      for (const float value : {3.f, 5.f, 7.f}) in.emplace_back(stream, std::vector<float>(n, value));
      DeviceSpan<float> out = in[static_cast<std::size_t>(which)].span();
      mul_add(stream, in[0], in[1], in[2], out);
      std::vector<float> result(n);
      in[static_cast<std::size_t>(which)].copy_to(result);
      ASSERT_EQ(result, std::vector<float>(n, 22.f)) << "over input " << which << " of " << n << " elements";
    }
    Buffer<float> all(stream, std::vector<float>(n, 3.f));
    mul_add(stream, all, all, all, all.span());
    std::vector<float> result(n);
    all.copy_to(result);
    ASSERT_EQ(result, std::vector<float>(n, 12.f)) << n;
  }
}

TEST_P(MulAdd, AcceptsArraysOfDifferentAlignment) {
  const Stream stream = Stream::on(GetParam());
  constexpr std::size_t n = 5000;
  const Buffer<float> a(stream, std::vector<float>(n + 4, 2.f));
  const Buffer<float> b(stream, std::vector<float>(n + 4, 3.f));
  const Buffer<float> c(stream, std::vector<float>(n + 4, 4.f));
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::vector<float> expected(n + 4, -1.f);
    Buffer<float> out(stream, expected);
    mul_add(stream, a.span().first(n), b.span().subspan(1, n), c.span().subspan(shift, n), out.span().subspan(3, n));
    std::fill_n(expected.begin() + 3, n, 10.f);
    std::vector<float> result(n + 4);
    out.copy_to(result);
    EXPECT_EQ(result, expected) << shift;
  }
}

TEST_P(MulAdd, RejectsPartialOverlapsAndOtherSizes) {
  const Stream stream = Stream::on(GetParam());
  Buffer<float> x(stream, std::vector<float>(12, 1.f));
  const Buffer<float> y(stream, std::vector<float>(8, 1.f));
  EXPECT_THROW(mul_add(stream, x.span().first(8), y, y, x.span().subspan(4, 8)), Error);
  EXPECT_THROW(mul_add(stream, y, x.span().subspan(1, 8), y, x.span().first(8)), Error);
  EXPECT_THROW(mul_add(stream, x, y, y, x.span()), Error);
  EXPECT_THROW(mul_add(stream, y, y, DeviceSpan<const float>::unchecked(nullptr, 8), x.span().first(8)), Error);
  EXPECT_NO_THROW(mul_add(stream, DeviceSpan<const float>(), {}, {}, DeviceSpan<float>()));
  EXPECT_NO_THROW(mul_add(stream, y, y, x.span().first(8), x.span().first(8)));
  stream.synchronize();
}

INSTANTIATE_TEST_SUITE_P(Devices, MulAdd, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

// ---- The op's sample for the tests of streams ----
class MulAddSample final : public OpSample {
 public:
  MulAddSample(const Stream& stream, std::int64_t n, int value)
      : value_(static_cast<float>(value)),
        a_(stream, filled(n, value_)),
        twos_(stream, filled(n, 2.F)),
        out_(stream, n) {}
  void enqueue(const Stream& stream) override { mul_add(stream, a_, twos_, twos_, out_.span()); }
  void check() override { EXPECT_EQ(take(out_), filled(a_.size(), 2 * value_ + 2)); }

 private:
  float value_;
  Buffer<float> a_, twos_, out_;
};
const RegisterOp<MulAddSample> mul_add_sample;

}  // namespace
}  // namespace rafter

// The guarantees of inclusive_sum() and exclusive_sum() beyond right answers, on every device present.
#include "rafter/scan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/all_ops.hpp"
#include "rafter/buffer.hpp"
#include "rafter/error.hpp"

namespace rafter {
namespace {

class Scan : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  template <class T>
  static std::vector<T> inclusive(const Stream& stream, const std::vector<T>& host) {
    const Buffer<T> in(stream, std::span<const T>(host));
    Buffer<T> out(stream, std::ssize(host));
    inclusive_sum(stream, in, out.span());
    std::vector<T> result(host.size());
    out.copy_to(result);
    return result;
  }

  template <class T>
  static std::vector<T> exclusive(const Stream& stream, const std::vector<T>& host) {
    const Buffer<T> in(stream, std::span<const T>(host));
    Buffer<T> out(stream, std::ssize(host));
    exclusive_sum(stream, in, out.span());
    std::vector<T> result(host.size());
    out.copy_to(result);
    return result;
  }
};

// Sizes of less than a tile, of a few small tiles, of a few large ones, and of many rounds of resident blocks.
constexpr std::size_t sizes[] = {1, 127, 5000, 30001, 300007, 12000017};

std::vector<float> fractions(std::size_t n) {
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = 1.f / static_cast<float>(i % 9973 + 1);
  return x;
}

TEST_P(Scan, DifferencesOfTheResultEqualTheInput) {
  const Stream stream = Stream::on(GetParam());
  for (const std::size_t n : sizes) {
    std::vector<std::int64_t> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<std::int64_t>(i * i % 1009) - 500;
    const std::vector<std::int64_t> after = inclusive(stream, x);
    const std::vector<std::int64_t> before = exclusive(stream, x);
    ASSERT_EQ(before[0], 0);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(after[i] - before[i], x[i]) << i << " of " << n;
      ASSERT_EQ(before[i], i > 0 ? after[i - 1] : 0) << i << " of " << n;
    }
  }
}

TEST_P(Scan, WrapsIntegersAround) {
  const Stream stream = Stream::on(GetParam());
  const std::vector<std::int32_t> big(1000, std::numeric_limits<std::int32_t>::max());
  const std::vector<std::int32_t> sums = inclusive(stream, big);
  for (std::size_t i = 0; i < big.size(); ++i) {
    ASSERT_EQ(sums[i], static_cast<std::int32_t>((i + 1) * 0x7fffffffu)) << i;
  }
  const std::vector<std::int64_t> least(100, std::numeric_limits<std::int64_t>::min());
  const std::vector<std::int64_t> wrapped = exclusive(stream, least);
  for (std::size_t i = 0; i < least.size(); ++i) ASSERT_EQ(wrapped[i], i % 2 == 0 ? 0 : least[0]) << i;
}

TEST_P(Scan, PropagatesNanAndInfinityToLaterSumsOnly) {
  const Stream stream = Stream::on(GetParam());
  for (const std::size_t n : sizes) {
    for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
      std::vector<float> x(n, 1.f);
      x[at] = std::numeric_limits<float>::quiet_NaN();
      const std::vector<float> sums = inclusive(stream, x);
      x[at] = -std::numeric_limits<float>::infinity();
      const std::vector<float> infinite = exclusive(stream, x);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(std::isnan(sums[i]), i >= at) << i << " of " << n;
        ASSERT_EQ(std::isinf(infinite[i]), i > at) << i << " of " << n;
        ASSERT_FALSE(std::isnan(infinite[i])) << i << " of " << n;
      }
    }
  }
}

TEST_P(Scan, WorksInPlace) {
  const Stream stream = Stream::on(GetParam());
  for (const std::size_t n : sizes) {
    const std::vector<float> x = fractions(n);
    Buffer<float> both(stream, std::span<const float>(x));
    exclusive_sum(stream, both, both.span());
    std::vector<float> result(n);
    both.copy_to(result);
    ASSERT_EQ(result, exclusive(stream, x)) << n;
  }
}

TEST_P(Scan, GivesTheSameBitsEveryTime) {
  const Stream stream = Stream::on(GetParam());
  for (const std::size_t n : sizes) {
    const std::vector<float> x = fractions(n);
    const std::vector<double> y(x.begin(), x.end());
    const std::vector<float> first = inclusive(stream, x);
    const std::vector<double> first_double = inclusive(stream, y);
    for (int i = 0; i < 4; ++i) {
      ASSERT_EQ(inclusive(stream, x), first) << n;
      ASSERT_EQ(inclusive(stream, y), first_double) << n;
    }
  }
}

TEST_P(Scan, KeepsItsErrorBoundOnTheWorstNumbers) {
  // One 1, and otherwise halves of its last bit, which every addition to it loses.
  const double eps = std::numeric_limits<float>::epsilon();
  for (const std::size_t n : sizes) {
    std::vector<float> x(n, static_cast<float>(eps / 2));
    x[0] = 1;
    const std::vector<float> sums = inclusive(Stream::on(GetParam()), x);
    for (std::size_t i = 0; i < n; ++i) {
      const double exact = 1 + static_cast<double>(i) * (eps / 2);
      ASSERT_LE(std::abs(static_cast<double>(sums[i]) - exact), 40 * eps * exact) << i << " of " << n;
    }
  }
}

TEST_P(Scan, AcceptsArraysOfDifferentAlignment) {
  const Stream stream = Stream::on(GetParam());
  constexpr std::size_t n = 100003;
  const std::vector<std::int32_t> x(n, 1);
  const Buffer<std::int32_t> in(stream, std::span<const std::int32_t>(x));
  for (const std::size_t shift : {1u, 2u, 3u}) {
    Buffer<std::int32_t> out(stream, static_cast<std::int64_t>(n + 4));
    out.copy_from(std::vector<std::int32_t>(n + 4, -7));
    inclusive_sum(stream, in, out.span().subspan(shift, n));
    std::vector<std::int32_t> result(n + 4);
    out.copy_to(result);
    for (std::size_t i = 0; i < n + 4; ++i) {
      const bool inside = i >= shift && i < shift + n;
      ASSERT_EQ(result[i], inside ? static_cast<std::int32_t>(i - shift + 1) : -7) << i << " moved by " << shift;
    }
  }
}

TEST_P(Scan, AcceptsEmptyArrays) { EXPECT_TRUE(exclusive(Stream::on(GetParam()), std::vector<float>()).empty()); }

TEST_P(Scan, RejectsInvalidArguments) {
  const Stream stream = Stream::on(GetParam());
  Buffer<float> memory(stream, 100);
  const DeviceSpan<float> all = memory;
  EXPECT_THROW(inclusive_sum(stream, all.first(10), all.subspan(50, 11)), Error);
  EXPECT_THROW(inclusive_sum(stream, all.first(10), all.subspan(5, 10)), Error);
  EXPECT_THROW(exclusive_sum(stream, all.subspan(5, 10), all.first(10)), Error);
  EXPECT_THROW(exclusive_sum(stream, all.first(10), DeviceSpan<float>::unchecked(nullptr, 10)), Error);
  EXPECT_NO_THROW(exclusive_sum(stream, all.first(10), all.subspan(10, 10)));
  stream.synchronize();
}

INSTANTIATE_TEST_SUITE_P(Devices, Scan, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

TEST(ScanOnTheCpu, GivesTheSameBitsWithAnyNumberOfThreads) {
  for (const std::size_t n : sizes) {
    const std::vector<float> x = fractions(n);
    std::vector<float> one(n);
    std::vector<float> many(n);
    inclusive_sum(Stream::cpu(1), x, one);
    inclusive_sum(Stream::cpu(3), x, many);
    ASSERT_EQ(one, many) << n;
  }
}

// ---- The op's sample for the tests of streams ----
class ScanSample final : public OpSample {
 public:
  ScanSample(const Stream& stream, std::int64_t n, int value)
      : value_(value), in_(stream, filled<std::int32_t>(n, value)), out_(stream, n) {}
  void enqueue(const Stream& stream) override { inclusive_sum(stream, in_, out_.span()); }
  void check() override {
    const std::vector<std::int32_t> sums = take(out_);
    std::int64_t n_wrong = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) n_wrong += sums[i] != static_cast<std::int32_t>(i + 1) * value_;
    EXPECT_EQ(n_wrong, 0);
  }

 private:
  std::int32_t value_;
  Buffer<std::int32_t> in_, out_;
};
const RegisterOp<ScanSample> scan_sample;

}  // namespace
}  // namespace rafter

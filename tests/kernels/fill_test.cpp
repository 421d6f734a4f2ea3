// Guarantees of fill() beyond correct results, on every device present.
#include "rafter/fill.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <vector>

#include "kernels/all_ops.hpp"
#include "rafter/buffer.hpp"

namespace rafter {
namespace {

class Fill : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  template <class T>
  static std::vector<T> filled(std::int64_t n, T value) {
    const Stream stream = Stream::on(GetParam());
    Buffer<T> out(stream, n);
    fill(stream, value, out.span());
    std::vector<T> result(static_cast<std::size_t>(n));
    out.copy_to(result);
    return result;
  }
};

TEST_P(Fill, WritesEveryBitOfTheValue) {
  for (const float value : {-0.f, std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    for (const float x : filled(1001, value)) EXPECT_EQ(std::bit_cast<int>(x), std::bit_cast<int>(value));
  }
  for (const double x : filled(1001, -0.)) EXPECT_EQ(std::bit_cast<std::int64_t>(x), std::bit_cast<std::int64_t>(-0.));
  const auto lowest = std::numeric_limits<std::int64_t>::min() + 1;
  EXPECT_EQ(filled(1001, lowest), std::vector<std::int64_t>(1001, lowest));
  EXPECT_EQ(filled(1001, -7), std::vector<std::int32_t>(1001, -7));
}

TEST_P(Fill, WritesEveryBitOfSixteenBitValues) {
  for (const std::uint16_t bits : {0x8000, 0x7c00, 0x7e01, 0xffff, 0x0001, 0x3c01}) {
    Half half;
    Bfloat16 bfloat16;
    half.bits = bfloat16.bits = bits;
    for (const Half x : filled(1001, half)) EXPECT_EQ(x.bits, bits);
    for (const Bfloat16 x : filled(1001, bfloat16)) EXPECT_EQ(x.bits, bits);
  }
}

TEST_P(Fill, WritesNothingOutsideASpanOfSixteenBitElements) {
  const Stream stream = Stream::on(GetParam());
  for (const std::int64_t n : {1, 2, 7, 8, 9, 100, 4099, 70001, 9000001}) {
    for (const std::int64_t first : {0, 1, 3, 7}) {
      std::vector<Half> expected(static_cast<std::size_t>(n + 8), Half(-1));
      Buffer<Half> out(stream, expected);
      fill(stream, Half(9), out.span().subspan(first, n));
      std::fill_n(expected.begin() + first, n, Half(9));
      std::vector<Half> result(expected.size());
      out.copy_to(result);
      ASSERT_TRUE(result == expected) << n << " elements at " << first;
    }
  }
}

TEST_P(Fill, WritesNothingOutsideTheSpan) {
  const Stream stream = Stream::on(GetParam());
  for (const std::int64_t n : {1, 2, 3, 5, 100, 4099, 70001, 5000001}) {
    for (const std::int64_t first : {0, 1, 2, 3}) {
      std::vector<std::int32_t> expected(static_cast<std::size_t>(n + 8), -1);
      Buffer<std::int32_t> out(stream, expected);
      fill(stream, 9, out.span().subspan(first, n));
      std::fill_n(expected.begin() + first, n, 9);
      std::vector<std::int32_t> result(expected.size());
      out.copy_to(result);
      ASSERT_EQ(result, expected) << n << " elements at " << first;
    }
  }
}

TEST_P(Fill, AcceptsAnEmptySpan) {
  EXPECT_TRUE(filled(0, 1.f).empty());
  EXPECT_NO_THROW(fill(Stream::on(GetParam()), 1.f, DeviceSpan<float>()));
}

TEST_P(Fill, RejectsNullAndMisalignedPointers) {
  const Stream stream = Stream::on(GetParam());
  EXPECT_THROW(fill(stream, 1.f, DeviceSpan<float>::unchecked(nullptr, 3)), Error);
  Buffer<float> out(stream, 4);
  auto* askew = reinterpret_cast<float*>(reinterpret_cast<char*>(out.data()) + 1);
  EXPECT_THROW(fill(stream, 1.f, DeviceSpan<float>::unchecked(askew, 2)), Error);
}

INSTANTIATE_TEST_SUITE_P(Devices, Fill, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

// ---- The op's sample for the tests of streams ----
class FillSample final : public OpSample {
 public:
  FillSample(const Stream& stream, std::int64_t n, int value) : value_(static_cast<float>(value)), out_(stream, n) {}
  void enqueue(const Stream& stream) override { fill(stream, value_, out_.span()); }
  void check() override { EXPECT_EQ(take(out_), filled(out_.size(), value_)); }

 private:
  float value_;
  Buffer<float> out_;
};
const RegisterOp<FillSample> fill_sample;

}  // namespace
}  // namespace rafter

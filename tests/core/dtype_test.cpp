// Traits of element types, and floats of 16 bits.
#include "core/dtype.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rafter {
namespace {

TEST(DType, BytesFollowFromTheName) {
  EXPECT_EQ(core::bytes_of("float64"), 8);
  EXPECT_EQ(core::bytes_of("bfloat16"), 2);
  EXPECT_EQ(core::bytes_of("int32"), 4);
  EXPECT_EQ(core::bytes_of("float"), 0);
}

TEST(DType, SixteenBitsAreAddedUpInFloat) {
  EXPECT_TRUE((std::is_same_v<core::Accumulator<Bfloat16>, float>));
  EXPECT_TRUE(core::is_float<Half>);
  EXPECT_FALSE(core::is_float<std::int64_t>);
}

/// All 65536 values survive the way to float and back; NaNs stay NaNs.
template <class T>
void expect_round_trips() {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    T value;
    value.bits = static_cast<std::uint16_t>(bits);
    const auto wide = static_cast<float>(value);
    if (std::isnan(wide)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(T(wide)))) << bits;
    } else {
      ASSERT_EQ(T(wide).bits, bits);
    }
  }
}

/// Between two neighbours, a value goes to the nearer one, and from the middle to the even one.
template <class T>
void expect_nearest() {
  for (std::uint16_t bits = 0; bits < 0x7bff; ++bits) {
    T low;
    T high;
    low.bits = bits;
    high.bits = static_cast<std::uint16_t>(bits + 1);
    const auto a = static_cast<double>(static_cast<float>(low));
    const auto b = static_cast<double>(static_cast<float>(high));
    const auto middle = static_cast<float>((a + b) / 2);
    ASSERT_EQ(T(middle).bits, bits % 2 == 0 ? bits : bits + 1) << bits;
    ASSERT_EQ(T(std::nextafter(middle, 0.f)).bits, bits);
    ASSERT_EQ(T(std::nextafter(middle, 1e38f)).bits, bits + 1);
  }
}

TEST(Half, AllValuesRoundTrip) { expect_round_trips<Half>(); }
TEST(Half, RoundsToNearestEven) { expect_nearest<Half>(); }
TEST(Half, KnownValues) {
  EXPECT_EQ(Half(1.f).bits, 0x3c00);
  EXPECT_EQ(Half(-2.f).bits, 0xc000);
  EXPECT_EQ(Half(65504.f).bits, 0x7bff);
  EXPECT_EQ(Half(65519.f).bits, 0x7bff);
  EXPECT_EQ(Half(65520.f).bits, 0x7c00);
  EXPECT_EQ(Half(-std::numeric_limits<float>::infinity()).bits, 0xfc00);
  EXPECT_EQ(Half(0x1p-24f).bits, 1);
  EXPECT_EQ(Half(0x1p-25f).bits, 0);
  EXPECT_EQ(Half(0x1.8p-25f).bits, 1);
  EXPECT_EQ(Half(-1e-30f).bits, 0x8000);
}

TEST(Bfloat16, AllValuesRoundTrip) { expect_round_trips<Bfloat16>(); }
TEST(Bfloat16, RoundsToNearestEven) { expect_nearest<Bfloat16>(); }
TEST(Bfloat16, KnownValues) {
  EXPECT_EQ(Bfloat16(1.f).bits, 0x3f80);
  EXPECT_EQ(Bfloat16(std::numeric_limits<float>::max()).bits, 0x7f80);  // rounds to infinity
  EXPECT_EQ(Bfloat16(-0.f).bits, 0x8000);
}

}  // namespace
}  // namespace rafter

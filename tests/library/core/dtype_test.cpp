// Traits of element types, and 16-bit floats.
#include "library/core/dtype.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "library/core/cpu/convert_simd.hpp"

namespace rafter {
namespace {

TEST(DType, FindsTheSizeByName) {
  EXPECT_EQ(core::bytes_of("float64"), 8);
  EXPECT_EQ(core::bytes_of("bfloat16"), 2);
  EXPECT_EQ(core::bytes_of("int32"), 4);
  EXPECT_EQ(core::bytes_of("float"), 0);
}

TEST(DType, AccumulatesSixteenBitFloatsInFloat) {
  EXPECT_TRUE((std::is_same_v<core::Accumulator<Bfloat16>, float>));
  EXPECT_TRUE(core::is_float<Half>);
  EXPECT_FALSE(core::is_float<std::int64_t>);
}

/// Expects all 65536 values to survive conversion to float and back; NaNs stay NaNs.
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

/// Expects a value between two adjacent ones to be rounded to the nearer, and the midpoint to the even one.
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

// Slightly more than the midpoint of two values, by less than float can represent: rounding twice would give the even
// one.
TEST(Half, RoundsDoublesOnce) {
  EXPECT_EQ(Half(1 + 0x1p-11).bits, 0x3c00);
  EXPECT_EQ(Half(1 + 0x1p-11 + 0x1p-40).bits, 0x3c01);
  EXPECT_EQ(Half(-(1 + 0x1p-10 + 0x1p-11 - 0x1p-40)).bits, 0xbc01);
  EXPECT_EQ(Half(65520 - 0x1p-30).bits, 0x7bff);
  EXPECT_EQ(Half(1e300).bits, 0x7c00);
  EXPECT_EQ(Half(-1e-300).bits, 0x8000);
  EXPECT_EQ(Half(0x1p-25 + 0x1p-70).bits, 1);
  EXPECT_EQ(Half(2049).bits, Half(2048.f).bits);
  EXPECT_TRUE(std::isnan(static_cast<double>(Half(std::nan("")))));
}
TEST(Half, ComparesAsANumber) {
  EXPECT_EQ(Half(0), Half(-0.f));
  EXPECT_NE(Half(std::nanf("")), Half(std::nanf("")));
}

TEST(Bfloat16, RoundsDoublesOnce) {
  EXPECT_EQ(Bfloat16(1 + 0x1p-8).bits, 0x3f80);
  EXPECT_EQ(Bfloat16(1 + 0x1p-8 + 0x1p-40).bits, 0x3f81);
  EXPECT_EQ(Bfloat16(std::int64_t{16777217} << 8).bits, 0x4f80);
}
// A double has 53 bits: the nearest one to 2^60 + 2^52 + 1 is halfway between two Bfloat16s.
TEST(Bfloat16, RoundsLargeIntegersOnce) {
  constexpr std::int64_t tie = (std::int64_t{1} << 60) + (std::int64_t{1} << 52);
  EXPECT_EQ(Bfloat16(tie).bits, 0x5d80);
  EXPECT_EQ(Bfloat16(tie + 1).bits, 0x5d81);
  EXPECT_EQ(Bfloat16(-tie - 1).bits, 0xdd81);
  EXPECT_EQ(Bfloat16(tie - 1).bits, 0x5d80);
  EXPECT_EQ(Bfloat16(static_cast<std::uint64_t>(tie + 1)).bits, 0x5d81);
  EXPECT_EQ(Bfloat16(std::numeric_limits<std::int64_t>::min()).bits, 0xdf00);
  EXPECT_EQ(Bfloat16(std::numeric_limits<std::uint64_t>::max()).bits, 0x5f80);
}

TEST(DType, RoundingErrorIsHalfOfTheLastBit) {
  EXPECT_EQ(core::rounding_error<float>(3), 0);
  EXPECT_EQ(core::rounding_error<Half>(-2048), 1);
  EXPECT_EQ(core::rounding_error<Half>(0), 0x1p-25);
  EXPECT_EQ(core::rounding_error<Bfloat16>(256), 1);
}

/// Expects the loops of every instruction set and the constructors to agree on all values and on floats between them.
template <class T>
void expect_loops_agree(core::ConvertLoops::Widen widen, core::ConvertLoops::Round round) {
  std::vector<std::uint16_t> all(65536);
  std::vector<float> wide(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  widen(all.data(), 65536, wide.data());
  for (const std::uint16_t bits : all) {
    T value;
    value.bits = bits;
    const auto expected = static_cast<float>(value);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(wide[bits])) << bits;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(wide[bits]), std::bit_cast<std::uint32_t>(expected)) << bits;
    }
  }
  std::vector<float> between;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    for (const std::uint32_t low : {0x0u, 0x0fffu, 0x1000u, 0x1001u, 0x3000u, 0x7fffu, 0x8000u, 0x8001u, 0xf000u})
      between.push_back(std::bit_cast<float>(bits << 16 | low));
  }
  for (const core::Stores stores : {core::Stores::cached, core::Stores::streamed}) {
    for (const std::size_t offset : {0u, 1u, 31u}) {
      std::vector<std::uint16_t> rounded(offset + between.size() + 1, 0xabcd);
      round(between.data(), std::ssize(between), rounded.data() + offset, stores);
      for (std::size_t i = 0; i < between.size(); ++i) {
        if (std::isnan(between[i])) {
          T value;
          value.bits = rounded[offset + i];
          ASSERT_TRUE(std::isnan(static_cast<float>(value)));
        } else {
          ASSERT_EQ(rounded[offset + i], T(between[i]).bits) << between[i];
        }
      }
      EXPECT_EQ(rounded.back(), 0xabcd);
    }
  }
}

TEST(ConvertLoops, AgreeOnEveryInstructionSet) {
#define RAFTER_LOOPS_AT(level, ...)                                                                                 \
  if (core::runs_on(core::host_isa_level(), core::IsaLevel::level)) {                                               \
    expect_loops_agree<Half>(core::convert_loops_##level.half_to_float, core::convert_loops_##level.float_to_half); \
    expect_loops_agree<Bfloat16>(core::convert_loops_##level.bfloat16_to_float,                                     \
                                 core::convert_loops_##level.float_to_bfloat16);                                    \
  }
  RAFTER_FOR_ISA_LEVELS(RAFTER_LOOPS_AT)
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

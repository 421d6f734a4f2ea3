// Conversions with rounding modes: exact in halfway cases, saturating out of range, the GPU's results for NaN.
#include "rafter_simt/numbers/conversions.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>

namespace {

TEST(Conversions, FloatsRoundToIntegersInTheirMode) {
  for (int i = -2000; i < 2000; ++i) {
    const float x = static_cast<float>(i) / 8;
    const int below = i >= 0 ? i / 8 : -((7 - i) / 8);
    const int above = below + (i % 8 != 0);
    const int rest = i - 8 * below;
    const int near = rest < 4 || (rest == 4 && below % 2 == 0) ? below : above;
    EXPECT_EQ(__float2int_rd(x), below) << x;
    EXPECT_EQ(__float2int_ru(x), above) << x;
    EXPECT_EQ(__float2int_rz(x), i / 8) << x;
    EXPECT_EQ(__float2int_rn(x), near) << x;
    EXPECT_EQ(__double2ll_rn(x), near) << x;
    EXPECT_EQ(__float2uint_rn(x), static_cast<unsigned>(near < 0 ? 0 : near)) << x;
    EXPECT_EQ(__double2ull_ru(x), static_cast<unsigned long long>(above < 0 ? 0 : above)) << x;
  }
}

TEST(Conversions, SaturateOutOfRange) {
  EXPECT_EQ(__float2int_rn(3e9f), INT_MAX);
  EXPECT_EQ(__float2int_rz(-3e9f), INT_MIN);
  EXPECT_EQ(__float2int_rz(-2147483648.0f), INT_MIN);
  EXPECT_EQ(__float2uint_rn(-1.0f), 0u);
  EXPECT_EQ(__float2uint_rn(5e9f), UINT_MAX);
  EXPECT_EQ(__float2ll_rn(1e30f), LLONG_MAX);
  EXPECT_EQ(__double2ll_rd(-1e30), LLONG_MIN);
  EXPECT_EQ(__double2ull_rz(HUGE_VAL), ULLONG_MAX);
  EXPECT_EQ(__double2int_ru(2147483646.5), INT_MAX);
  EXPECT_EQ(__double2uint_rd(4294967295.5), UINT_MAX);
}

TEST(Conversions, NaNBecomesZeroOrTheTopBit) {
  const float nan = std::nanf("");
  EXPECT_EQ(__float2int_rn(nan), 0);
  EXPECT_EQ(__float2uint_rz(nan), 0u);
  EXPECT_EQ(__float2ll_rn(nan), LLONG_MIN);
  EXPECT_EQ(__float2ull_rn(nan), 1ull << 63);
  EXPECT_EQ(__double2int_rn(nan), INT_MIN);
  EXPECT_EQ(__double2uint_rn(nan), 1u << 31);
  EXPECT_EQ(__double2ll_rn(nan), LLONG_MIN);
}

TEST(Conversions, IntegersRoundToFloatsInTheirMode) {
  const int x = (1 << 24) + 1;
  EXPECT_EQ(__int2float_rn(x), 16777216.0f);
  EXPECT_EQ(__int2float_rz(x), 16777216.0f);
  EXPECT_EQ(__int2float_ru(x), 16777218.0f);
  EXPECT_EQ(__int2float_rd(-x), -16777218.0f);
  EXPECT_EQ(__int2float_ru(-x), -16777216.0f);
  EXPECT_EQ(__uint2float_rz(UINT_MAX), 0x1.fffffep31f);
  EXPECT_EQ(__uint2float_rn(UINT_MAX), 0x1p32f);
  EXPECT_EQ(__ull2float_rd(ULLONG_MAX), 0x1.fffffep63f);
  EXPECT_EQ(__ull2float_ru(ULLONG_MAX), 0x1p64f);
  EXPECT_EQ(__ll2double_rz(LLONG_MAX), 0x1.fffffffffffffp62);
  EXPECT_EQ(__ll2double_ru(LLONG_MAX), 0x1p63);
  EXPECT_EQ(__ull2double_rd(ULLONG_MAX), 0x1.fffffffffffffp63);
  EXPECT_EQ(__double2float_ru(1.0 + 1e-12), 0x1.000002p0f);
  EXPECT_EQ(__double2float_rz(1e300), 0x1.fffffep127f);
  EXPECT_EQ(__double2float_rn(1e300), HUGE_VALF);
  EXPECT_EQ(__double2float_rd(-1e-300), -0x1p-149f);
}

TEST(Conversions, ReinterpretBits) {
  static_assert(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f);
  EXPECT_EQ(__double2hiint(1.0), 0x3ff00000);
  EXPECT_EQ(__hiloint2double(0x40000000, 0), 2.0);
  EXPECT_EQ(__hiloint2double(__double2hiint(-M_PI), __double2loint(-M_PI)), -M_PI);
  EXPECT_EQ(__longlong_as_double(__double_as_longlong(0.1)), 0.1);
}

}  // namespace

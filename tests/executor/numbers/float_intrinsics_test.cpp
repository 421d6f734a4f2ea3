// Arithmetic with rounding modes: directed results enclose the exact one, and round-to-nearest is one of the two.
#include "rafter_simt/numbers/float_intrinsics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "rafter_simt/numbers/conversions.hpp"

namespace {

template <class Float>
void expect_modes(Float down, Float zero, Float near, Float up, double exact_sign, bool exact) {
  ASSERT_LE(down, near);
  ASSERT_LE(near, up);
  ASSERT_EQ(zero, exact_sign < 0 ? up : down);
  ASSERT_EQ(up, exact ? down : std::nextafter(down, static_cast<Float>(HUGE_VAL)));
}

float any_float(std::mt19937& random, int spread) {
  std::uniform_int_distribution<int> exponent(-spread, spread);
  const float mantissa = 1 + static_cast<float>(random() >> 9) * 0x1p-23f;
  return std::ldexp(random() & 1 ? -mantissa : mantissa, exponent(random));
}

TEST(FloatIntrinsics, FloatModesEncloseTheExactResult) {
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    const float x = any_float(random, 12), y = any_float(random, 12), z = any_float(random, 12);
    const auto check = [](double exact, float down, float zero, float near, float up) {
      expect_modes(down, zero, near, up, exact, static_cast<float>(exact) == exact);
      ASSERT_TRUE(down <= exact && exact <= up);
      ASSERT_EQ(near, static_cast<float>(exact));
    };
    const double wx = x, wy = y;
    check(wx + wy, __fadd_rd(x, y), __fadd_rz(x, y), __fadd_rn(x, y), __fadd_ru(x, y));
    check(wx - wy, __fsub_rd(x, y), __fsub_rz(x, y), __fsub_rn(x, y), __fsub_ru(x, y));
    check(wx * wy, __fmul_rd(x, y), __fmul_rz(x, y), __fmul_rn(x, y), __fmul_ru(x, y));
    check(wx / wy, __fdiv_rd(x, y), __fdiv_rz(x, y), __fdiv_rn(x, y), __fdiv_ru(x, y));
    check(1 / wx, __frcp_rd(x), __frcp_rz(x), __frcp_rn(x), __frcp_ru(x));
    const float p = std::fabs(x);
    check(std::sqrt(static_cast<double>(p)), __fsqrt_rd(p), __fsqrt_rz(p), __fsqrt_rn(p), __fsqrt_ru(p));
    ASSERT_EQ(__fmaf_rn(x, y, z), std::fma(x, y, z));
    ASSERT_LE(__fmaf_rd(x, y, z), __fmaf_ru(x, y, z));
  }
}

TEST(FloatIntrinsics, DoubleModesEncloseTheExactResult) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform(0.5, 2);
  for (int i = 0; i < 20000; ++i) {
    const double x = uniform(random), y = uniform(random);
    ASSERT_EQ(__dmul_ru(x, y), __dmul_rd(x, y) == x * y && std::fma(x, y, -(x * y)) == 0
                                   ? x * y
                                   : std::nextafter(__dmul_rd(x, y), HUGE_VAL));
    ASSERT_GE(std::fma(__ddiv_ru(x, y), y, -x), 0);
    ASSERT_LE(std::fma(__ddiv_rd(x, y), y, -x), 0);
    ASSERT_GE(std::fma(__dsqrt_ru(x), __dsqrt_ru(x), -x), 0);
    ASSERT_LE(std::fma(__dsqrt_rz(x), __dsqrt_rz(x), -x), 0);
    ASSERT_EQ(__ddiv_rn(x, y), x / y);
  }
  EXPECT_EQ(__dadd_ru(1.0, 1e-30), std::nextafter(1.0, 2.0));
  EXPECT_EQ(__dadd_rd(1.0, 1e-30), 1.0);
  EXPECT_EQ(__dsub_rz(1.0, 1e-30), std::nextafter(1.0, 0.0));
  EXPECT_EQ(__fma_ru(1.0, 1.0, 1e-30), std::nextafter(1.0, 2.0));
  EXPECT_EQ(__drcp_rd(3.0), std::nextafter(__drcp_ru(3.0), 0.0));
  EXPECT_EQ(__fadd_rz(3e38f, 3e38f), 0x1.fffffep127f);
  EXPECT_EQ(__fmul_ru(1e-30f, 1e-30f), 0x1p-149f);
}

TEST(FloatIntrinsics, DoesNotFuseAProductWithASum) {
  volatile float a = 1 + 0x1p-12f, minus = -(1 + 0x1p-11f);
  EXPECT_EQ(__fmul_rn(a, a) + minus, 0.0f);  // an fma would keep 2^-24
}

TEST(FloatIntrinsics, ReciprocalRootIsCorrectlyRounded) {
  std::mt19937 random(5);
  for (int i = 0; i < 200000; ++i) {
    const float x = std::fabs(any_float(random, 60)), r = __frsqrt_rn(x);
    const double low = 0.5 * (static_cast<double>(r) + std::nextafter(r, 0.0f));
    const double high = 0.5 * (static_cast<double>(r) + std::nextafter(r, HUGE_VALF));
    ASSERT_LE(std::fma(low * low, static_cast<double>(x), -1.0), 0) << x;
    ASSERT_GE(std::fma(high * high, static_cast<double>(x), -1.0), 0) << x;
  }
  EXPECT_EQ(__frsqrt_rn(0.0f), HUGE_VALF);
  EXPECT_EQ(__frsqrt_rn(-0.0f), -HUGE_VALF);
  EXPECT_EQ(__frsqrt_rn(HUGE_VALF), 0.0f);
  EXPECT_TRUE(std::isnan(__frsqrt_rn(-1.0f)));
}

TEST(FloatIntrinsics, FastVariantsAreClose) {
  EXPECT_EQ(__saturatef(NAN), 0.0f);
  EXPECT_EQ(__saturatef(2.0f), 1.0f);
  EXPECT_EQ(__saturatef(-2.0f), 0.0f);
  EXPECT_EQ(__fdividef(1.0f, 4.0f), 0.25f);
  EXPECT_EQ(__fdividef(1.0f, 0x1p127f), 0.0f);
  EXPECT_FLOAT_EQ(__expf(1.0f), 2.7182817f);
  EXPECT_FLOAT_EQ(__log2f(8.0f), 3.0f);
  EXPECT_FLOAT_EQ(__exp10f(2.0f), 100.0f);
  float s = 0, c = 0;
  __sincosf(0.5f, &s, &c);
  EXPECT_FLOAT_EQ(s, __sinf(0.5f));
  EXPECT_FLOAT_EQ(c, __cosf(0.5f));
}

}  // namespace

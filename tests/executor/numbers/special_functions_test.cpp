// CUDA's additional math functions: known values within a few ulp, inverses, exact cases.
#include <gtest/gtest.h>

#include <cmath>

#include "cuComplex.h"
#include "math_constants.h"
#include "math_functions.h"

namespace {

void expect_close(double value, double expected, double ulps = 8) {
  EXPECT_LE(std::fabs(value - expected), ulps * 0x1p-52 * std::fabs(expected)) << value << " against " << expected;
}

TEST(SpecialFunctions, KnownValues) {
  expect_close(erfinv(0.3), 0.27246271472675434502);
  expect_close(erfcx(0.3), 0.73459933456765514992);
  expect_close(erfcx(9.5), 0.059064678352563890854);
  expect_close(erfcx(12.0), 0.046854221014893762620);
  expect_close(normcdf(-30.0), 4.9067139271481870595e-198);
  expect_close(normcdf(0.0), 0.5);
  expect_close(cyl_bessel_i0(1.0), 1.2660658777520083356);
  expect_close(cyl_bessel_i0(29.9), 708478330489.0145260686);
  expect_close(cyl_bessel_i0(30.1), 862432920031.7792124925);
  expect_close(cyl_bessel_i1(-700.0), -1.5285003902339006881e302);
  expect_close(norm4d(1, 2, 4, 10), 11);
  expect_close(norm3d(3e300, 4e300, 0), 5e300);
  expect_close(rnorm3d(3, 4, 12), 1.0 / 13);
}

TEST(SpecialFunctions, InversesRoundTrip) {
  for (double x = -0.99; x < 1; x += 0.01) expect_close(std::erf(erfinv(x)), x, 16);
  for (double x = 1e-300; x < 1.9; x *= 7)
    expect_close(std::erfc(erfcinv(x)) / x, 1, 4000);  // ill-conditioned in the tail
  for (double x = 0.01; x < 1; x += 0.01) expect_close(normcdf(normcdfinv(x)), x, 16);
  EXPECT_EQ(erfinv(1.0), HUGE_VAL);
  EXPECT_EQ(erfcinv(2.0), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(erfinv(1.5)));
  EXPECT_EQ(normcdfinv(0.5), 0.0);
}

TEST(SpecialFunctions, PiMultiplesAreExact) {
  for (int i = -8; i <= 8; ++i) {
    EXPECT_EQ(sinpi(static_cast<double>(i)), 0.0);
    EXPECT_EQ(cospi(static_cast<double>(i)), i % 2 == 0 ? 1.0 : -1.0);
    EXPECT_EQ(cospi(i + 0.5), 0.0);
    EXPECT_EQ(sinpi(i + 0.5), i % 2 == 0 ? 1.0 : -1.0);
  }
  for (double x = -3; x < 3; x += 0.07) {
    EXPECT_NEAR(sinpi(x), std::sin(M_PI * x), 2e-15);
    EXPECT_NEAR(cospi(x), std::cos(M_PI * x), 2e-15);
  }
  EXPECT_EQ(sinpif(0.5f), 1.0f);
  float s = 0, c = 0;
  sincospif(0.25f, &s, &c);
  EXPECT_FLOAT_EQ(s, c);
}

TEST(SpecialFunctions, FloatForms) {
  static_assert(std::is_same_v<decltype(rsqrt(1.0f)), float> && std::is_same_v<decltype(erfinv(1.0f)), float>);
  EXPECT_EQ(rsqrtf(4.0f), 0.5f);
  EXPECT_EQ(rcbrtf(8.0f), 0.5f);
  EXPECT_EQ(rhypotf(3.0f, 4.0f), 0.2f);
  const float values[] = {2, 3, 6};
  EXPECT_EQ(normf(3, values), 7.0f);
  EXPECT_EQ(exp10f(3.0f), 1000.0f);
  EXPECT_FLOAT_EQ(CUDART_PI_F, 3.14159265f);
  EXPECT_EQ(CUDART_PI, M_PI);
}

TEST(SpecialFunctions, Complex) {
  const cuDoubleComplex q = cuCdiv(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, -4));
  EXPECT_DOUBLE_EQ(q.x, -0.2);
  EXPECT_DOUBLE_EQ(q.y, 0.4);
  const cuFloatComplex p = cuCmulf(make_cuFloatComplex(1, 2), make_cuComplex(3, -4));
  EXPECT_EQ(cuCrealf(p), 11.0f);
  EXPECT_EQ(cuCimagf(p), 2.0f);
  EXPECT_DOUBLE_EQ(cuCabs(make_cuDoubleComplex(3e200, 4e200)), 5e200);
}

}  // namespace

// 8-bit floating point: every value converted both ways, rounding at every midpoint, saturation.
#include <gtest/gtest.h>

#include <cmath>

#include "cuda_fp8.h"

namespace {

template <class T>
void check_every_value(unsigned first_special) {
  for (unsigned bits = 0; bits < 0x100; ++bits) {
    T x;
    x.__x = static_cast<__nv_fp8_storage_t>(bits);
    const float wide = static_cast<float>(x);
    if ((bits & 0x7f) > first_special) {
      EXPECT_TRUE(std::isnan(wide)) << bits;
      continue;
    }
    if ((bits & 0x7f) == first_special) continue;
    EXPECT_EQ(T(wide).__x, bits);
    T next;
    next.__x = static_cast<__nv_fp8_storage_t>(bits + 1);
    if ((bits & 0x7f) + 1 >= first_special) continue;
    const float middle = (wide + static_cast<float>(next)) / 2;
    EXPECT_EQ(T(middle).__x, bits + (bits & 1)) << middle;
    EXPECT_EQ(T(std::nextafter(middle, wide)).__x, bits) << middle;
    EXPECT_EQ(T(std::nextafter(middle, static_cast<float>(next))).__x, bits + 1) << middle;
  }
}

TEST(Fp8, ConvertsEveryValueAndMidpoint) {
  check_every_value<__nv_fp8_e4m3>(0x7f);
  check_every_value<__nv_fp8_e5m2>(0x7c);
}

TEST(Fp8, ConvertsKnownValues) {
  EXPECT_EQ(__nv_fp8_e4m3(1.0f).__x, 0x38);
  EXPECT_EQ(__nv_fp8_e5m2(1.0f).__x, 0x3c);
  EXPECT_EQ(static_cast<float>(__nv_fp8_e4m3(1e9f)), 448.0f);
  EXPECT_EQ(static_cast<float>(__nv_fp8_e5m2(-HUGE_VALF)), -57344.0f);
  EXPECT_EQ(__nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E4M3), 0x7f);
  EXPECT_EQ(__nv_cvt_float_to_fp8(-1e9f, __NV_NOSAT, __NV_E5M2), 0xfc);
  EXPECT_EQ(__nv_cvt_float_to_fp8(464.0f, __NV_NOSAT, __NV_E4M3), 0x7e);
  EXPECT_EQ(__nv_cvt_float_to_fp8(NAN, __NV_SATFINITE, __NV_E4M3), 0x7f);
  const float4 quad = static_cast<float4>(__nv_fp8x4_e4m3(make_float4(1, -2, 3, 0.5f)));
  EXPECT_EQ(quad.y, -2.0f);
  EXPECT_EQ(quad.w, 0.5f);
  EXPECT_EQ(static_cast<int>(__nv_fp8_e4m3(-7.0f)), -7);
}

}  // namespace

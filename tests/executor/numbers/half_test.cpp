// half and bfloat16: every value converted both ways, and conversions around every value and every midpoint.
#include <gtest/gtest.h>

#include <climits>
#include <cstring>
#include <type_traits>

#include "small_float_model.hpp"

namespace rafter_simt::test {
namespace {

static_assert(std::is_trivial_v<half> && std::is_trivial_v<half2> && sizeof(half) == 2 && alignof(half2) == 4);
static_assert(std::is_trivial_v<nv_bfloat16> && std::is_trivial_v<nv_bfloat162> && alignof(__nv_bfloat162) == 4);

template <class Traits>
class HalfTest : public testing::Test {
 protected:
  const Model<Traits> model_;
};
using Formats = testing::Types<HalfTraits, Bfloat16Traits>;
TYPED_TEST_SUITE(HalfTest, Formats);

TYPED_TEST(HalfTest, EveryValueComesBackFromFloatAndDouble) {
  using T = typename TypeParam::Type;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float wide = TypeParam::wide(TypeParam::type(bits));
    const double expected = this->model_.value(bits);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(wide)) << bits;
      ASSERT_EQ(TypeParam::bits(T(wide)), 0x7fffu);
      continue;
    }
    ASSERT_EQ(wide, expected) << bits;
    ASSERT_EQ(std::signbit(wide), bits >> 15 != 0) << bits;
    ASSERT_EQ(TypeParam::bits(T(wide)), bits);
    ASSERT_EQ(TypeParam::bits(T(static_cast<double>(wide))), bits);
  }
}

TYPED_TEST(HalfTest, DoublesRoundOnceToNearest) {
  for_each_hard_value<TypeParam>(
      [&](double x) { ASSERT_EQ(TypeParam::bits(typename TypeParam::Type(x)), this->model_.nearest(x)) << x; });
}

TYPED_TEST(HalfTest, FloatsRoundInEveryMode) {
  for_each_hard_value<TypeParam>([&](double wide) {
    const float x = static_cast<float>(wide);
    if constexpr (std::is_same_v<TypeParam, HalfTraits>) {
      ASSERT_EQ(__half_as_ushort(__float2half(x)), this->model_.nearest(x)) << x;
      ASSERT_EQ(__half_as_ushort(__float2half_rn(x)), this->model_.nearest(x)) << x;
      ASSERT_EQ(__half_as_ushort(__float2half_rz(x)), this->model_.toward_zero(x)) << x;
      ASSERT_EQ(__half_as_ushort(__float2half_ru(x)), this->model_.above(x)) << x;
      ASSERT_EQ(__half_as_ushort(__float2half_rd(x)), this->model_.below(x)) << x;
    } else {
      ASSERT_EQ(__bfloat16_as_ushort(__float2bfloat16(x)), this->model_.nearest(x)) << x;
      ASSERT_EQ(__bfloat16_as_ushort(__float2bfloat16_rn(x)), this->model_.nearest(x)) << x;
      ASSERT_EQ(__bfloat16_as_ushort(__float2bfloat16_rz(x)), this->model_.toward_zero(x)) << x;
      ASSERT_EQ(__bfloat16_as_ushort(__float2bfloat16_ru(x)), this->model_.above(x)) << x;
      ASSERT_EQ(__bfloat16_as_ushort(__float2bfloat16_rd(x)), this->model_.below(x)) << x;
    }
  });
}

TYPED_TEST(HalfTest, IntegersRoundToNearest) {
  using T = typename TypeParam::Type;
  for (int i = -70000; i < 70000; ++i) ASSERT_EQ(TypeParam::bits(T(i)), this->model_.nearest(i)) << i;
  for (unsigned i = 0; i < 0x10000; ++i) {
    ASSERT_EQ(TypeParam::bits(T(static_cast<unsigned short>(i))), this->model_.nearest(i)) << i;
  }
  EXPECT_EQ(TypeParam::bits(T(LLONG_MIN)), this->model_.nearest(-0x1p63));
  EXPECT_EQ(TypeParam::bits(T(ULLONG_MAX)), this->model_.nearest(0x1p64));
}

TYPED_TEST(HalfTest, EveryValueConvertsToIntegers) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const typename TypeParam::Type h = TypeParam::type(bits);
    const double x = this->model_.value(bits);
    const bool nan = std::isnan(x);
    const double whole = std::trunc(x);
    ASSERT_EQ(static_cast<int>(h), nan               ? 0
                                   : whole >= 0x1p31 ? INT_MAX
                                   : whole < -0x1p31 ? INT_MIN
                                                     : static_cast<int>(whole));
    ASSERT_EQ(static_cast<short>(h), nan                ? 0
                                     : whole > SHRT_MAX ? SHRT_MAX
                                     : whole < SHRT_MIN ? SHRT_MIN
                                                        : static_cast<short>(whole));
    ASSERT_EQ(static_cast<unsigned char>(h), nan || whole < 0 ? 0
                                             : whole > 255    ? 255
                                                              : static_cast<unsigned char>(whole));
    ASSERT_EQ(static_cast<long long>(h), nan || whole < -0x1p63 ? LLONG_MIN
                                         : whole >= 0x1p63      ? LLONG_MAX
                                                                : static_cast<long long>(whole));
    ASSERT_EQ(static_cast<bool>(h), !(x == 0));
  }
}

TEST(Half, DirectedIntegerConversions) {
  EXPECT_EQ(__half2int_rn(half(2.5f)), 2);
  EXPECT_EQ(__half2int_ru(half(2.5f)), 3);
  EXPECT_EQ(__half2short_rd(half(-2.5f)), -3);
  EXPECT_EQ(__half2ull_rn(CUDART_NAN_FP16), 1ull << 63);
  EXPECT_EQ(__half2uint_rz(half(-4.0f)), 0u);
  EXPECT_EQ(__half2char_rz(half(300.0f)), 127);
  EXPECT_EQ(__half2float(__int2half_rz(65535)), 65504.0f);
  EXPECT_EQ(__half2float(__int2half_rn(65535)), HUGE_VALF);
  EXPECT_EQ(__half2float(__uint2half_rd(2049)), 2048.0f);
  EXPECT_EQ(__half2float(__ll2half_ru(2049)), 2050.0f);
  EXPECT_EQ(__bfloat162float(__ull2bfloat16_rz(ULLONG_MAX)), 0x1.fep63f);
  EXPECT_EQ(__bfloat162float(__int2bfloat16_ru(257)), 258.0f);
}

TEST(Half, PairsKeepTheirOrder) {
  const half2 pair = __floats2half2_rn(1.0f, 2.0f);
  unsigned bits = 0;
  std::memcpy(&bits, &pair, 4);
  EXPECT_EQ(bits, 0x40003c00u);
  EXPECT_EQ(__low2float(pair), 1.0f);
  EXPECT_EQ(__half2float(__high2half(pair)), 2.0f);
  EXPECT_EQ(__low2float(__lowhigh2highlow(pair)), 2.0f);
  EXPECT_EQ(__high2float(__low2half2(pair)), 1.0f);
  EXPECT_EQ(__low2float(__highs2half2(pair, pair)), 2.0f);
  EXPECT_EQ(__half22float2(__half2half2(half(3.0f))).y, 3.0f);
  EXPECT_EQ(__bfloat1622float2(__float22bfloat162_rn(float2{4, 5})).x, 4.0f);
  EXPECT_EQ(static_cast<float>(__bfloat162bfloat162(nv_bfloat16(6)).y), 6.0f);
}

TEST(Half, ConvertsLikeCuda) {
  half h = 1.5f;
  h = 2.25;
  h = 3;
  h = 4L;
  const float f = h;
  const double d = h;
  EXPECT_EQ(f + d, 8);
  volatile half slot;
  EXPECT_EQ(&(slot = h), &slot);
  const half back = slot;
  EXPECT_EQ(static_cast<float>(back), 4.0f);
  EXPECT_EQ(static_cast<float>(static_cast<half>(nv_bfloat16(0.15625f))), 0.15625f);
  EXPECT_EQ(__half_as_ushort(static_cast<half>(nv_bfloat16(1e30f))), 0x7c00);
}

}  // namespace
}  // namespace rafter_simt::test

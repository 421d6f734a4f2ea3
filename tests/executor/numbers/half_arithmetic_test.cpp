// Arithmetic, comparisons and math of half and bfloat16 compared with double, on random pairs of all kinds of values.
#include <gtest/gtest.h>

#include <random>

#include "small_float_model.hpp"

namespace rafter_simt::test {
namespace {

template <class Traits>
class HalfArithmetic : public testing::Test {
 protected:
  using T = typename Traits::Type;

  /// Returns random bits; often subnormal, near the largest value, or special.
  T draw() {
    const auto bits = static_cast<unsigned>(random_());
    switch (bits >> 16 & 7) {
      case 0: return Traits::type(bits & (0x8000 | ((1u << Traits::mantissa_bits) - 1)));
      case 1: return Traits::type((bits & 0x8000) | (Model<Traits>::infinity - 3 + (bits & 7)));
      case 2: return Traits::type((bits & 0x83ff) | static_cast<unsigned>(Traits::bias) << Traits::mantissa_bits);
      default: return Traits::type(bits & 0xffff);
    }
  }
  double value(T h) const { return model_.value(Traits::bits(h)); }

  const Model<Traits> model_;
  std::mt19937 random_{7};
};
using Formats = testing::Types<HalfTraits, Bfloat16Traits>;
TYPED_TEST_SUITE(HalfArithmetic, Formats);

// A long double sum is exact for half and, away from the extremes, for bfloat16; two_sum covers the rest.
double rest_of_sum(double a, double b) {
  const double sum = a + b, b_in = sum - a;
  const double rest = (a - (sum - b_in)) + (b - b_in);
  return std::isfinite(sum) ? rest : 0;
}

TYPED_TEST(HalfArithmetic, RoundsOnce) {
  const auto bits = [](auto h) { return TypeParam::bits(h); };
  for (int i = 0; i < 300000; ++i) {
    const auto a = this->draw(), b = this->draw();
    const double x = this->value(a), y = this->value(b);
    ASSERT_EQ(bits(a + b), this->model_.nearest(x + y, rest_of_sum(x, y))) << x << " + " << y;
    ASSERT_EQ(bits(a - b), this->model_.nearest(x - y, rest_of_sum(x, -y))) << x << " - " << y;
    ASSERT_EQ(bits(a * b), this->model_.nearest(x * y)) << x << " * " << y;
    ASSERT_EQ(bits(a / b), this->model_.nearest(x / y)) << x << " / " << y;
    ASSERT_EQ(bits(hsqrt(a)), this->model_.nearest(std::sqrt(x))) << x;
    ASSERT_EQ(bits(hrcp(a)), this->model_.nearest(1 / x)) << x;
  }
}

TYPED_TEST(HalfArithmetic, FmaRoundsOnce) {
  for (int i = 0; i < 300000; ++i) {
    const auto a = this->draw(), b = this->draw(), c = this->draw();
    const double product = this->value(a) * this->value(b), z = this->value(c);
    const unsigned expected = this->model_.nearest(product + z, rest_of_sum(product, z));
    ASSERT_EQ(TypeParam::bits(__hfma(a, b, c)), expected) << this->value(a) << " * " << this->value(b) << " + " << z;
    const double rounded = this->model_.value(expected);
    const double clamped = rounded > 0 ? std::min(rounded, 1.0) : 0.0;
    ASSERT_EQ(this->value(__hfma_sat(a, b, c)), clamped);
    const double relu = rounded <= 0 ? 0.0 : rounded;
    if (std::isnan(relu)) {
      ASSERT_EQ(TypeParam::bits(__hfma_relu(a, b, c)), 0x7fffu);
    } else {
      ASSERT_EQ(this->value(__hfma_relu(a, b, c)), relu);
    }
  }
}

TYPED_TEST(HalfArithmetic, FmaKeepsTheBitThatBreaksATie) {
  using H = typename TypeParam::Type;
  // The product is midway between two values; the much smaller addend decides the rounding.
  const H a = TypeParam::type(TypeParam::bits(H(1.0f)) + 1), small = TypeParam::type(1);
  const double product = this->value(a) * 1.5;
  const H middle = H(1.5f);
  EXPECT_EQ(TypeParam::bits(__hfma(a, middle, small)), this->model_.nearest(product, this->value(small)));
  EXPECT_EQ(TypeParam::bits(__hfma(a, middle, __hneg(small))), this->model_.nearest(product, -this->value(small)));
}

TYPED_TEST(HalfArithmetic, Compares) {
  for (int i = 0; i < 100000; ++i) {
    const auto a = this->draw(), b = i % 3 == 0 ? a : this->draw();
    const double x = this->value(a), y = this->value(b);
    const bool unordered = std::isnan(x) || std::isnan(y);
    ASSERT_EQ(a == b, x == y);
    ASSERT_EQ(a != b, x != y);
    ASSERT_EQ(a < b, x < y);
    ASSERT_EQ(a >= b, x >= y);
    ASSERT_EQ(__hne(a, b), !unordered && x != y);
    ASSERT_EQ(__hequ(a, b), unordered || x == y);
    ASSERT_EQ(__hltu(a, b), unordered || x < y);
    ASSERT_EQ(__hgeu(a, b), unordered || x >= y);
    const typename TypeParam::Pair left(a, b), right(b, b);
    ASSERT_EQ(__hble2(left, right), x <= y && y <= y);
    ASSERT_EQ(__hgt2_mask(left, right), x > y ? 0xffffu : 0u);
    ASSERT_EQ(__low2float(__heq2(left, right)), x == y ? 1.0f : 0.0f);
    ASSERT_EQ(this->model_.value(TypeParam::bits(__hmax(a, b))) == std::fmax(x, y), !std::isnan(std::fmax(x, y)));
    ASSERT_EQ(TypeParam::bits(__hmin_nan(a, b)) == 0x7fff, unordered);
    ASSERT_EQ(__hisnan(a), std::isnan(x));
    ASSERT_EQ(__hisinf(a), std::isinf(x) ? (x > 0 ? 1 : -1) : 0);
  }
}

TYPED_TEST(HalfArithmetic, ZeroesHaveAnOrder) {
  const auto plus = TypeParam::type(0), minus = TypeParam::type(0x8000);
  EXPECT_EQ(TypeParam::bits(__hmax(minus, plus)), 0u);
  EXPECT_EQ(TypeParam::bits(__hmax(plus, minus)), 0u);
  EXPECT_EQ(TypeParam::bits(__hmin(plus, minus)), 0x8000u);
}

TYPED_TEST(HalfArithmetic, MathIsRoundedFromDouble) {
  for (unsigned bits = 0; bits < 0x10000; bits += 3) {
    const auto h = TypeParam::type(bits);
    const double x = this->model_.value(bits);
    ASSERT_EQ(TypeParam::bits(hexp(h)), this->model_.nearest(std::exp(x))) << x;
    ASSERT_EQ(TypeParam::bits(hlog2(h)), this->model_.nearest(std::log2(x))) << x;
    ASSERT_EQ(TypeParam::bits(hsin(h)), this->model_.nearest(std::sin(x))) << x;
    ASSERT_EQ(TypeParam::bits(hrsqrt(h)), this->model_.nearest(1 / std::sqrt(x))) << x;
    ASSERT_EQ(TypeParam::bits(hfloor(h)), this->model_.nearest(std::floor(x))) << x;
    ASSERT_EQ(TypeParam::bits(hrint(h)), this->model_.nearest(std::nearbyint(x))) << x;
  }
}

TYPED_TEST(HalfArithmetic, PairsActOnBothHalves) {
  using H = typename TypeParam::Type;
  using Pair = typename TypeParam::Pair;
  const Pair a(H(1.0f), H(2.0f)), b(H(3.0f), H(5.0f));
  const auto is = [](Pair pair, float x, float y) { return __low2float(pair) == x && __high2float(pair) == y; };
  EXPECT_TRUE(is(a + b, 4, 7));
  EXPECT_TRUE(is(a - b, -2, -3));
  EXPECT_TRUE(is(a * b, 3, 10));
  EXPECT_TRUE(is(b / a, 3, 2.5f));
  EXPECT_TRUE(is(-a, -1, -2));
  EXPECT_TRUE(is(__hfma2(a, b, a), 4, 12));
  EXPECT_TRUE(is(__hcmadd(a, b, a), -6, 13));
  EXPECT_TRUE(is(__habs2(-a), 1, 2));
  EXPECT_TRUE(is(__hmul2_sat(a, a), 1, 1));
  EXPECT_TRUE(is(h2rcp(a), 1, 0.5f));
  Pair c = a;
  c += b;
  c++;
  --c;
  EXPECT_TRUE(is(c, 4, 7));
  EXPECT_TRUE(a < b && !(a == b) && a != b);
}

}  // namespace
}  // namespace rafter_simt::test

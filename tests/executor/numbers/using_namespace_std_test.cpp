// Code after `using namespace std;` compiles, and has the same meaning as with nvcc.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "math_constants.h"
#include "rafter_simt/numbers/integer.hpp"
#include "rafter_simt/numbers/math.hpp"

using namespace std;

namespace {

TEST(UsingNamespaceStd, MinAndMax) {
  const int a = 3, b = 4;
  EXPECT_EQ(min(a, b), 3);
  EXPECT_EQ(max(1, 2), 2);
  EXPECT_EQ(max(1.0f, 2.0f), 2.0f);
  EXPECT_EQ(max(1.0f, 2.0), 2.0);
  EXPECT_EQ(max(3u, 2), 3u);
  const size_t n = 5;
  EXPECT_EQ(min(n, static_cast<size_t>(7)), 5u);
  EXPECT_EQ((std::max)(a, b), 4);
  EXPECT_EQ(max({1, 5, 2}), 5);
}

TEST(UsingNamespaceStd, MathOnAllTypes) {
  const float x = 2.5f;
  const double y = -2.5;
  static_assert(is_same_v<decltype(abs(x)), float> && is_same_v<decltype(abs(y)), double>);
  static_assert(is_same_v<decltype(abs(-3)), int> && is_same_v<decltype(abs(-3ll)), long long>);
  static_assert(is_same_v<decltype(abs(-3l)), long> && is_same_v<decltype(sqrt(x)), float>);
  static_assert(is_same_v<decltype(floor(x / 2)), float> && is_same_v<decltype(rsqrt(x)), float>);
  EXPECT_EQ(pow(x, 2), 6.25);
  EXPECT_EQ(pow(2.0f, 3), 8.0);
  EXPECT_EQ(pow(2.0f, 3.0f), 8.0f);
  EXPECT_EQ(floor(x / 2), 1.0f);
  EXPECT_EQ(sqrt(4), 2.0);
  EXPECT_EQ(fabs(y), 2.5);
  EXPECT_FALSE(isnan(x));
  EXPECT_FALSE(isinf(y));
  EXPECT_TRUE(isfinite(x));
  EXPECT_TRUE(signbit(y));
  EXPECT_EQ(round(x), 3.0f);
  EXPECT_EQ(exp10(2.0f), 100.0f);
  EXPECT_EQ(fmaxf(x, 1), 2.5f);
  EXPECT_EQ(__expf(0.0f), 1.0f);
  EXPECT_EQ(::__powf(2.0f, 3.0f), 8.0f);
  EXPECT_EQ(norm3d(3, 4, 12), 13.0);
}

TEST(UsingNamespaceStd, SwapAndHalf) {
  int a = 1, b = 2;
  swap(a, b);
  EXPECT_EQ(a, 2);
  half h = 1.5f;
  half k = 2;
  swap(h, k);
  EXPECT_EQ(static_cast<float>(max(h, k)), 2.0f);
  EXPECT_EQ(static_cast<float>(min(nv_bfloat16(1.0f), nv_bfloat16(3.0f))), 1.0f);
  EXPECT_TRUE(isinf(CUDART_INF_F));
  EXPECT_TRUE(isnan(CUDART_NAN));
}

}  // namespace

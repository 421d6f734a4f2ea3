// Headers for compilers other than nvcc define some device functions; they may do so here as well.
#include <gtest/gtest.h>

#include <cmath>

#include "rafter_simt/numbers/math.hpp"

inline float fminf(float a, float b) { return a < b ? a : b; }
inline float fmaxf(float a, float b) { return a > b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }

namespace {

TEST(Redefinition, OfMinMaxAndRsqrtfIsAccepted) {
  EXPECT_EQ(max(1, 2), 2);
  EXPECT_EQ(min(1, 2), 1);
  EXPECT_EQ(max(1.0f, 2.0f), 2.0f);
  EXPECT_EQ(rsqrtf(4.0f), 0.5f);
  EXPECT_EQ(fminf(1.0f, 2.0f), 1.0f);
}

}  // namespace

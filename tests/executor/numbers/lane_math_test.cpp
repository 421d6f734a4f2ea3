// expf and logf of vectorised loops: error below one ulp, for every 257th float and all special values.
#include "rafter_simt/numbers/lane_math.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

/// Returns the distance in float ulps; 0 where both are NaN or the same infinity.
double error_of(float value, double exact) {
  const float nearest = static_cast<float>(exact);
  if (std::isnan(nearest) || std::isinf(nearest) || std::isnan(value) || std::isinf(value)) {
    const bool same = std::isnan(nearest) ? std::isnan(value) : value == nearest;
    return same ? 0 : std::numeric_limits<double>::infinity();
  }
  const int exponent = exact == 0 ? -149 : std::max(std::ilogb(exact) - 23, -149);
  return std::abs(value - exact) / std::ldexp(1.0, exponent);
}

template <class Lane, class Exact>
void expect_within_one(Lane lane, Exact exact) {
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 257) {
    const float x = __builtin_bit_cast(float, static_cast<std::uint32_t>(bits));
    ASSERT_LT(error_of(lane(x), exact(static_cast<double>(x))), 1) << std::hexfloat << x << " gives " << lane(x);
  }
}

TEST(LaneMath, ExpIsWithinOneUnit) {
  expect_within_one([](float x) { return rafter_simt::lane_expf(x); }, [](double x) { return std::exp(x); });
}

TEST(LaneMath, LogIsWithinOneUnit) {
  expect_within_one([](float x) { return rafter_simt::lane_logf(x); }, [](double x) { return std::log(x); });
}

TEST(LaneMath, SpecialValues) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(rafter_simt::lane_expf(0), 1);
  EXPECT_EQ(rafter_simt::lane_expf(-infinity), 0);
  EXPECT_EQ(rafter_simt::lane_expf(infinity), infinity);
  EXPECT_EQ(rafter_simt::lane_expf(0x1.62e43p+6f), infinity);
  EXPECT_GT(rafter_simt::lane_expf(-103.0f), 0);  // subnormal
  EXPECT_TRUE(std::isnan(rafter_simt::lane_expf(nan)));
  EXPECT_EQ(rafter_simt::lane_logf(1), 0);
  EXPECT_EQ(rafter_simt::lane_logf(0), -infinity);
  EXPECT_EQ(rafter_simt::lane_logf(-0.0f), -infinity);
  EXPECT_EQ(rafter_simt::lane_logf(infinity), infinity);
  EXPECT_TRUE(std::isnan(rafter_simt::lane_logf(-1)) && std::isnan(rafter_simt::lane_logf(nan)));
}

}  // namespace

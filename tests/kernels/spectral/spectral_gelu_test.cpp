// The CPU's GELU compared with its definition in float64.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "spectral/spectral_simd.hpp"

namespace rafter::spectral_ladder::cpu {
namespace {

std::vector<float> gelu_of(std::vector<float> values) {
  const std::size_t n = values.size();
  values.resize(static_cast<std::size_t>(round_up_to_panels(std::ssize(values))));
  spectral_loops().gelu(values.data(), std::ssize(values));
  values.resize(n);
  return values;
}

double defined(float x) { return static_cast<double>(x) / 2 * (1 + std::erf(static_cast<double>(x) * std::sqrt(0.5))); }

/// Returns floats of all magnitudes, by their bits, and many around zero, where GELU curves.
std::vector<float> points() {
  std::vector<float> values;
  for (std::uint64_t bits = 0; bits < 1ull << 32; bits += 16411) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isfinite(value)) values.push_back(value);
  }
  for (int i = -60000; i <= 60000; ++i) values.push_back(static_cast<float>(i) * 1e-4F);
  for (const float limit : {-5.5F, 5.5F}) {
    for (const float towards : {-10.F, 10.F}) values.push_back(std::nextafter(limit, towards));
    values.push_back(limit);
  }
  return values;
}

TEST(SpectralGelu, IsWithinItsBoundOfTheDefinition) {
  const std::vector<float> in = points(), out = gelu_of(in);
  double worst = 0;
  float where = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double off = std::abs(static_cast<double>(out[i]) - defined(in[i]));
    const double share = off / std::max(1., std::abs(static_cast<double>(in[i])));
    if (!(share <= worst)) {
      worst = share;
      where = in[i];
    }
  }
  EXPECT_LE(worst, 2e-7) << "at " << where;
}

TEST(SpectralGelu, EqualsItsLimitForLargeArguments) {
  const float largest = std::numeric_limits<float>::max(), infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(gelu_of({5.5F, 100, largest, infinity}), (std::vector<float>{5.5F, 100, largest, infinity}));
  EXPECT_EQ(gelu_of({-5.5F, -100, -largest}), (std::vector<float>{0, 0, 0}));
}

TEST(SpectralGelu, KeepsTinyArgumentsAndTheSignOfZero) {
  const float least = std::numeric_limits<float>::denorm_min(), small = std::numeric_limits<float>::min();
  const std::vector<float> out = gelu_of({0.F, -0.F, 2 * least, -2 * least, small, -small});
  EXPECT_FALSE(std::signbit(out[0]));
  EXPECT_TRUE(std::signbit(out[1]));
  EXPECT_EQ(out, (std::vector<float>{0, 0, least, -least, small / 2, -small / 2}));
}

TEST(SpectralGelu, PropagatesNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> out = gelu_of({nan, 1, -nan, -infinity});  // the last one by definition: infinity times 0
  EXPECT_TRUE(std::isnan(out[0]) && std::isnan(out[2]) && std::isnan(out[3]));
  EXPECT_NEAR(out[1], 0.8413447, 1e-6) << "beside it";
}

}  // namespace
}  // namespace rafter::spectral_ladder::cpu

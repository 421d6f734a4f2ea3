// Guarantees of radial() and radial_gradient() beyond correct results, on every device present.
#include "rafter/radial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/all_ops.hpp"
#include "rafter/buffer.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter {
namespace {

using lab::expect_error;
using Floats = std::vector<float>;

class Radial : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  static Floats values(const Floats& distances, const Floats& centres, float gamma = 16, float cutoff = 5) {
    const Stream stream = Stream::on(GetParam());
    const Buffer<float> d(stream, distances), c(stream, centres);
    Buffer<float> out(stream, d.size() * c.size());
    radial(stream, d, {c, gamma, cutoff}, out.span());
    Floats result(distances.size() * centres.size());
    out.copy_to(result);
    return result;
  }

  static Floats gradient(const Floats& distances, const Floats& centres, const Floats& out_gradient) {
    const Stream stream = Stream::on(GetParam());
    const Buffer<float> d(stream, distances), c(stream, centres), g(stream, out_gradient);
    Buffer<float> out(stream, d.size());
    radial_gradient(stream, d, {c, 4, 5}, g, out.span());
    Floats result(distances.size());
    out.copy_to(result);
    return result;
  }
};

TEST_P(Radial, IsOneAtItsCentreAndZeroFromTheCutoffOn) {
  const float inf = std::numeric_limits<float>::infinity();
  const Floats result = values({0, 5, std::nextafter(5.F, 6.F), 1e30F, inf}, {0, 5, 1, 2});
  EXPECT_EQ(result[0], 1);
  for (std::size_t i = 4; i < result.size(); ++i) EXPECT_EQ(result[i], 0) << i;
  for (const float slope : gradient({5, 6, 1e30F, inf}, {0, 5, 1, 2}, Floats(16, 1))) EXPECT_EQ(slope, 0);
}

TEST_P(Radial, NanStaysInItsRow) {
  const Floats result = values({1, std::nanf(""), 1}, {1, 2, 3, 4});
  for (std::size_t i = 0; i < result.size(); ++i) EXPECT_EQ(std::isnan(result[i]), i / 4 == 1) << i;
  const Floats by_distance = gradient({1, std::nanf(""), 1}, {1, 2, 3, 4}, Floats(12, 1));
  EXPECT_TRUE(std::isfinite(by_distance[0]) && std::isnan(by_distance[1]) && std::isfinite(by_distance[2]));
}

// The finite differences are those of the definition in float64.
TEST_P(Radial, GradientMatchesFiniteDifferences) {
  const auto loss = [](double d, const Floats& centres, const Floats& weights) {
    double sum = 0;
    for (std::size_t k = 0; k < centres.size(); ++k) {
      const double t = d - static_cast<double>(centres[k]);
      sum += static_cast<double>(weights[k]) * std::exp(-4 * t * t) * (std::cos(M_PI * d / 5) + 1) / 2;
    }
    return sum;
  };
  for (const std::size_t n_centres : {1, 3, 20, 33}) {
    Floats centres, weights;
    for (std::size_t k = 0; k < n_centres; ++k) {
      centres.push_back(5 * static_cast<float>(k) / static_cast<float>(n_centres));
      weights.push_back(static_cast<float>(k % 5) - 2);
    }
    for (float d = 0.125F; d < 5; d += 0.25F) {
      constexpr double h = 1e-6;
      const double expected =
          (loss(static_cast<double>(d) + h, centres, weights) - loss(static_cast<double>(d) - h, centres, weights)) /
          (2 * h);
      EXPECT_NEAR(static_cast<double>(gradient({d}, centres, weights)[0]), expected, 2e-5) << d << " of " << n_centres;
    }
  }
}

TEST_P(Radial, AcceptsUnalignedArrays) {
  const Stream stream = Stream::on(GetParam());
  const Buffer<float> d(stream, Floats(1000, 1)), c(stream, Floats(20, 1));
  for (std::size_t shift = 0; shift < 4; ++shift) {
    Buffer<float> out(stream, Floats(20008, -1));
    radial(stream, d, {c, 16, 5}, out.span().subspan(shift, 20000));
    Floats result(20008);
    out.copy_to(result);
    for (std::size_t i = 0; i < result.size(); ++i)
      ASSERT_NEAR(result[i], i < shift || i >= shift + 20000 ? -1 : 0.904508497F, 1e-6) << i << " at " << shift;
  }
}

TEST_P(Radial, RejectsMismatchedAndOverlappingArguments) {
  const Stream stream = Stream::on(GetParam());
  Buffer<float> d(stream, Floats(8, 1)), c(stream, Floats(4, 1)), out(stream, 32);
  const auto refuses = [&](const char* message, const auto& call) {
    expect_error(ErrorCode::bad_argument, message, call);
  };
  refuses("out should have 32 elements, has 31", [&] { radial(stream, d, {c, 16, 5}, out.span().first(31)); });
  refuses("functions.cutoff must be more than 0", [&] { radial(stream, d, {c, 16, 0}, out.span()); });
  refuses("functions.gamma must be 0 or more", [&] { radial(stream, d, {c, -1, 5}, out.span()); });
  refuses("out overlaps an input", [&] { radial(stream, out.span().first(8), {c, 16, 5}, out.span()); });
  refuses("gradient should have 8 elements, has 7", [&] {
    radial_gradient(stream, d, {c, 16, 5}, out, d.span().first(7));
  });
  refuses("out_gradient should have 32", [&] { radial_gradient(stream, d, {c, 16, 5}, d, c.span()); });
  radial(stream, {}, {c, 16, 5}, {});
  radial(stream, d, {{}, 16, 5}, {});
  radial_gradient(stream, d, {{}, 16, 5}, {}, out.span().first(8));
  Floats zeros(32, 1);
  out.copy_to(zeros);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(zeros[static_cast<std::size_t>(i)], 0);  // an empty sum
}

INSTANTIATE_TEST_SUITE_P(Devices, Radial, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

// ---- The op's sample for the tests of streams ----
/// Distances of 1 and centres at 0: all functions are exp(-value), times 1/2 from the cutoff's cosine.
class RadialSample final : public OpSample {
 public:
  RadialSample(const Stream& stream, std::int64_t, int value)
      : value_(static_cast<float>(value)),
        distances_(stream, filled(n_edges, 1.F)),
        centres_(stream, filled(n_centres, 0.F)),
        out_(stream, n_edges * n_centres),
        gradient_(stream, n_edges) {}
  void enqueue(const Stream& stream) override {
    const RadialGaussians functions{centres_, value_, 2};
    radial(stream, distances_, functions, out_.span());
    radial_gradient(stream, distances_, functions, out_, gradient_.span());
  }
  void check() override {
    const float gaussian = std::exp(-value_);
    for (const float cell : take(out_)) ASSERT_NEAR(cell, gaussian / 2, 1e-6F);
    for (const float cell : take(gradient_))
      ASSERT_NEAR(cell, -n_centres * gaussian * gaussian / 2 * (0.785398163F + value_), 1e-5F);
  }

 private:
  static constexpr int n_edges = 300, n_centres = 20;
  float value_;
  Buffer<float> distances_, centres_, out_, gradient_;
};
const RegisterOp<RadialSample> radial_sample;

}  // namespace
}  // namespace rafter

// The physics of HeatSolver on every device present: waves decay with the stated order of accuracy, the total heat is
// conserved, and all directions are equivalent.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <string>

#include "heat_fields.hpp"

namespace rafter {
namespace {

class HeatAccuracy : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }
};

constexpr double two_pi = 2 * std::numbers::pi;

/// A torus with sides of length 1, and waves on it.
struct Torus {
  GridShape shape;
  int order;
  double alpha = 0.75;

  HeatProblem problem(double dt) const {
    const auto [nz, ny, nx] = shape;
    return {.shape = shape,
            .spacing = {1. / static_cast<double>(nz), 1. / static_cast<double>(ny), 1. / static_cast<double>(nx)},
            .alpha = alpha,
            .order = order,
            .dt = dt};
  }

  /// Returns a product of sines, one wave along z and y, two along x: it decays at the rate alpha * 6 * (2 pi)^2.
  std::vector<double> wave() const {
    return field_of<double>(shape, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
      const auto sine = [](std::int64_t i, std::int64_t n, double waves) {
        return std::sin(two_pi * waves * static_cast<double>(i) / static_cast<double>(n) + 0.3);
      };
      return sine(z, shape.nz, 1) * sine(y, shape.ny, 1) * sine(x, shape.nx, 2);
    });
  }
  double rate() const { return alpha * 6 * two_pi * two_pi; }

  /// Returns the largest error of `n_steps` steps to a time, compared with a decay at `decay_rate`.
  double error(Device device, double time, std::int64_t n_steps, double decay_rate) const {
    const Stream stream = Stream::on(device);
    std::vector<double> expected = wave();
    const auto result =
        solved(stream, problem(time / static_cast<double>(n_steps)), HeatBoundary::periodic, n_steps, expected);
    for (double& value : expected) value *= std::exp(-decay_rate * time);
    return largest_difference(result, expected);
  }
};

TEST_P(HeatAccuracy, HasItsOrderInSpace) {
  for (const int order : {2, 4, 6, 8}) {
    const Torus coarse{{10, 10, 20}, order};
    const Torus fine{{20, 20, 40}, order};
    const double time = 0.1 / coarse.rate();  // in steps so short that only the error in space counts
    const double observed =
        std::log2(coarse.error(GetParam(), time, 12, coarse.rate()) / fine.error(GetParam(), time, 12, fine.rate()));
    EXPECT_NEAR(observed, order, 0.3);
  }
}

TEST_P(HeatAccuracy, HasOrderFourInTime) {
  // Compared with the exact decay of the wave under differences of order 2, so that only the error of the steps counts.
  const Torus torus{{8, 9, 14}, 2};
  const auto second_difference = [](double n, double waves) { return n * n * (2 * std::cos(two_pi * waves / n) - 2); };
  const double rate = -torus.alpha * (second_difference(8, 1) + second_difference(9, 1) + second_difference(14, 2));
  const double time = 2 / rate;
  const double observed = std::log2(torus.error(GetParam(), time, 6, rate) / torus.error(GetParam(), time, 12, rate));
  EXPECT_NEAR(observed, 4, 0.3);
}

TEST_P(HeatAccuracy, ConservesHeatWithPeriodicAndZeroFluxBoundaries) {
  const Stream stream = Stream::on(GetParam());
  for (const int order : {2, 4, 6, 8}) {
    for (const HeatBoundary boundary : {HeatBoundary::periodic, HeatBoundary::zero_flux}) {
      const HeatProblem problem{.shape = {13, 17, 30}, .spacing = {1, 0.8, 1.1}, .order = order};
      const auto field = field_of<double>(problem.shape, [](auto... at) { return 2 + noise(at...); });
      HeatSolver<double> solver(stream, problem, boundary);
      solver.set_field(field);
      const double before = solver.summary().total;
      solver.advance(25);
      EXPECT_NEAR(solver.summary().total / before, 1, 1e-14) << order;
      HeatSolver<float> rounded(stream, problem, boundary);
      rounded.set_field(std::vector<float>(field.begin(), field.end()));
      rounded.advance(25);
      EXPECT_NEAR(rounded.summary().total / before, 1, 1e-6) << order;
    }
  }
}

TEST_P(HeatAccuracy, TreatsAllDirectionsEqually) {
  const Stream stream = Stream::on(GetParam());
  for (const HeatBoundary boundary : {HeatBoundary::frozen, HeatBoundary::zero_flux}) {
    const HeatProblem problem{.shape = {21, 26, 34}, .spacing = {0.9, 1.2, 0.6}};
    const auto [nz, ny, nx] = problem.shape;
    const auto at = [&, ny = ny, nx = nx](const auto& field, std::int64_t z, std::int64_t y, std::int64_t x) {
      return field[static_cast<std::size_t>((z * ny + y) * nx + x)];
    };
    const auto start = noise_field<double>(problem.shape);
    const auto result = solved(stream, problem, boundary, 6, start);

    const auto mirror = [&, nz = nz, ny = ny, nx = nx](const auto& field) {
      return field_of<double>(problem.shape, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
        return at(field, nz - 1 - z, ny - 1 - y, nx - 1 - x);
      });
    };
    EXPECT_LE(largest_difference(mirror(result), solved(stream, problem, boundary, 6, mirror(start))), 1e-14);

    HeatProblem rotated = problem;  // x becomes z, z becomes y, y becomes x
    rotated.shape = {nx, nz, ny};
    rotated.spacing = {0.6, 0.9, 1.2};
    const auto turn = [&](const auto& field) {
      return field_of<double>(rotated.shape,
                              [&](std::int64_t x, std::int64_t z, std::int64_t y) { return at(field, z, y, x); });
    };
    EXPECT_LE(largest_difference(turn(result), solved(stream, rotated, boundary, 6, turn(start))), 1e-14);
  }
}

TEST_P(HeatAccuracy, SmoothsWithoutOvershooting) {
  const Stream stream = Stream::on(GetParam());
  for (const HeatBoundary boundary : {HeatBoundary::frozen, HeatBoundary::periodic, HeatBoundary::zero_flux}) {
    const HeatProblem problem{.shape = {24, 28, 32}, .spacing = {1, 1, 1}};
    HeatSolver<float> solver(stream, problem, boundary);
    solver.set_field(field_of<float>(problem.shape, [](std::int64_t z, std::int64_t y, std::int64_t x) {
      const auto square = [](std::int64_t i) { return static_cast<double>(i * i); };
      return std::exp(-(square(z - 12) + square(y - 14) + square(x - 16)) / 18);
    }));
    double max = solver.summary().max;
    for (int i = 0; i < 5; ++i) {
      solver.advance(20);
      const HeatSummary summary = solver.summary();
      EXPECT_LT(summary.max, max);
      EXPECT_GT(summary.min, -1e-6);
      max = summary.max;
    }
  }
}

TEST_P(HeatAccuracy, StaysCloseToFloat64InFloat32) {
  const Stream stream = Stream::on(GetParam());
  for (const int order : {2, 4, 6, 8}) {
    for (const GridShape& shape : {GridShape{15, 23, 77}, {31, 10, 9}, {9, 40, 101}}) {
      const HeatProblem problem{.shape = shape, .spacing = {1.5, 0.6, 0.9}, .alpha = 0.3, .order = order};
      const auto exact = advanced(stream, problem, 10, noise_field<double>(shape));
      const auto rounded = advanced(stream, problem, 10, noise_field<float>(shape));
      EXPECT_LE(largest_difference(std::vector<double>(rounded.begin(), rounded.end()), exact), 1e-6) << order;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, HeatAccuracy, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

}  // namespace
}  // namespace rafter

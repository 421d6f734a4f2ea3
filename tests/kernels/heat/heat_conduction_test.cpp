// ConductionSolver compared with known solutions on every device present: values and fluxes at faces, sources,
// diffusivities, grids of one and two axes; each with the stated order of accuracy.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "heat_rods.hpp"

namespace rafter {
namespace {

using Kind = HeatFace::Kind;

class Conduction : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }
};

/// Returns a solver's field after n_steps steps.
template <class T>
std::vector<T> conducted(ConductionSolver<T>& solver, const std::vector<T>& start, std::int64_t n_steps) {
  solver.set_field(start);
  solver.advance(n_steps);
  std::vector<T> result(start.size());
  solver.field(result);
  return result;
}

// ---- One axis: solutions in closed form ----

/// A rod of length 1 and its solution u(x, t).
struct Rod {
  HeatFaces faces;
  std::function<double(double, double)> u;

  double error(Device device, int order, std::int64_t n, double alpha, double time) const {
    const HeatProblem problem{.shape = {1, 1, n},
                              .spacing = {0.01, 7, 1. / static_cast<double>(n)},
                              .alpha = alpha,
                              .order = order,
                              .dt = time / 400};
    ConductionSolver<double> solver(Stream::on(device), problem, faces);
    const auto at = [&](double t) {
      return field_of<double>(problem.shape, [&](auto, auto, std::int64_t i) {
        return u((static_cast<double>(i) + 0.5) / static_cast<double>(n), t);
      });
    };
    return largest_difference(conducted(solver, at(0), 400), at(time));
  }
};

constexpr double rod_alpha = 0.8;

/// A rod with ends at 3 and 5; a sine decays between them.
Rod rod_of_values() {
  return {with_x({Kind::value, 3}, {Kind::value, 5}),
          [](double x, double t) { return 3 + 2 * x + std::sin(2 * pi * x) * std::exp(-rod_alpha * 4 * pi * pi * t); }};
}
/// A rod with heat flowing in at both ends: it warms uniformly, and a cosine decays.
Rod rod_of_fluxes() {
  return {with_x({Kind::flux, 1.6}, {Kind::flux, 0.4}), [](double x, double t) {
            const double low = 1.6 / rod_alpha, high = 0.4 / rod_alpha;  // slopes, outwards
            return -low * x + (low + high) / 2 * x * x + rod_alpha * (low + high) * t +
                   std::cos(2 * pi * x) * std::exp(-rod_alpha * 4 * pi * pi * t);
          }};
}
/// A rod with a value at one end and heat flowing out at the other.
Rod rod_of_both() {
  return {with_x({Kind::value, 1}, {Kind::flux, -0.4}), [](double x, double t) {
            return 1 - 0.5 * x + std::sin(2.5 * pi * x) * std::exp(-rod_alpha * 6.25 * pi * pi * t);
          }};
}

TEST_P(Conduction, HasItsOrderNearValuesAndFluxes) {
  for (const Rod& rod : {rod_of_values(), rod_of_fluxes(), rod_of_both()}) {
    for (const int order : {2, 4, 6, 8}) {
      const double coarse = rod.error(GetParam(), order, 16, rod_alpha, 0.01);
      const double fine = rod.error(GetParam(), order, 32, rod_alpha, 0.01);
      EXPECT_NEAR(std::log2(coarse / fine), order, 0.35) << order << ": " << coarse << ", " << fine;
    }
  }
}

// A uniform source between ends kept at 0: a parabola. Its mirror image does not continue it, which leaves order 2.
TEST_P(Conduction, HasOrderTwoNearASource) {
  for (const int order : {2, 8}) {
    const auto error = [&](std::int64_t n) {
      const double h = 1. / static_cast<double>(n);
      HeatFaces faces = box;
      faces.low[1] = faces.high[1] = {Kind::value, 0};
      HeatProblem problem{.shape = {1, n, 1}, .spacing = {1, h, 1}, .alpha = 0.5, .order = order};
      problem.dt = 0.9 * conduction_largest_dt(problem, faces);
      ConductionSolver<double> solver(Stream::on(GetParam()), problem, faces);
      solver.set_source(std::vector<double>(static_cast<std::size_t>(n), 3.));
      const auto expected = field_of<double>(problem.shape, [&](auto, std::int64_t i, auto) {
        const double y = (static_cast<double>(i) + 0.5) * h;
        return 3 / (2 * 0.5) * y * (1 - y);
      });
      const auto n_steps = static_cast<std::int64_t>(2.5 / problem.dt);  // transients decay by e^-12
      return largest_difference(conducted(solver, expected, n_steps), expected);
    };
    const double coarse = error(8), fine = error(16);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2) << order << ": " << coarse << ", " << fine;
  }
}

// A layer of poor and one of good conductor: the steady flow through both is a broken line, exactly.
TEST_P(Conduction, KeepsTheSteadyFlowThroughLayers) {
  const std::int64_t n = 12;
  const double poor = 0.02, good = 1.5, drop = 10;
  const HeatProblem problem{.shape = {1, 1, n}, .spacing = {1, 1, 0.25}, .alpha = good, .order = 2};
  ConductionSolver<double> solver(Stream::on(GetParam()), problem, with_x({Kind::value, drop}, {Kind::value, 0}));
  const auto diffusivity =
      field_of<double>(problem.shape, [&](auto, auto, std::int64_t i) { return i < 5 ? poor : good; });
  solver.set_diffusivity(diffusivity);
  const double flux = drop / (5 * 0.25 / poor + 7 * 0.25 / good);
  const auto steady = field_of<double>(problem.shape, [&](auto, auto, std::int64_t i) {
    const double x = (static_cast<double>(i) + 0.5) * 0.25;
    return i < 5 ? drop - flux / poor * x : flux / good * (n * 0.25 - x);
  });
  EXPECT_LT(largest_difference(conducted(solver, steady, 500), steady), 1e-12);
}

// ---- Two axes: a manufactured solution ----

/// u(y, x) on the unit square, where the diffusivity is 1 + y/2 + sin(2x)/4: steady with the matching source.
struct Manufactured {
  static double u(double y, double x) { return std::sin(2 * x + 1) * std::exp(-y) + x * y; }
  static double alpha(double y, double x) { return 1 + 0.5 * y + 0.25 * std::sin(2 * x); }
  static double u_x(double y, double x) { return 2 * std::cos(2 * x + 1) * std::exp(-y) + y; }
  static double u_y(double y, double x) { return -std::sin(2 * x + 1) * std::exp(-y) + x; }
  /// Returns -div(alpha grad u).
  static double source(double y, double x) {
    const double u_xx = -4 * std::sin(2 * x + 1) * std::exp(-y);
    const double u_yy = std::sin(2 * x + 1) * std::exp(-y);
    const double alpha_x = 0.5 * std::cos(2 * x), alpha_y = 0.5;
    return -(alpha_x * u_x(y, x) + alpha_y * u_y(y, x) + alpha(y, x) * (u_xx + u_yy));
  }
};

/// A square with frozen cells that hold the solution along the faces, where it is not constant.
double manufactured_error(Device device, std::int64_t n) {
  const double h = 1. / static_cast<double>(n);
  HeatProblem problem{.shape = {1, n, n}, .spacing = {1, h, h}, .alpha = 1.75, .order = 2};
  problem.dt = 0.9 * conduction_largest_dt(problem, heat_faces(HeatBoundary::frozen));
  ConductionSolver<double> solver(Stream::on(device), problem, heat_faces(HeatBoundary::frozen));
  const auto in_cells = [&](const auto& f) {
    return field_of<double>(problem.shape, [&](auto, std::int64_t y, std::int64_t x) {
      return f((static_cast<double>(y) + 0.5) * h, (static_cast<double>(x) + 0.5) * h);
    });
  };
  solver.set_diffusivity(in_cells(Manufactured::alpha));
  solver.set_source(in_cells(Manufactured::source));
  const auto expected = in_cells(Manufactured::u);
  return largest_difference(conducted(solver, expected, static_cast<std::int64_t>(1 / problem.dt)), expected);
}

TEST_P(Conduction, HasOrderTwoWithDiffusivitiesAndASource) {
  const double coarse = manufactured_error(GetParam(), 8), fine = manufactured_error(GetParam(), 16);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3) << coarse << ", " << fine;
  EXPECT_LT(fine, 1e-3);
}

// A rod whose diffusivity is 1 + x, with a source of 2: (1 + x) u' = 2 - 2 x.
TEST_P(Conduction, HasOrderTwoWithDiffusivitiesNearValuesAndFluxes) {
  const auto u = [](double x) { return 1 + 4 * std::log(1 + x) - 2 * x; };
  const HeatFace value_low{Kind::value, u(0)}, value_high{Kind::value, u(1)};
  const HeatFace flux_low{Kind::flux, -2}, flux_high{Kind::flux, 0};
  for (const HeatFaces& faces :
       {with_x(value_low, value_high), with_x(value_low, flux_high), with_x(flux_low, value_high)}) {
    const auto error = [&](std::int64_t n) {
      const double h = 1. / static_cast<double>(n);
      HeatProblem problem{.shape = {1, 1, n}, .spacing = {1, 1, h}, .alpha = 2, .order = 2};
      problem.dt = 0.9 * conduction_largest_dt(problem, faces);
      ConductionSolver<double> solver(Stream::on(GetParam()), problem, faces);
      const auto in_cells = [&](const auto& f) {
        return field_of<double>(problem.shape,
                                [&](auto, auto, std::int64_t i) { return f((static_cast<double>(i) + 0.5) * h); });
      };
      solver.set_diffusivity(in_cells([](double x) { return 1 + x; }));
      solver.set_source(std::vector<double>(static_cast<std::size_t>(n), 2.));
      return largest_difference(conducted(solver, in_cells(u), static_cast<std::int64_t>(4 / problem.dt)), in_cells(u));
    };
    const double coarse = error(8), fine = error(16);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.35) << coarse << ", " << fine;
  }
}

// ---- The balance of heat ----

TEST_P(Conduction, GainsTheHeatOfSourcesAndFluxes) {
  const HeatProblem problem{.shape = {6, 9, 14}, .spacing = {1, 0.8, 1.1}, .alpha = 2, .order = 2};
  const HeatFaces faces{{HeatFace{Kind::flux, 0.5}, {Kind::periodic}, {Kind::flux, -0.25}},
                        {HeatFace{Kind::flux, 1}, {Kind::periodic}, {Kind::flux, 2}}};
  const auto diffusivity = field_of<double>(problem.shape, [](auto... at) { return 1 + noise(at...); });
  const auto source = noise_field<double>(problem.shape);
  const double volume = 1 * 0.8 * 1.1, across_z = 9 * 0.8 * 14 * 1.1, across_x = 6 * 1 * 9 * 0.8;
  double rate = (0.5 + 1) * across_z + (2 - 0.25) * across_x;
  for (const double cell : source) rate += cell * volume;
  for (const bool varies : {false, true}) {
    for (const int order : varies ? std::vector{2} : std::vector{2, 4, 6, 8}) {
      HeatProblem of_order = problem;
      of_order.order = order;
      ConductionSolver<double> solver(Stream::on(GetParam()), of_order, faces);
      if (varies) solver.set_diffusivity(diffusivity);
      solver.set_source(source);
      solver.set_field(field_of<double>(problem.shape, [](auto... at) { return 2 + noise(at...); }));
      const double before = solver.summary().total;
      solver.advance(30);
      EXPECT_NEAR((solver.summary().total - before) / (rate * solver.time()), 1, 1e-11) << order << varies;
    }
  }
}

// ---- Plain cases, and grids of fewer axes ----

TEST_P(Conduction, EqualsHeatSolverInPlainCases) {
  const Stream stream = Stream::on(GetParam());
  for (const int order : {2, 4, 6, 8}) {
    for (const HeatBoundary boundary : {HeatBoundary::frozen, HeatBoundary::periodic, HeatBoundary::zero_flux}) {
      const HeatProblem problem{.shape = {11, 10, 13}, .spacing = {1, 0.8, 1.3}, .alpha = 1.5, .order = order};
      const auto start = noise_field<double>(problem.shape);
      ConductionSolver<double> solver(stream, problem, heat_faces(boundary));
      EXPECT_EQ(solver.problem().dt, heat_default_dt(problem));
      EXPECT_LT(largest_difference(conducted(solver, start, 7), solved(stream, problem, boundary, 7, start)), 1e-14);
    }
  }
}

// A flat grid is a layer of a thick one in which all layers are equal.
TEST_P(Conduction, SolvesFlatGridsLikeLayersOfThickOnes) {
  const Stream stream = Stream::on(GetParam());
  HeatProblem flat{.shape = {1, 12, 15}, .spacing = {0.001, 0.8, 1.3}, .alpha = 1.5};
  flat.dt = conduction_default_dt(flat, box);
  EXPECT_EQ(flat.dt, 0.05 / (1.5 * (1 / (0.8 * 0.8) + 1 / (1.3 * 1.3))));
  HeatProblem thick = flat;
  thick.shape.nz = 5;
  thick.spacing.z = 4;
  for (const HeatBoundary boundary : {HeatBoundary::frozen, HeatBoundary::periodic, HeatBoundary::zero_flux}) {
    HeatFaces faces = heat_faces(boundary);
    ConductionSolver<double> plate(stream, flat, faces);
    faces.low[0] = faces.high[0] = insulated;
    ConductionSolver<double> block(stream, thick, faces);
    const auto layer = [](auto, std::int64_t y, std::int64_t x) { return noise(0, y, x); };
    const auto in_plate = conducted(plate, field_of<double>(flat.shape, layer), 9);
    const auto in_block = conducted(block, field_of<double>(thick.shape, layer), 9);
    const auto third = in_block.begin() + 2 * 12 * 15;
    EXPECT_LT(largest_difference(in_plate, std::vector<double>(third, third + 12 * 15)), 1e-14);
  }
}

// Heat through the faces of a plate: the axis has a single layer.
TEST_P(Conduction, WarmsAPlateThroughItsSides) {
  const HeatProblem problem{.shape = {1, 3, 4}, .spacing = {0.5, 1, 1}, .order = 4};
  HeatFaces faces = box;
  faces.low[0] = {Kind::flux, 2};
  ConductionSolver<float> solver(Stream::on(GetParam()), problem, faces);
  const auto after = conducted(solver, std::vector<float>(12, 1.f), 20);
  for (const float value : after) EXPECT_NEAR(value, 1 + 2 / 0.5 * solver.time(), 1e-5);
}

TEST_P(Conduction, GivesTheSameBitsForAnyDivisionOfStepsAndRows) {
  const HeatProblem problem{.shape = {5, 9, 21}, .spacing = {1, 0.8, 1.3}, .order = 2};
  const auto start = noise_field<float>(problem.shape);
  const auto steps = [&](const Stream& stream, std::initializer_list<std::int64_t> parts) {
    ConductionSolver<float> solver(stream, problem, with_x({Kind::value, 1}, {Kind::flux, 2}));
    solver.set_diffusivity(field_of<float>(problem.shape, [](auto... at) { return 0.5 + noise(at...) / 2; }));
    solver.set_source(start);
    solver.set_field(start);
    for (const std::int64_t n : parts) solver.advance(n);
    std::vector<float> result(start.size());
    solver.field(result);
    return result;
  };
  const Stream stream = Stream::on(GetParam());
  EXPECT_EQ(steps(stream, {7}), steps(stream, {3, 0, 4}));
  if (GetParam() == Device::cpu) {
    EXPECT_EQ(steps(Stream::cpu(1), {7}), steps(Stream::cpu(3), {7}));
  }
}

// ---- Rejected problems ----

TEST_P(Conduction, RejectsInvalidProblems) {
  const Stream stream = Stream::on(GetParam());
  const HeatProblem problem{.shape = {1, 6, 7}, .order = 2};
  const auto solver = [&](const HeatProblem& p, const HeatFaces& faces) { ConductionSolver<float>(stream, p, faces); };
  EXPECT_NE(refusal([&] { solver(problem, with_x({Kind::periodic}, insulated)); }).find("periodic"), std::string::npos);
  EXPECT_NE(refusal([&] { solver(problem, with_x({Kind::value, NAN}, insulated)); }).find("finite"), std::string::npos);
  HeatProblem order8 = problem;
  order8.order = 8;
  EXPECT_NE(refusal([&] { solver(order8, heat_faces(HeatBoundary::frozen)); }).find("at least 9 cells along y"),
            std::string::npos);
  HeatProblem fast = problem;
  fast.dt = 1;
  EXPECT_NE(refusal([&] { solver(fast, box); }).find("unstable"), std::string::npos);

  ConductionSolver<float> good(stream, problem, box);
  std::vector<float> cells(6 * 7, 0.5f);
  cells[7 * 4 + 2] = NAN;
  EXPECT_NE(refusal([&] { good.set_source(cells); }).find("nan in cell (0, 4, 2)"), std::string::npos);
  cells[7 * 4 + 2] = 1.5f;
  EXPECT_NE(refusal([&] { good.set_diffusivity(cells); }).find("1.500000 in cell (0, 4, 2)"), std::string::npos);
  cells[7 * 4 + 2] = -1;
  EXPECT_NE(refusal([&] { good.set_diffusivity(cells); }).find("from 0 to"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Devices, Conduction, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

}  // namespace
}  // namespace rafter

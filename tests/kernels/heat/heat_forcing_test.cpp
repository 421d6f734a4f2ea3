// ConductionSolver with Robin faces, quantities that change with time, heat capacities, and diffusivities of an order
// above 2, compared with known solutions on every device present; each with the stated order of accuracy.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "heat_rods.hpp"

namespace rafter::heat_forcing {
namespace {

using Kind = HeatFace::Kind;

class Forcing : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }
};

/// A function of the position on a rod of length 1, or of the position and the time.
using OfRod = std::function<double(double)>;
using OfRodAndTime = std::function<double(double, double)>;

/// A rod of length 1 and its solution u(x, t). Functions that are not set have no effect.
struct Rod {
  HeatFaces faces;
  OfRodAndTime u;
  double alpha = 1;     // the largest diffusivity
  OfRod low{}, high{};  // amounts of faces over time
  OfRodAndTime source{};
  OfRod diffusivity{}, capacity{};

  /// Returns the largest error after `time`, in `n_steps` steps.
  double error(Device device, int order, std::int64_t n, double time, std::int64_t n_steps) const {
    const HeatProblem problem{.shape = {1, 1, n},
                              .spacing = {1, 1, 1. / static_cast<double>(n)},
                              .alpha = alpha,
                              .order = order,
                              .dt = time / static_cast<double>(n_steps)};
    ConductionSolver<double> solver(Stream::on(device), problem, faces);
    const auto in_cells = [&](const OfRod& f) {
      return field_of<double>(problem.shape, [&](auto, auto, std::int64_t i) {
        return f((static_cast<double>(i) + 0.5) / static_cast<double>(n));
      });
    };
    const auto of_time = [](const OfRod& f) { return [f](double t, std::span<double> amounts) { amounts[0] = f(t); }; };
    if (low) solver.set_face(2, GridSide::low, of_time(low));
    if (high) solver.set_face(2, GridSide::high, of_time(high));
    if (capacity) solver.set_capacity(in_cells(capacity));
    if (diffusivity) solver.set_diffusivity(in_cells(diffusivity));
    if (source) {
      solver.set_source([&](double t, std::span<double> cells) {
        const auto now = in_cells([&](double x) { return source(x, t); });
        std::copy(now.begin(), now.end(), cells.begin());
      });
    }
    solver.set_field(in_cells([&](double x) { return u(x, 0); }));
    solver.advance(n_steps);
    std::vector<double> result(static_cast<std::size_t>(n));
    solver.field(result);
    return largest_difference(result, in_cells([&](double x) { return u(x, time); }));
  }

  /// Returns the order of accuracy between n and 2 n cells.
  double observed(Device device, int order, std::int64_t n, double time, std::int64_t n_steps) const {
    return std::log2(error(device, order, n, time, n_steps) / error(device, order, 2 * n, time, n_steps));
  }
};

// ---- Robin faces ----

/// A rod that loses heat to surroundings of 3 at one end: cos(mu x) decays, where mu tan(mu) is the Biot number.
Rod rod_of_exchange(double exchange) {
  const double alpha = 0.8, biot = exchange / alpha;
  double mu = 0, end = pi / 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = (mu + end) / 2;
    (middle * std::tan(middle) < biot ? mu : end) = middle;
  }
  return {with_x(insulated, {Kind::robin, 3, exchange}),
          [=](double x, double t) { return 3 + std::cos(mu * x) * std::exp(-alpha * mu * mu * t); }, alpha};
}

TEST_P(Forcing, HasOrderTwoAtARobinFace) {
  for (const double exchange : {0.05, 1., 40.}) {
    for (const int order : {2, 4, 8}) {
      const Rod rod = rod_of_exchange(exchange);
      if (exchange < 10) {  // else the error is at first that between two values, which is smaller
        EXPECT_NEAR(rod.observed(GetParam(), order, 20, 0.4, 1300), 2, 0.25) << exchange << " " << order;
      }
      EXPECT_LT(rod.error(GetParam(), order, 40, 0.4, 1300), 1e-3) << exchange << " " << order;
    }
  }
}

// Two layers between a value and surroundings: the steady flow is that through three resistances in series.
TEST_P(Forcing, KeepsTheSteadyFlowThroughLayersToARobinFace) {
  const double poor = 0.02, good = 1.5, drop = 10, exchange = 0.4, h = 0.25;
  const HeatProblem problem{.shape = {1, 1, 12}, .spacing = {1, 1, h}, .alpha = good, .order = 2};
  ConductionSolver<double> solver(Stream::on(GetParam()), problem,
                                  with_x({Kind::value, drop}, {Kind::robin, 0, exchange}));
  solver.set_diffusivity(
      field_of<double>(problem.shape, [&](auto, auto, std::int64_t i) { return i < 5 ? poor : good; }));
  const double flux = drop / (5 * h / poor + 7 * h / good + 1 / exchange);
  const auto steady = field_of<double>(problem.shape, [&](auto, auto, std::int64_t i) {
    const double x = (static_cast<double>(i) + 0.5) * h;
    return i < 5 ? drop - flux / poor * x : flux / exchange + flux / good * (12 * h - x);
  });
  solver.set_field(steady);
  solver.advance(500);
  std::vector<double> after(steady.size());
  solver.field(after);
  EXPECT_LT(largest_difference(after, steady), 1e-12);
}

// ---- Faces and sources that change with time ----

/// A thermal wave into a half space whose surface oscillates, as in Stokes' second problem; the rod is its first part.
struct Wave {
  double alpha = 0.3, omega = 5;
  double k = std::sqrt(omega / (2 * alpha));
  double u(double x, double t) const { return std::exp(-k * x) * std::cos(omega * t - k * x); }
  double u_x(double x, double t) const {
    return -k * std::exp(-k * x) * (std::cos(omega * t - k * x) - std::sin(omega * t - k * x));
  }
};

TEST_P(Forcing, HasOrderTwoAtFacesThatChangeWithTime) {
  const Wave wave;
  const auto u = [=](double x, double t) { return wave.u(x, t); };
  const auto value_at = [=](double x) { return [=](double t) { return wave.u(x, t); }; };
  const Rod of_values{with_x({Kind::value, 1}, {Kind::value, 1}), u, wave.alpha, value_at(0), value_at(1)};
  const Rod of_fluxes{with_x({Kind::flux, 1}, {Kind::flux, 1}), u, wave.alpha,
                      [=](double t) { return -wave.alpha * wave.u_x(0, t); },
                      [=](double t) { return wave.alpha * wave.u_x(1, t); }};
  const double exchange = 0.7;
  const Rod of_exchange{with_x({Kind::robin, 1, exchange}, {Kind::value, 1}), u, wave.alpha,
                        [=](double t) { return wave.u(0, t) - wave.alpha / exchange * wave.u_x(0, t); }, value_at(1)};
  for (const int order : {2, 6}) {
    for (const Rod& rod : {of_values, of_fluxes, of_exchange}) {
      EXPECT_NEAR(rod.observed(GetParam(), order, 20, 1.3, 4000), 2, 0.3) << order;
      EXPECT_LT(rod.error(GetParam(), order, 40, 1.3, 4000), 2e-3) << order;
    }
  }
}

// A cosine that is driven by a source; it continues as its mirror image, so the order is that of the differences.
TEST_P(Forcing, HasItsOrderWithASourceThatChangesWithTime) {
  const double alpha = 0.1;
  const Rod rod{box,
                [](double x, double t) { return std::cos(2 * pi * x) * (1 + std::sin(3 * t)); },
                alpha,
                {},
                {},
                [=](double x, double t) {
                  return std::cos(2 * pi * x) * (3 * std::cos(3 * t) + alpha * 4 * pi * pi * (1 + std::sin(3 * t)));
                }};
  for (const int order : {2, 4, 6, 8}) EXPECT_NEAR(rod.observed(GetParam(), order, 12, 0.5, 1200), order, 0.4) << order;
}

// With few cells the error in space cancels: order 4 in time, like classical RK4.
TEST_P(Forcing, HasOrderFourInTime) {
  const auto after = [&](std::int64_t n_steps) {
    const HeatProblem problem{.shape = {1, 1, 5}, .alpha = 1, .order = 2, .dt = 2. / static_cast<double>(n_steps)};
    ConductionSolver<double> solver(Stream::on(GetParam()), problem, with_x({Kind::value, 1}, {Kind::robin, 1, 0.5}));
    solver.set_face(2, GridSide::low, [](double t, std::span<double> amounts) { amounts[0] = std::sin(2 * t); });
    solver.set_face(2, GridSide::high, [](double t, std::span<double> amounts) { amounts[0] = std::cos(3 * t); });
    solver.set_source([](double t, std::span<double> cells) {
      for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = std::exp(-t) * static_cast<double>(i);
    });
    solver.advance(n_steps);
    std::vector<double> result(5);
    solver.field(result);
    return result;
  };
  const auto exact = after(2048);
  const double coarse = largest_difference(after(40), exact), fine = largest_difference(after(80), exact);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3) << coarse << ", " << fine;
}

// Values that differ over the faces of a block: a harmonic function is steady.
TEST_P(Forcing, TakesAmountsOfSingleCellsOfFaces) {
  const auto error = [&](std::int64_t n) {
    const double h = 1. / static_cast<double>(n);
    const HeatFace value{Kind::value, 1};
    const HeatFaces faces{{value, value, value}, {value, value, value}};
    HeatProblem problem{.shape = {n, n, n}, .spacing = {h, h, h}, .order = 2};
    problem.dt = 0.9 * conduction_largest_dt(problem, faces);
    const auto u = [](double z, double y, double x) { return x * y + std::exp(z) * std::sin(x) + x * x - y * y; };
    ConductionSolver<double> solver(Stream::on(GetParam()), problem, faces);
    const auto centre = [&](std::int64_t i) { return (static_cast<double>(i) + 0.5) * h; };
    for (const GridSide side : {GridSide::low, GridSide::high}) {
      const double end = side == GridSide::low ? 0 : 1;
      for (int axis = 0; axis < 3; ++axis) {
        solver.set_face(axis, side, [=](double, std::span<double> amounts) {
          for (std::int64_t i = 0; i < n * n; ++i) {
            const double a = centre(i / n), b = centre(i % n);
            amounts[static_cast<std::size_t>(i)] = axis == 0 ? u(end, a, b) : axis == 1 ? u(a, end, b) : u(a, b, end);
          }
        });
      }
    }
    const auto expected =
        field_of<double>(problem.shape, [&](auto z, auto y, auto x) { return u(centre(z), centre(y), centre(x)); });
    solver.set_field(expected);
    solver.advance(static_cast<std::int64_t>(0.3 / problem.dt));
    std::vector<double> after(expected.size());
    solver.field(after);
    return largest_difference(after, expected);
  };
  const double coarse = error(5), fine = error(10);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.4) << coarse << ", " << fine;
  EXPECT_LT(fine, 4e-3);
}

TEST_P(Forcing, GivesTheSameBitsForAnyDivisionOfSteps) {
  const HeatProblem problem{.shape = {3, 5, 9}, .order = 4};
  const auto start = noise_field<float>(problem.shape);
  const auto steps = [&](std::initializer_list<std::int64_t> parts) {
    ConductionSolver<float> solver(Stream::on(GetParam()), problem, with_x({Kind::value, 1}, {Kind::flux, 2}));
    solver.set_face(2, GridSide::low, [](double t, std::span<float> amounts) {
      for (std::size_t i = 0; i < amounts.size(); ++i)
        amounts[i] = static_cast<float>(std::sin(t + static_cast<double>(i)));
    });
    solver.set_source(
        [](double t, std::span<float> cells) { std::fill(cells.begin(), cells.end(), static_cast<float>(t)); });
    solver.set_capacity(field_of<float>(problem.shape, [](auto... at) { return 1 + noise(at...) / 2; }));
    std::vector<float> now = start;
    std::int64_t n_done = 0;
    for (const std::int64_t n : parts) {  // as a resumed run does
      solver.set_field(now, n_done);
      solver.advance(n);
      solver.field(now);
      n_done += n;
    }
    return now;
  };
  EXPECT_EQ(steps({7}), steps({3, 0, 4}));
}

// ---- Heat capacities ----

/// A rod whose capacity is 2 + x and whose conductivity is 1 + x / 2; u decays and rises.
Rod rod_with_capacity() {
  const auto u = [](double x, double t) { return std::sin(pi * x) * std::exp(-t) + x; };
  return {with_x({Kind::value, 0}, {Kind::value, 1}),
          u,
          0.75,
          {},
          {},
          [](double x, double t) {
            const double decay = std::exp(-t);
            const double slope = pi * std::cos(pi * x) * decay + 1, curvature = -pi * pi * std::sin(pi * x) * decay;
            return -(2 + x) * std::sin(pi * x) * decay - (0.5 * slope + (1 + x / 2) * curvature);
          },
          [](double x) { return 1 + x / 2; },
          [](double x) { return 2 + x; }};
}

TEST_P(Forcing, HasOrderTwoWithCapacities) {
  const Rod rod = rod_with_capacity();
  EXPECT_NEAR(rod.observed(GetParam(), 2, 16, 0.6, 2000), 2, 0.2);
  EXPECT_LT(rod.error(GetParam(), 2, 32, 0.6, 2000), 1e-3);
}

// A uniform capacity divides the conductivity: the same field as with the diffusivity.
TEST_P(Forcing, AUniformCapacityDividesConductivityAndSource) {
  const HeatProblem problem{.shape = {1, 1, 16}, .alpha = 0.5, .order = 6, .dt = 0.1};
  const auto start = noise_field<double>(problem.shape);
  const auto after = [&](double capacity) {
    ConductionSolver<double> solver(Stream::on(GetParam()), problem,
                                    with_x({Kind::flux, 2 * capacity}, {Kind::robin, 1, 0.4 * capacity}));
    if (capacity != 1) solver.set_capacity(std::vector<double>(16, capacity));
    solver.set_source(std::vector<double>(16, 0.2 * capacity));
    solver.set_field(start);
    solver.advance(20);
    std::vector<double> result(16);
    solver.field(result);
    return result;
  };
  EXPECT_LT(largest_difference(after(3.4e6), after(1)), 1e-12);
}

TEST_P(Forcing, GainsTheHeatSuppliedToCapacities) {
  const HeatFaces faces{{HeatFace{Kind::flux, 0.5}, {Kind::periodic}, {Kind::flux, -0.25}},
                        {HeatFace{Kind::flux, 1}, {Kind::periodic}, {Kind::flux, 2}}};
  const double volume = 1 * 0.8 * 1.1, across_z = 9 * 0.8 * 14 * 1.1, across_x = 6 * 1 * 9 * 0.8;
  for (const bool varies : {false, true}) {
    for (const int order : {2, 4, 6, 8}) {
      const HeatProblem problem{.shape = {6, 9, 14}, .spacing = {1, 0.8, 1.1}, .alpha = 2, .order = order};
      ConductionSolver<double> solver(Stream::on(GetParam()), problem, faces);
      solver.set_capacity(field_of<double>(problem.shape, [](auto... at) { return 3 + noise(at...); }));
      if (varies) solver.set_diffusivity(field_of<double>(problem.shape, [](auto... at) { return 2 + noise(at...); }));
      const auto source = noise_field<double>(problem.shape);
      solver.set_source(source);
      double rate = (0.5 + 1) * across_z + (2 - 0.25) * across_x;
      for (const double cell : source) rate += cell * volume;
      solver.set_field(field_of<double>(problem.shape, [](auto... at) { return 2 + noise(at...); }));
      const double before = solver.summary().total;
      solver.advance(30);
      EXPECT_NEAR((solver.summary().total - before) / (rate * solver.time()), 1, 1e-10) << order << varies;
    }
  }
}

// ---- Diffusivities of an order above 2 ----

/// A periodic rod with the diffusivity 1 + sin(2 pi x) / 2, in which a source lets a wave decay.
Rod rod_of_smooth_diffusivity() {
  const HeatFaces faces = with_x({Kind::periodic}, {Kind::periodic});
  const double w = 2 * pi;
  return {faces,
          [=](double x, double t) { return std::sin(w * x) * std::exp(-t); },
          1.5,
          {},
          {},
          [=](double x, double t) {  // u_t - (a u')', a u' = w e^-t (cos + sin cos / 2)
            const double flow = w * w * std::exp(-t) * (-std::sin(w * x) + std::cos(2 * w * x) / 2);
            return -std::sin(w * x) * std::exp(-t) - flow;
          },
          [=](double x) { return 1 + std::sin(w * x) / 2; }};
}

TEST_P(Forcing, HasItsOrderWithSmoothDiffusivities) {
  for (const int order : {2, 4, 6, 8}) {
    const Rod rod = rod_of_smooth_diffusivity();
    EXPECT_NEAR(rod.observed(GetParam(), order, 16, 0.05, 400), order, 0.6) << order;
  }
  EXPECT_LT(rod_of_smooth_diffusivity().error(GetParam(), 8, 32, 0.05, 400), 1e-7);
}

// The same in a square with frozen faces, whose stencil of order 4 reaches over 3 cells: steady with its source.
TEST_P(Forcing, HasItsOrderWithSmoothDiffusivitiesBesideFrozenCells) {
  const auto error = [&](int order, std::int64_t n) {
    const double h = 1. / static_cast<double>(n);
    const HeatFaces faces = heat_faces(HeatBoundary::frozen);
    HeatProblem problem{.shape = {1, n, n}, .spacing = {1, h, h}, .alpha = 2, .order = order};
    problem.dt = 0.9 * conduction_largest_dt_of_diffusivities(problem, faces);
    ConductionSolver<double> solver(Stream::on(GetParam()), problem, faces);
    const auto in_cells = [&](const auto& f) {
      return field_of<double>(problem.shape, [&](auto, std::int64_t y, std::int64_t x) {
        return f((static_cast<double>(y) + 0.5) * h, (static_cast<double>(x) + 0.5) * h);
      });
    };
    solver.set_diffusivity(in_cells([](double y, double x) { return 1 + std::sin(3 * x + y) / 3; }));
    solver.set_source(in_cells([](double y, double x) {
      const double a = 1 + std::sin(3 * x + y) / 3, a_x = std::cos(3 * x + y), a_y = std::cos(3 * x + y) / 3;
      const double phase = 4 * x - 2 * y;
      return -(a_x * 4 * std::cos(phase) - a_y * 2 * std::cos(phase) - a * 20 * std::sin(phase));
    }));
    const auto steady = in_cells([](double y, double x) { return std::sin(4 * x - 2 * y); });
    solver.set_field(steady);
    solver.advance(static_cast<std::int64_t>(0.4 / problem.dt));
    std::vector<double> after(steady.size());
    solver.field(after);
    return largest_difference(after, steady);
  };
  for (const int order : {4, 6}) {
    const double coarse = error(order, 20), fine = error(order, 40);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.8) << order << ": " << coarse << ", " << fine;
  }
}

// At faces the diffusivity is mirrored, which leaves order 2.
TEST_P(Forcing, HasOrderTwoWithDiffusivitiesNearFaces) {
  Rod rod = rod_with_capacity();
  EXPECT_NEAR(rod.observed(GetParam(), 4, 20, 0.6, 6000), 2, 0.5);
  rod.faces = with_x({Kind::value, 0}, {Kind::flux, 1});
  rod.high = [](double t) { return 1.5 * (1 - pi * std::exp(-t)); };
  EXPECT_NEAR(rod.observed(GetParam(), 4, 20, 0.6, 6000), 2, 0.6);
}

// Jumps between cells have the harmonic mean, so that noise does not grow, and a constant field stays.
TEST_P(Forcing, StaysBoundedWithRoughDiffusivities) {
  const HeatProblem given{.shape = {1, 17, 19}, .alpha = 1, .order = 8};
  for (const HeatFaces& faces :
       {box, with_x({Kind::periodic}, {Kind::periodic}), with_x({Kind::value, 0}, insulated)}) {
    HeatProblem problem = given;
    problem.dt = conduction_largest_dt_of_diffusivities(problem, faces);
    ConductionSolver<double> solver(Stream::on(GetParam()), problem, faces);
    solver.set_diffusivity(field_of<double>(problem.shape, [](auto... at) {
      const double r = (noise(at...) + 1) / 2;
      return std::min(1., std::max(0., r * r * r));
    }));
    solver.set_field(noise_field<double>(problem.shape));
    solver.advance(3000);
    EXPECT_LT(solver.summary().max, 3);
    EXPECT_GT(solver.summary().min, -3);
  }
}

// ---- Rejected problems ----

TEST_P(Forcing, RejectsInvalidProblems) {
  const Stream stream = Stream::on(GetParam());
  const HeatProblem problem{.shape = {1, 6, 7}, .order = 4};
  const auto refused = [](const std::string& text, const char* why) {
    EXPECT_NE(text.find(why), std::string::npos) << text;
  };
  const auto solver = [&](const HeatFaces& faces) { ConductionSolver<float>(stream, problem, faces); };
  refused(refusal([&] { solver(with_x({Kind::robin, 3, 0}, insulated)); }), "positive exchange");
  refused(refusal([&] { solver(with_x({Kind::robin, 3, INFINITY}, insulated)); }), "positive exchange");
  const std::vector<float> ones(42, 1.f);
  ConductionSolver<float> with_robin(stream, problem, with_x({Kind::robin, 3, 1}, insulated));
  refused(refusal([&] { with_robin.set_diffusivity(ones); }), "Robin");
  const HeatProblem wide{.shape = {1, 6, 9}, .order = 6};
  ConductionSolver<float> too_small(stream, wide, with_x({Kind::frozen}, {Kind::frozen}));
  refused(refusal([&] { too_small.set_diffusivity(std::vector<float>(54, 1.f)); }), "at least 11 cells along x");
  HeatProblem fast = problem;
  fast.dt = conduction_largest_dt(problem, box);
  ConductionSolver<float> too_fast(stream, fast, box);
  refused(refusal([&] { too_fast.set_diffusivity(ones); }), "must be at most");
  ConductionSolver<float> good(stream, problem, box);
  std::vector<float> capacity(42, 2.f);
  capacity[7 * 4 + 2] = 0;
  refused(refusal([&] { good.set_capacity(capacity); }), "in cell (0, 4, 2)");
  const auto none = [](double, std::span<float>) {};
  refused(refusal([&] { good.set_face(3, GridSide::low, none); }), "must be 0, 1 or 2");
  refused(refusal([&] { good.set_face(0, GridSide::low, none); }), "more than one cell");
  good.set_diffusivity(ones);
  refused(refusal([&] { good.set_capacity(ones); }), "before the diffusivity");
  refused(refusal([&] { good.set_face(2, GridSide::low, none); }), "before the diffusivity");
}

INSTANTIATE_TEST_SUITE_P(Devices, Forcing, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

}  // namespace
}  // namespace rafter::heat_forcing

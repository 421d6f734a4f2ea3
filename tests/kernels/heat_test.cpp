// What heat_advance() and HeatSolver promise beyond right answers, on every device present.
#include "rafter/heat.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "heat_fields.hpp"

namespace rafter {
namespace {

class Heat : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }
};

constexpr int orders[] = {2, 4, 6, 8};
constexpr HeatBoundary boundaries[] = {HeatBoundary::frozen, HeatBoundary::periodic, HeatBoundary::zero_flux};

HeatProblem problem_with(GridShape shape, int order) {
  return {.shape = shape, .spacing = {0.7, 1.3, 1.9}, .alpha = 2.5, .order = order};
}

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_argument);
    return error.what();
  }
  return "not refused";
}

TEST_P(Heat, NeverChangesFrozenCells) {
  const Stream stream = Stream::on(GetParam());
  for (const int order : orders) {
    const GridShape shape{order + 4, 21, 37};
    const std::int64_t r = order / 2;
    const auto frozen = [&](std::int64_t i, std::int64_t n) { return i < r || i >= n - r; };
    const std::vector<float> before = noise_field<float>(shape);
    const std::vector<float> after = advanced(stream, problem_with(shape, order), 3, before);
    for (std::int64_t i = 0; i < shape.n_cells(); ++i) {
      const std::int64_t row = i / shape.nx;
      const bool kept =
          frozen(i % shape.nx, shape.nx) || frozen(row % shape.ny, shape.ny) || frozen(row / shape.ny, shape.nz);
      const auto at = static_cast<std::size_t>(i);
      ASSERT_EQ(after[at] == before[at], kept) << i << " at order " << order;
    }
  }
}

TEST_P(Heat, GivesTheSameBitsHoweverStepsAreDivided) {
  const Stream stream = Stream::on(GetParam());
  const HeatProblem problem = problem_with({23, 30, 41}, 8);
  const std::vector<float> start = noise_field<float>(problem.shape);
  const std::vector<float> three = advanced(stream, problem, 3, start);
  ASSERT_EQ(advanced(stream, problem, 4, three), advanced(stream, problem, 7, start));
  for (const HeatBoundary boundary : boundaries) {
    HeatSolver<float> solver(stream, problem, boundary);
    solver.set_field(start);
    solver.advance(3);
    solver.advance(0);
    solver.advance(4);
    EXPECT_EQ(solver.n_steps(), 7);
    EXPECT_EQ(solver.time(), 7 * solver.problem().dt);
    ASSERT_EQ(field_in(solver), solved(stream, problem, boundary, 7, start));
  }
}

TEST_P(Heat, SolvesAsTheOpAdvances) {
  const Stream stream = Stream::on(GetParam());
  for (const int order : orders) {
    const HeatProblem problem = problem_with({19, 22, 35}, order);
    const std::vector<double> start = noise_field<double>(problem.shape);
    ASSERT_EQ(solved(stream, problem, HeatBoundary::frozen, 5, start), advanced(stream, problem, 5, start)) << order;
  }
}

TEST_P(Heat, WorksInPlaceAndWithoutSteps) {
  const Stream stream = Stream::on(GetParam());
  const HeatProblem problem = problem_with({17, 25, 33}, 6);
  const std::vector<float> start = noise_field<float>(problem.shape);
  for (const std::int64_t n_steps : {0, 1, 2, 5}) {
    const std::vector<float> expected = advanced(stream, problem, n_steps, start);
    if (n_steps == 0) {
      ASSERT_EQ(expected, start);
    }
    Buffer<float> both(stream, std::span<const float>(start));
    Buffer<float> work(stream, both.size());
    heat_advance(stream, both, problem, n_steps, both.span(), work.span());
    std::vector<float> result(start.size());
    both.copy_to(result);
    ASSERT_EQ(result, expected) << n_steps;
  }
}

TEST_P(Heat, GivesAFieldBackAsItWasSet) {
  const Stream stream = Stream::on(GetParam());
  for (const HeatBoundary boundary : boundaries) {
    HeatSolver<double> solver(stream, problem_with({12, 9, 31}, 8), boundary);
    EXPECT_EQ(field_in(solver), std::vector<double>(12 * 9 * 31, 0.));
    const std::vector<double> start = noise_field<double>(solver.problem().shape);
    solver.set_field(start, 40);
    EXPECT_EQ(field_in(solver), start);
    EXPECT_EQ(solver.n_steps(), 40);
    EXPECT_DOUBLE_EQ(solver.time(), 40 * heat_default_dt(solver.problem()));
  }
}

TEST_P(Heat, SummarizesAllCells) {
  const Stream stream = Stream::on(GetParam());
  for (const HeatBoundary boundary : boundaries) {
    const HeatProblem problem = problem_with({11, 13, 29}, 4);
    HeatSolver<float> solver(stream, problem, boundary);
    std::vector<float> field = noise_field<float>(problem.shape);
    field[3] = -7;
    field.back() = 5;
    solver.set_field(field);
    double total = 0;
    for (const float value : field) total += static_cast<double>(value);
    const HeatSummary summary = solver.summary();
    EXPECT_NEAR(summary.total, total * 0.7 * 1.3 * 1.9, 1e-9);
    EXPECT_EQ(summary.min, -7);
    EXPECT_EQ(summary.max, 5);
  }
}

TEST_P(Heat, TakesGridsNarrowerThanTheirGhosts) {
  // On a torus a field repeats; of a mirrored field, the field and its image do.
  const Stream stream = Stream::on(GetParam());
  const GridShape small{2, 3, 5};
  const GridShape large{12, 18, 40};
  const std::vector<double> start = noise_field<double>(small);
  const auto once = [](std::int64_t i, std::int64_t n) { return i % n; };
  const auto mirrored = [](std::int64_t i, std::int64_t n) { return i % (2 * n) < n ? i % n : n - 1 - i % n; };
  const auto repeated = [&](const std::vector<double>& field, const auto& source) {
    return field_of<double>(large, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
      const std::int64_t row = source(z, small.nz) * small.ny + source(y, small.ny);
      return field[static_cast<std::size_t>(row * small.nx + source(x, small.nx))];
    });
  };
  for (const int order : orders) {
    const HeatProblem in_small = problem_with(small, order);
    const HeatProblem in_large = problem_with(large, order);
    const auto torus = solved(stream, in_small, HeatBoundary::periodic, 4, start);
    const auto box = solved(stream, in_small, HeatBoundary::zero_flux, 4, start);
    EXPECT_LE(largest_difference(repeated(torus, once),
                                 solved(stream, in_large, HeatBoundary::periodic, 4, repeated(start, once))),
              1e-14);
    EXPECT_LE(largest_difference(repeated(box, mirrored),
                                 solved(stream, in_large, HeatBoundary::periodic, 4, repeated(start, mirrored))),
              1e-14);
  }
}

TEST_P(Heat, RefusesProblemsItCannotSolve) {
  const Stream stream = Stream::on(GetParam());
  const auto tried = [&](const HeatProblem& problem) {
    return refusal([&] { HeatSolver<float>(stream, problem, HeatBoundary::frozen); });
  };
  const HeatProblem good = problem_with({9, 9, 9}, 8);
  const auto with = [&](const auto& change) {
    HeatProblem problem = good;
    change(problem);
    return problem;
  };
  EXPECT_EQ(tried(good), "not refused");
  EXPECT_NE(tried(with([](auto& p) { p.shape.ny = 8; })).find("at least 9"), std::string::npos);
  EXPECT_NE(tried(with([](auto& p) { p.order = 5; })).find("2, 4, 6 or 8, is 5"), std::string::npos);
  for (const double bad :
       {0., -1., std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_NE(tried(with([=](auto& p) { p.alpha = bad; })).find("alpha"), std::string::npos) << bad;
    EXPECT_NE(tried(with([=](auto& p) { p.spacing.y = bad; })).find("spacing.y"), std::string::npos) << bad;
  }
  char limit[32];
  std::snprintf(limit, sizeof limit, "%.9g", heat_largest_dt(good));
  for (const double bad : {heat_largest_dt(good) * 1.0001, -1., std::numeric_limits<double>::quiet_NaN()})
    EXPECT_NE(tried(with([=](auto& p) { p.dt = bad; })).find(limit), std::string::npos) << bad;
  EXPECT_EQ(tried(with([](auto& p) { p.dt = heat_largest_dt(p); })), "not refused");
}

TEST_P(Heat, RefusesArraysThatDoNotFit) {
  const Stream stream = Stream::on(GetParam());
  const HeatProblem problem = problem_with({5, 5, 5}, 4);
  Buffer<double> memory(stream, 1000);
  const std::span<double> all = memory.span();
  const auto in = all.first(125);
  const auto out = all.subspan(200, 125);
  const auto work = all.subspan(400, 125);
  EXPECT_NE(refusal([&] { heat_advance(stream, all.first(124), problem, 1, out, work); }).find("125"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              heat_advance(stream, in, problem, 1, all.subspan(200, 126), work);
            }).find("out must be contiguous: 125 elements, (5, 5, 5) without anything between rows; has 126"),
            std::string::npos);
  EXPECT_NE(refusal([&] { heat_advance(stream, in, problem, 1, all.subspan(100, 125), work); }).find("overlaps in"),
            std::string::npos);
  EXPECT_NE(refusal([&] { heat_advance(stream, in, problem, 1, out, in); }).find("work"), std::string::npos);
  EXPECT_NE(refusal([&] { heat_advance(stream, in, problem, -1, out, work); }).find("n_steps"), std::string::npos);
  HeatSolver<double> solver(stream, problem);
  EXPECT_NE(refusal([&] { solver.set_field(std::vector<double>(124)); }).find("125"), std::string::npos);
  EXPECT_NE(refusal([&] { solver.advance(-2); }).find("n_steps"), std::string::npos);
  stream.synchronize();
}

INSTANTIATE_TEST_SUITE_P(Devices, Heat, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

TEST(HeatOnTheCpu, GivesTheSameBitsWithAnyNumberOfThreads) {
  for (const int order : orders) {
    for (const GridShape& shape : {GridShape{30, 53, 67}, {11, 33, 12}, {40, 10, 130}}) {
      const HeatProblem problem = problem_with(shape, order);
      const std::vector<float> start = noise_field<float>(shape);
      const std::vector<float> one = advanced(Stream::cpu(1), problem, 3, start);
      for (const int n_threads : {2, 3, 7, 64}) ASSERT_EQ(advanced(Stream::cpu(n_threads), problem, 3, start), one);
    }
  }
}

TEST(HeatOnTheCpu, GivesTheSameBitsInBands) {
  // Rings of planes that are too large for a stream's scratch are cut; with enough of it they are not.
  for (const GridShape& shape : {GridShape{5, 64, 8000}, {5, 9, 70000}}) {
    const HeatProblem problem = problem_with(shape, 2);
    const std::vector<float> start = noise_field<float>(shape);
    const Stream roomy = Stream::cpu(2);
    roomy.reserve(std::int64_t{256} << 20);
    ASSERT_EQ(advanced(Stream::cpu(3), problem, 2, start), advanced(roomy, problem, 2, start));
  }
}

}  // namespace
}  // namespace rafter

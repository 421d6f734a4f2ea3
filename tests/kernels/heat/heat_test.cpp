// The guarantees of heat_advance() and HeatSolver beyond right answers, on every device present.
#include "rafter/heat.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "heat_fields.hpp"
#include "kernels/all_ops.hpp"

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

TEST_P(Heat, GivesTheSameBitsForAnyDivisionOfSteps) {
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

TEST_P(Heat, SolverEqualsTheOp) {
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

// Boxes of larger arrays, with and without 16-byte alignment, with equal and with different strides.
TEST_P(Heat, AcceptsFieldsWithStrides) {
  using Fields = FieldWithGaps<float>;
  const Stream stream = Stream::on(GetParam());
  const Fields::Layout whole{44, 27 * 44, 8};
  const Fields::Layout odd{39, 25 * 39 + 3, 1};
  const Fields::Layout contiguous{38, 25 * 38};
  for (const int order : orders) {
    const HeatProblem problem = problem_with({13, 25, 38}, order);
    const std::vector<float> start = noise_field<float>(problem.shape);
    for (const std::int64_t n_steps : {0, 1, 3}) {
      const std::vector<float> expected = advanced(stream, problem, n_steps, start);
      const double bound = GetParam() == Device::cpu ? 0 : 1e-6;  // other kernels may add in another order
      for (const auto& [from, to, between] :
           {std::array{whole, whole, whole}, {whole, whole, contiguous}, {odd, contiguous, whole}, {whole, odd, odd}}) {
        Fields in(stream, problem.shape, from);
        Fields out(stream, problem.shape, to);
        Fields work(stream, problem.shape, between);
        heat_advance(stream, in.view(), problem, n_steps, out.view(), work.view());
        EXPECT_LE(largest_difference(out.cells(), expected), bound) << order << ", " << n_steps;
        EXPECT_EQ(in.cells(), start) << order << ", " << n_steps;
        heat_advance(stream, in.view(), problem, n_steps, in.view(), work.view());
        EXPECT_LE(largest_difference(in.cells(), expected), bound) << order << ", " << n_steps;
        EXPECT_EQ(work.cells().size(), start.size()) << order << ", " << n_steps;
      }
    }
  }
}

/// Advances the boxes of a division of a field by one step, in fields with gaps; NaN where that writes outside of them.
template <class T>
std::vector<T> advanced_in_boxes(const Stream& stream, const HeatProblem& problem, const std::vector<GridBox>& boxes) {
  using Fields = FieldWithGaps<T>;
  const auto [nz, ny, nx] = problem.shape;
  const typename Fields::Layout layout{nx + 3, ny * (nx + 3) + 2, 1};
  Fields in(stream, problem.shape, layout);
  Fields out(stream, problem.shape, layout);
  for (const GridBox& box : boxes) {
    Buffer<T> work(stream, heat_box_work_size(problem, box));
    heat_advance_box(stream, in.view(), problem, box, out.view().box(box), work.span());
    stream.synchronize();
  }
  EXPECT_EQ(in.cells(), noise_field<T>(problem.shape));
  return out.cells();
}

TEST_P(Heat, AdvancesTheBoxesOfAField) {
  const Stream stream = Stream::on(GetParam());
  for (const int order : orders) {
    const HeatProblem problem = problem_with({38, 41, 70}, order);
    const auto expected = advanced(stream, problem, 1, noise_field<float>(problem.shape));
    const double bound = GetParam() == Device::cpu ? 0 : 1e-6;  // other kernels may add in another order
    const std::vector<GridBox> halves{{0, 0, 0, {19, 41, 70}}, {19, 0, 0, {19, 41, 70}}};
    std::vector<GridBox> eighths;
    for (const std::int64_t z : {0, 18}) {
      for (const std::int64_t y : {0, 22}) {
        for (const std::int64_t x : {0, 33})
          eighths.push_back({z, y, x, {z == 0 ? 18 : 20, y == 0 ? 22 : 19, x == 0 ? 33 : 37}});
      }
    }
    const std::vector<GridBox> whole{{0, 0, 0, problem.shape}};
    for (const auto& boxes : {whole, halves, eighths})
      EXPECT_LE(largest_difference(advanced_in_boxes<float>(stream, problem, boxes), expected), bound) << order;
  }
}

TEST_P(Heat, WritesOnlyTheBox) {
  const Stream stream = Stream::on(GetParam());
  for (const int order : {2, 8}) {
    const HeatProblem problem = problem_with({35, 36, 50}, order);
    const std::int64_t ghosts = heat_box_ghosts(problem);
    const GridBox box{ghosts, ghosts, ghosts, {2, 1, 3}};
    const auto start = noise_field<double>(problem.shape);
    const auto expected = advanced(stream, problem, 1, start);
    const auto result = advanced_in_boxes<double>(stream, problem, {box});
    const auto is_inside = [](std::int64_t i, std::int64_t first, std::int64_t n) {
      return i >= first && i < first + n;
    };
    ASSERT_EQ(result.size(), start.size());
    for (std::int64_t i = 0; i < problem.shape.n_cells(); ++i) {
      const std::int64_t row = i / problem.shape.nx;
      const bool inside = is_inside(i % problem.shape.nx, box.x, 3) && is_inside(row % problem.shape.ny, box.y, 1) &&
                          is_inside(row / problem.shape.ny, box.z, 2);
      const auto at = static_cast<std::size_t>(i);
      ASSERT_NEAR(result[at], inside ? expected[at] : start[at], inside ? 1e-14 : 0.) << i;
    }
  }
}

// A grid whose ghost cells continue it, as a program with its own division of a field sets them.
TEST_P(Heat, AdvancesBoxesWithGhostsOfOtherBoundaries) {
  const Stream stream = Stream::on(GetParam());
  for (const int order : orders) {
    const HeatProblem whole = problem_with({20, 17, 33}, order);
    const std::vector<double> start = noise_field<double>(whole.shape);
    HeatProblem padded = whole;
    const std::int64_t ghosts = heat_box_ghosts(whole);
    for (std::int64_t* extent : {&padded.shape.nz, &padded.shape.ny, &padded.shape.nx}) *extent += 2 * ghosts;
    for (const HeatBoundary boundary : {HeatBoundary::periodic, HeatBoundary::zero_flux}) {
      const auto source = [&](std::int64_t i, std::int64_t n) {
        const std::int64_t at = i - ghosts + 2 * n;
        if (boundary == HeatBoundary::periodic) return at % n;
        return at % (2 * n) < n ? at % n : n - 1 - at % n;
      };
      const auto continued = field_of<double>(padded.shape, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
        const std::int64_t row = source(z, whole.shape.nz) * whole.shape.ny + source(y, whole.shape.ny);
        return start[static_cast<std::size_t>(row * whole.shape.nx + source(x, whole.shape.nx))];
      });
      const Buffer<double> in(stream, std::span<const double>(continued));
      Buffer<double> out(stream, whole.shape.n_cells());
      const GridBox box{ghosts, ghosts, ghosts, whole.shape};
      Buffer<double> work(stream, heat_box_work_size(padded, box));
      heat_advance_box(stream, contiguous_field(in.span(), padded.shape), padded, box,
                       contiguous_field(out.span(), whole.shape), work.span());
      std::vector<double> result(start.size());
      out.copy_to(result);
      EXPECT_LE(largest_difference(result, solved(stream, whole, boundary, 1, start)), 1e-14) << order;
    }
  }
}

TEST_P(Heat, RejectsBoxesThatDoNotFit) {
  const Stream stream = Stream::on(GetParam());
  const HeatProblem problem = problem_with({12, 13, 20}, 2);
  Buffer<double> memory(stream, 30000);
  const DeviceSpan<double> all = memory;
  const auto in = contiguous_field(all.first(12 * 13 * 20), problem.shape);
  const DeviceSpan<double> work = all.last(20000);
  const auto tried = [&](const GridBox& box, const GridShape& out_shape, const DeviceSpan<double>& given) {
    const auto out = GridView<double>::unchecked(memory.data() + 4000, out_shape);
    return refusal([&] { heat_advance_box(stream, in, problem, box, out, given); });
  };
  const auto tried_box = [&](const GridBox& box) { return tried(box, box.shape, work); };
  EXPECT_EQ(tried_box({4, 0, 5, {2, 13, 11}}), "not refused");
  EXPECT_EQ(heat_box_work_size(problem, {4, 0, 5, {2, 13, 11}}), 2 * 10 * 13 * 20);
  EXPECT_EQ(tried_box({3, 0, 5, {3, 13, 11}}),
            "heat_advance_box: box must have no ghost cells or at least 4 (4 * radius) on each side, has 3 along z");
  EXPECT_EQ(tried_box({0, 4, 0, {12, 8, 20}}),
            "heat_advance_box: box must have no ghost cells or at least 4 (4 * radius) on each side, has 1 along y");
  EXPECT_EQ(tried_box({0, 0, 5, {12, 13, 16}}),
            "heat_advance_box: box must be at least one of the 20 cells, is cells 5 to 21 along x");
  EXPECT_NE(tried_box({0, 0, -1, {12, 13, 4}}).find("cells -1 to 3 along x"), std::string::npos);
  EXPECT_NE(tried_box({0, 4, 0, {12, 0, 20}}).find("cells 4 to 4 along y"), std::string::npos);
  EXPECT_EQ(tried({4, 0, 5, {2, 13, 11}}, {2, 13, 12}, work),
            "heat_advance_box: out must have the shape of the box, (2, 13, 11), has (2, 13, 12)");
  EXPECT_EQ(tried({4, 0, 5, {2, 13, 11}}, {2, 13, 11}, work.first(5199)),
            "heat_advance_box: work must have at least 5200 elements (heat_box_work_size), has 5199");
  EXPECT_EQ(tried({4, 0, 5, {2, 13, 11}}, {2, 13, 11}, all.first(5200)), "heat_advance_box: work overlaps in");
  EXPECT_EQ(tried({4, 0, 5, {2, 13, 11}}, {2, 13, 11}, all.subspan(4100, 5200)), "heat_advance_box: work overlaps out");
  EXPECT_EQ(refusal([&] {
              heat_advance_box(stream, in, problem, {0, 0, 0, {1, 13, 20}}, in.box(11, 0, 0, {1, 13, 20}), work);
            }),
            "heat_advance_box: out overlaps in");
  HeatProblem odd = problem;
  odd.order = 3;
  EXPECT_NE(refusal([&] {
              static_cast<void>(heat_box_work_size(odd, {0, 0, 0, odd.shape}));
            }).find("order"),
            std::string::npos);
  stream.synchronize();
}

TEST_P(Heat, ReturnsTheFieldThatWasSet) {
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

// Layouts with 16-byte alignment, without it, and without gaps.
TEST_P(Heat, CopiesFieldsInDeviceMemory) {
  using Fields = FieldWithGaps<float>;
  const Stream stream = Stream::on(GetParam());
  const HeatProblem problem = problem_with({10, 11, 37}, 6);
  const std::vector<float> start = noise_field<float>(problem.shape);
  for (const HeatBoundary boundary : boundaries) {
    const std::vector<float> expected = solved(stream, problem, boundary, 3, start);
    for (const Fields::Layout& layout : {Fields::Layout{40, 11 * 40, 8}, {39, 11 * 39 + 3, 1}, {37, 11 * 37}}) {
      HeatSolver<float> solver(stream, problem, boundary);
      Fields cells(stream, problem.shape, layout);
      solver.set_field(cells.view(), 5);
      EXPECT_EQ(solver.n_steps(), 5);
      EXPECT_EQ(field_in(solver), start);
      solver.advance(3);
      solver.field(cells.view());
      EXPECT_EQ(cells.cells(), expected);
    }
    HeatSolver<float> solver(stream, problem, boundary);
    Buffer<float> cells(stream, std::span<const float>(start));
    solver.set_field(cells);
    solver.advance(3);
    solver.field(cells.span());
    std::vector<float> result(start.size());
    cells.copy_to(result);
    EXPECT_EQ(result, expected);
  }
}

TEST_P(Heat, ViewsTheCurrentField) {
  const Stream stream = Stream::on(GetParam());
  const HeatProblem problem = problem_with({10, 13, 30}, 8);
  const std::vector<double> start = noise_field<double>(problem.shape);
  for (const HeatBoundary boundary : boundaries) {
    HeatSolver<double> solver(stream, problem, boundary);
    solver.set_field(start);
    for (int i = 0; i < 3; ++i) {
      const GridView<const double> view = solver.view();
      EXPECT_EQ(view.shape, problem.shape);
      HeatSolver<double> copy(stream, problem, boundary);
      copy.set_field(view, solver.n_steps());
      EXPECT_EQ(field_in(copy), field_in(solver));
      solver.advance(1);
      copy.advance(1);
      EXPECT_EQ(field_in(copy), field_in(solver)) << "after step " << i;
    }
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

TEST_P(Heat, AcceptsGridsNarrowerThanTheirGhosts) {
  // On a torus the field repeats; with mirrors, the field and its image do.
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

TEST_P(Heat, RejectsInvalidProblems) {
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

TEST_P(Heat, RejectsArraysThatDoNotFit) {
  const Stream stream = Stream::on(GetParam());
  const HeatProblem problem = problem_with({5, 5, 5}, 4);
  Buffer<double> memory(stream, 1000);
  const DeviceSpan<double> all = memory;
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

TEST_P(Heat, RejectsCellsThatDoNotFitTheSolver) {
  const Stream stream = Stream::on(GetParam());
  for (const HeatBoundary boundary : boundaries) {
    HeatSolver<double> solver(stream, problem_with({5, 5, 5}, 4), boundary);
    Buffer<double> memory(stream, 200);
    const DeviceSpan<double> all = memory;
    const auto view = [&](const GridShape& shape, std::int64_t row_stride) {
      return GridView<double>::unchecked(memory.data(), shape, row_stride, 30);
    };
    const auto set = [&](const auto& cells, std::int64_t n_steps = 0) {
      return refusal([&] { solver.set_field(cells, n_steps); });
    };
    const auto got = [&](const auto& cells) { return refusal([&] { solver.field(cells); }); };
    EXPECT_EQ(set(view({5, 5, 5}, 6)), "not refused");
    EXPECT_EQ(got(view({5, 5, 5}, 6)), "not refused");
    const std::string wrong_shape = "cells must have the problem's shape, (5, 5, 5), has (5, 5, 6)";
    EXPECT_EQ(set(view({5, 5, 6}, 6)), "HeatSolver::set_field: " + wrong_shape);
    EXPECT_EQ(got(view({5, 5, 6}, 6)), "HeatSolver::field: " + wrong_shape);
    const std::string wrong_stride = "cells must have a row_stride of at least 5, its cells along x, has 4";
    EXPECT_EQ(set(view({5, 5, 5}, 4)), "HeatSolver::set_field: " + wrong_stride);
    EXPECT_EQ(got(view({5, 5, 5}, 4)), "HeatSolver::field: " + wrong_stride);
    const std::string wrong_size =
        "cells must be contiguous: 125 elements, (5, 5, 5) without anything between rows; has 124";
    EXPECT_EQ(set(all.first(124)), "HeatSolver::set_field: " + wrong_size);
    EXPECT_EQ(got(all.first(124)), "HeatSolver::field: " + wrong_size);
    const auto null = GridView<double>::unchecked(nullptr, {5, 5, 5});
    EXPECT_EQ(set(null), "HeatSolver::set_field: cells is null but should hold 125 elements");
    EXPECT_EQ(got(null), "HeatSolver::field: cells is null but should hold 125 elements");
    EXPECT_EQ(set(solver.view()), "HeatSolver::set_field: cells overlaps the solver's memory");
    EXPECT_EQ(set(all.first(125), -1), "HeatSolver::set_field: n_steps must not be negative, is -1");
  }
  stream.synchronize();
}

TEST_P(Heat, RejectsViewsThatDoNotFit) {
  const Stream stream = Stream::on(GetParam());
  const HeatProblem problem = problem_with({5, 5, 5}, 4);
  Buffer<double> memory(stream, 1000);
  const auto view = [&](std::int64_t first, std::int64_t row_stride, std::int64_t plane_stride) {
    return GridView<double>::unchecked(memory.data() + first, problem.shape, row_stride, plane_stride);
  };
  const auto tried = [&](const GridView<double>& in, const GridView<double>& out, const GridView<double>& work) {
    return refusal([&] { heat_advance(stream, in, problem, 1, out, work); });
  };
  const auto in = view(0, 6, 31);
  const auto out = view(200, 5, 25);
  const auto work = view(400, 7, 33);  // the last row of a plane ends where the next plane starts
  EXPECT_EQ(tried(in, out, work), "not refused");
  EXPECT_EQ(tried(in, in, work), "not refused");
  EXPECT_EQ(tried({memory, {5, 5, 6}, 6, 30}, out, work),
            "heat_advance: in must have the problem's shape, (5, 5, 5), has (5, 5, 6)");
  EXPECT_EQ(tried(in, view(200, 4, 25), work),
            "heat_advance: out must have a row_stride of at least 5, its cells along x, has 4");
  EXPECT_EQ(tried(in, out, view(600, -6, 30)),
            "heat_advance: work must have a row_stride of at least 5, its cells along x, has -6");
  EXPECT_EQ(tried(view(0, 6, 28), out, work),
            "heat_advance: in must have a plane_stride of at least 29, the extent of its rows, has 28");
  EXPECT_EQ(tried(in, view(200, 5, -25), work),
            "heat_advance: out must have a plane_stride of at least 25, the extent of its rows, has -25");
  EXPECT_EQ(tried(GridView<double>::unchecked(nullptr, {5, 5, 5}), out, work),
            "heat_advance: in is null but should hold 125 elements");
  EXPECT_EQ(tried(in, view(0, 6, 32), work), "heat_advance: out overlaps in");
  EXPECT_EQ(tried(in, out, view(320, 5, 25)), "heat_advance: work overlaps out");
  stream.synchronize();
}

INSTANTIATE_TEST_SUITE_P(Devices, Heat, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

TEST(HeatOnTheCpu, GivesTheSameBitsWithAnyNumberOfThreads) {
  for (const int order : orders) {
    for (const GridShape& shape : {GridShape{30, 53, 67}, {11, 33, 12}, {40, 10, 130}, {9, 64, 16}}) {
      const HeatProblem problem = problem_with(shape, order);
      const std::vector<float> start = noise_field<float>(shape);
      for (const HeatBoundary boundary : boundaries) {
        const std::vector<float> one = solved(Stream::cpu(1), problem, boundary, 3, start);
        for (const int n_threads : {2, 3, 7, 64})
          ASSERT_EQ(solved(Stream::cpu(n_threads), problem, boundary, 3, start), one);
      }
    }
  }
}

TEST(HeatOnTheCpu, GivesTheSameBitsInBands) {
  // Rings of planes are cut only if they exceed the stream's scratch.
  for (const GridShape& shape : {GridShape{5, 64, 8000}, {5, 9, 70000}}) {
    for (const int order : {2, 8}) {
      const HeatProblem problem = problem_with(shape, order);
      const std::vector<float> start = noise_field<float>(shape);
      const Stream roomy = Stream::cpu(2);
      roomy.reserve(std::int64_t{512} << 20);
      for (const HeatBoundary boundary : boundaries) {
        if (boundary == HeatBoundary::frozen && shape.nz <= order) continue;
        ASSERT_EQ(solved(Stream::cpu(3), problem, boundary, 2, start), solved(roomy, problem, boundary, 2, start));
      }
    }
  }
}

// Differences across faces, stage by stage: a cell of a periodic grid has the same neighbours wherever the grid begins,
// and a mirrored grid is half of a periodic one.
TEST(HeatOnTheCpu, ContinuesGridsBeyondTheirFaces) {
  for (const int order : orders) {
    for (const GridShape& shape : {GridShape{21, 17, 70}, {1, 40, 3}, {3, 2, 33}, {8, 1, 1}, {13, 26, 64}}) {
      const HeatProblem problem = problem_with(shape, order);
      const auto [nz, ny, nx] = shape;
      const std::vector<double> start = noise_field<double>(shape);
      const auto shifted = [&, nz = nz, ny = ny, nx = nx](const std::vector<double>& field) {
        return field_of<double>(shape, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
          return field[static_cast<std::size_t>(((z + 5) % nz * ny + (y + 3) % ny) * nx + (x + 7) % nx)];
        });
      };
      const auto torus = solved(Stream::cpu(2), problem, HeatBoundary::periodic, 3, start);
      EXPECT_EQ(shifted(torus), solved(Stream::cpu(2), problem, HeatBoundary::periodic, 3, shifted(start))) << order;

      const GridShape twice{2 * nz, 2 * ny, 2 * nx};
      const auto mirrored = [&, nz = nz, ny = ny, nx = nx](const std::vector<double>& field) {
        return field_of<double>(twice, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
          const std::int64_t row = std::min(z, 2 * nz - 1 - z) * ny + std::min(y, 2 * ny - 1 - y);
          return field[static_cast<std::size_t>(row * nx + std::min(x, 2 * nx - 1 - x))];
        });
      };
      const auto box = solved(Stream::cpu(2), problem, HeatBoundary::zero_flux, 3, start);
      EXPECT_LE(largest_difference(mirrored(box), solved(Stream::cpu(2), problem_with(twice, order),
                                                         HeatBoundary::periodic, 3, mirrored(start))),
                1e-14)
          << order;
    }
  }
}

// ---- The op's sample for the tests of streams ----
class HeatSample final : public OpSample {
 public:
  HeatSample(const Stream& stream, std::int64_t, int value)
      : value_(static_cast<float>(value)),
        in_(stream, filled(shape.n_cells(), value_)),
        out_(stream, in_.size()),
        work_(stream, in_.size()) {}
  void enqueue(const Stream& stream) override {
    heat_advance(stream, in_, {.shape = shape, .order = 4}, 2, out_.span(), work_.span());
  }
  void check() override {
    for (const float cell : take(out_)) ASSERT_NEAR(cell, value_, 1e-4F * value_);
  }

 private:
  static constexpr GridShape shape{18, 21, 35};
  float value_;
  Buffer<float> in_, out_, work_;
};
const RegisterOp<HeatSample> heat_sample;

}  // namespace
}  // namespace rafter

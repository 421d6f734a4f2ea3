// The operations of a GPU's heat solver on its fields, on the executor under all checkers; compared with the CPU's.
#define RAFTER_BACKEND simt
#include "heat/heat_field.hpp"

#include <gtest/gtest.h>

#include <string>

#include "executor/device/simt_device.hpp"
#include "heat/heat_conduction_stage.hpp"
#include "heat_fields.hpp"
#include "library/core/stream/backend.hpp"

namespace rafter {

namespace heat_ladder::simt {
extern const HeatRung fused_sweeps, by_size;
}

namespace {

using heat_ladder::field_of_rows;
using heat_ladder::HeatArgs;
using heat_ladder::HeatGrid;
using heat_ladder::inside;
namespace cpu = heat_ladder::cpu;
namespace gpu = heat_ladder::simt;

class HeatField : public testing::Test {
 protected:
  static void SetUpTestSuite() { simt::provide_device(); }
  void TearDown() override { EXPECT_EQ(core::backend(Device::simt).take_findings().value_or(""), ""); }

  const Stream on_cpu = Stream::on(Device::cpu);
  const Stream on_gpu = Stream::on(Device::simt);
};

/// Returns a field after `change(data)`.
template <class T, class Change>
std::vector<T> changed(const Stream& stream, const std::vector<T>& field, const Change& change) {
  Buffer<T> there(stream, std::span<const T>(field));
  change(there.data());
  std::vector<T> result(field.size());
  there.copy_to(result);
  return result;
}

constexpr HeatBoundary with_ghosts[] = {HeatBoundary::periodic, HeatBoundary::zero_flux};

/// A field with ghost cells, and with elements after each row.
struct PaddedField {
  GridShape shape;
  std::int64_t ghost;
  std::int64_t row_stride;

  GridShape memory() const { return {shape.nz, shape.ny, row_stride}; }
  template <class T>
  GridView<T> view(T* data) const {
    return field_of_rows(data, shape, row_stride);
  }
};
constexpr PaddedField padded_fields[] = {
    {{17, 19, 23}, 4, 24}, {{9, 10, 12}, 4, 12}, {{5, 41, 6}, 2, 8}, {{3, 4, 36}, 1, 36}, {{2, 3, 9}, 0, 12}};

TEST_F(HeatField, FillsGhosts) {
  for (const PaddedField& field : padded_fields) {
    const std::vector<float> before = noise_field<float>(field.memory());
    for (const HeatBoundary boundary : with_ghosts) {
      const auto filled = [&](const Stream& stream, const auto& fill_ghosts) {
        return changed(stream, before,
                       [&](float* data) { fill_ghosts(stream, field.ghost, boundary, field.view(data)); });
      };
      EXPECT_EQ(filled(on_gpu, gpu::fill_ghosts<float>), filled(on_cpu, cpu::fill_ghosts<float>));
    }
  }
}

TEST_F(HeatField, CopiesIntoBoxesAndOut) {
  for (const PaddedField& field : padded_fields) {
    const GridShape shape = inside(field.view<double>(nullptr), field.ghost).shape;
    const std::vector<double> cells = noise_field<double>(shape);
    const std::vector<double> around(static_cast<std::size_t>(field.memory().n_cells()), 0.);
    const auto put_in = [&](const Stream& stream, const auto& copy_field) {
      const Buffer<double> from(stream, std::span<const double>(cells));
      return changed(stream, around, [&](double* data) {
        copy_field(stream, contiguous_field(from.span(), shape), inside(field.view(data), field.ghost));
      });
    };
    const std::vector<double> padded = put_in(on_gpu, gpu::copy_field<double>);
    EXPECT_EQ(padded, put_in(on_cpu, cpu::copy_field<double>));
    const Buffer<double> from(on_gpu, std::span<const double>(padded));
    EXPECT_EQ(cells, changed(on_gpu, std::vector<double>(cells.size()), [&](double* data) {
                gpu::copy_field(on_gpu, inside(field.view(from.data()), field.ghost),
                                GridView<double>::unchecked(data, shape));
              }));
  }
}

TEST_F(HeatField, CopiesFrozenCellsAndWholeFields) {
  for (const int radius : {1, 4}) {
    const HeatGrid grid{{9, 12, 13}, radius};
    const std::vector<float> cells = noise_field<float>(grid.shape);
    const std::vector<float> to(cells.size(), 7.f);
    const auto copied = [&](const Stream& stream, const auto& copy) {
      const Buffer<float> from(stream, std::span<const float>(cells));
      return changed(stream, to, [&](float* data) {
        copy(contiguous_field(from.span(), grid.shape), GridView<float>::unchecked(data, grid.shape));
      });
    };
    EXPECT_EQ(copied(on_gpu, [&](const auto&... fields) { gpu::copy_frozen(on_gpu, grid, fields...); }),
              copied(on_cpu, [&](const auto&... fields) { cpu::copy_frozen(on_cpu, grid, fields...); }));
    EXPECT_EQ(copied(on_gpu, [&](const auto&... fields) { gpu::copy_field(on_gpu, fields...); }), cells);
  }
}

TEST_F(HeatField, Summarizes) {
  for (const PaddedField& field : padded_fields) {
    const std::vector<float> cells = noise_field<float>(field.memory());
    const Buffer<float> there(on_gpu, std::span<const float>(cells));
    const Buffer<float> here(on_cpu, std::span<const float>(cells));
    HeatSummary found;
    HeatSummary expected;
    gpu::summarize(on_gpu, inside(field.view(there.data()), field.ghost), &found);
    cpu::summarize(on_cpu, inside(field.view(here.data()), field.ghost), &expected);
    EXPECT_NEAR(found.total, expected.total, 1e-12);
    EXPECT_EQ(found.min, expected.min);
    EXPECT_EQ(found.max, expected.max);
  }
}

using Field = GridView<double>;

/// Returns a field after sweeps.
template <class Sweeps>
std::vector<double> swept(const Stream& stream, const HeatGrid& grid, const Sweeps& sweeps) {
  const std::vector<double> field = noise_field<double>(grid.shape);
  Buffer<double> now(stream, std::span<const double>(field));
  Buffer<double> next(stream, std::span<const double>(field));  // its frozen cells are set
  bool moved = false;
  sweeps(contiguous_field(now.span(), grid.shape), contiguous_field(next.span(), grid.shape), &moved);
  std::vector<double> result(field.size());
  (moved ? next : now).copy_to(result);
  return result;
}

// Aligned rows run in one launch; the others, and order 2, in sweeps.
TEST_F(HeatField, SeveralSweepsEqualSingleOnes) {
  for (const int order : {2, 8}) {
    for (const std::int64_t nx : {37, 40}) {
      const HeatProblem problem{.shape = {11, 13, nx}, .spacing = {1, 1.5, 0.8}, .order = order, .dt = 0.01};
      const HeatGrid grid = heat_ladder::grid_of(problem);
      const int of_a_step = gpu::sweep_plan(grid.radius).n_sweeps;
      const auto at_once = swept(on_gpu, grid, [&](Field now, Field next, bool* moved) {
        gpu::sweeps(on_gpu, grid, 0, 2 * of_a_step, now, next, moved);
      });
      const auto one_by_one = swept(on_gpu, grid, [&](Field now, Field next, bool* moved) {
        for (int i = 0; i < 2 * of_a_step; ++i) {
          bool has_moved = false;
          *moved ? gpu::sweeps(on_gpu, grid, i % of_a_step, 1, next, now, &has_moved)
                 : gpu::sweeps(on_gpu, grid, i % of_a_step, 1, now, next, &has_moved);
          *moved = *moved != has_moved;
        }
      });
      const auto steps = swept(
          on_cpu, grid, [&](Field now, Field next, bool* moved) { cpu::sweeps(on_cpu, grid, 0, 2, now, next, moved); });
      EXPECT_EQ(at_once, one_by_one) << "order " << order << ", " << nx << " cells in a row";
      EXPECT_LT(largest_difference(at_once, steps), 1e-14) << "order " << order << ", " << nx << " cells in a row";
    }
  }
}

/// Returns a field after two steps; its rows are followed by gaps, and it starts `offset` elements after a boundary.
std::vector<double> swept_with_row_pad(const Stream& stream, const HeatProblem& problem, std::int64_t offset) {
  const HeatGrid grid = heat_ladder::grid_of(problem, heat_ladder::Gaps::own);
  const std::int64_t row_stride = heat_ladder::aligned_row_stride<double>(grid.shape.nx);
  Buffer<double> cells(stream, std::span<const double>(noise_field<double>(grid.shape)));
  Buffer<double> one(stream, offset + grid.shape.nz * grid.shape.ny * row_stride);
  Buffer<double> other(stream, one.size());
  const Field plain = contiguous_field(cells.span(), grid.shape);
  const Field now = field_of_rows(one.data() + offset, grid.shape, row_stride);
  const Field next = field_of_rows(other.data() + offset, grid.shape, row_stride);
  gpu::copy_field<double>(stream, plain, now);
  gpu::copy_frozen<double>(stream, grid, plain, next);
  bool moved = false;
  gpu::sweeps(stream, grid, 0, 2 * gpu::sweep_plan(grid.radius).n_sweeps, now, next, &moved);
  gpu::copy_field<double>(stream, moved ? next : now, plain);
  std::vector<double> result(static_cast<std::size_t>(cells.size()));
  cells.copy_to(result);
  return result;
}

// Off a boundary, rows are swept as on GPUs without TMA.
TEST_F(HeatField, SweepsRowsFollowedByGaps) {
  for (const int order : {4, 6}) {
    const HeatProblem problem{.shape = {13, 14, 37}, .spacing = {1, 1.5, 0.8}, .order = order, .dt = 0.01};
    const auto steps = swept(on_cpu, heat_ladder::grid_of(problem), [&](Field now, Field next, bool* moved) {
      cpu::sweeps(on_cpu, heat_ladder::grid_of(problem), 0, 2, now, next, moved);
    });
    for (const std::int64_t offset : {0, 1}) {
      EXPECT_LT(largest_difference(swept_with_row_pad(on_gpu, problem, offset), steps), 1e-14)
          << "order " << order << ", offset " << offset;
    }
  }
}

// Boxes at faces and inside; rows that start at multiples of 16 bytes, and others.
TEST_F(HeatField, AdvancesABoxLikeTheCpu) {
  for (const int order : {2, 8}) {
    const std::int64_t ghosts = 2 * order;
    const HeatProblem problem{.shape = {12 + ghosts, 11 + ghosts, 21 + 2 * ghosts}, .order = order, .dt = 0.01};
    const HeatGrid grid = heat_ladder::grid_of(problem);
    const GridBox box{ghosts, 0, ghosts, {12, 11, 21}};
    const auto result = [&](const Stream& stream, const auto& advance_box) {
      const Buffer<float> in(stream, std::span<const float>(noise_field<float>(problem.shape)));
      Buffer<float> work(stream, heat_box_work_size(problem, box));
      FieldWithGaps<float> out(stream, problem.shape,
                               {problem.shape.nx + 1, problem.shape.ny * (problem.shape.nx + 1)});
      advance_box(stream, grid, box, contiguous_field(in.span(), problem.shape), out.view().box(box), work.data());
      return out.cells();
    };
    EXPECT_LT(largest_difference(result(on_gpu, gpu::advance_box<float>), result(on_cpu, cpu::advance_box<float>)),
              1e-6)
        << "order " << order;
  }
}

/// A stage on noise: one axis for each kind of face, a source, and a diffusivity or none.
struct StageFields {
  StageFields(const Stream& stream, int radius, bool varies)
      : now(stream, std::span<const double>(noise_field<double>(shape))),
        before(stream, std::span<const double>(noise_field<double>({shape.nx, shape.ny, shape.nz}))),
        diffusivity(stream, std::span<const double>(
                                field_of<double>(shape, [](auto... at) { return 0.5 + noise(at...) / 2; }))),
        between(stream, std::span<const double>(field_of<double>({shape.nz + 1, shape.ny + 1, shape.nx + 1},
                                                                 [](auto... at) { return 0.5 + noise(at...) / 2; }))) {
    using Kind = HeatFace::Kind;
    const auto axis = [&](std::int64_t n, std::int64_t stride, heat_ladder::ConductionFace<double> low,
                          heat_ladder::ConductionFace<double> high) {
      heat_ladder::ConductionAxis<double> result{n, stride, 0, n, low, high};
      for (int k = 0; k < radius; ++k) result.weight[k] = 0.1 / (k + 1);
      return result;
    };
    stage = {.shape = shape,
             .radius = radius,
             .z = axis(shape.nz, shape.ny * shape.nx, {Kind::periodic}, {Kind::periodic}),
             .y = axis(shape.ny, shape.nx, {Kind::value, 3}, {Kind::flux, 0.7}),
             .x = axis(shape.nx, 1, {Kind::flux, 0.3}, {Kind::frozen}),
             .source_scale = 0.25,
             .u = now.data(),
             .v = before.data(),
             .diffusivity = varies ? diffusivity.data() : nullptr,
             .source = before.data(),
             .out = now.data()};
    stage.x.end_free -= heat_ladder::reach_of(radius, varies);
    for (auto* each : {&stage.z, &stage.y, &stage.x}) each->between = between.data();
  }

  /// Adds a Robin face, amounts of single cells of faces, and capacities.
  void add_rest() {
    stage.x.low = {HeatFace::Kind::robin, 0, 0.4, before.data()};
    stage.y.low.amounts = before.data() + 100;
    stage.per_capacity = diffusivity.data();
  }

  std::vector<double> result() const {
    std::vector<double> host(static_cast<std::size_t>(shape.n_cells()));
    now.copy_to(host);
    return host;
  }

  static constexpr GridShape shape{5, 9, 37};
  Buffer<double> now, before, diffusivity, between;
  heat_ladder::ConductionStage<double> stage{};
};

TEST_F(HeatField, ConductsLikeTheCpu) {
  for (int i = 0; i < 16; ++i) {
    const int radius = i / 4 + 1;
    const bool varies = i % 4 < 2, has_rest = i % 2 == 1;
    StageFields there(on_gpu, radius, varies);
    StageFields here(on_cpu, radius, varies);
    for (StageFields* fields : {&there, &here}) {
      if (has_rest) fields->add_rest();
    }
    gpu::conduct(on_gpu, there.stage);
    cpu::conduct(on_cpu, here.stage);
    EXPECT_LT(largest_difference(there.result(), here.result()), 1e-13) << radius << varies << has_rest;
  }
}

/// Makes the executor report accesses between rows.
void forbid_gaps(const GridView<float>& field) {
  const auto row = [&](std::int64_t i) { return field.row(i / field.shape.ny, i % field.shape.ny); };
  for (std::int64_t i = 0; i + 1 < field.shape.nz * field.shape.ny; ++i) {
    float* end = row(i) + field.shape.nx;
    core::backend(Device::simt).forbid(end, (row(i + 1) - end) * std::int64_t{sizeof(float)});
  }
}

// Fields with different strides: by TMA copies; cell by cell, if the last vector of a row would extend beyond it or
// rows are not aligned; and through the scratch.
TEST_F(HeatField, StepsBetweenFieldsOfDifferentStrides) {
  struct Way {
    const heat_ladder::HeatRung& rung;
    int order;
    std::int64_t nx;
    std::int64_t n_steps;
  };
  for (const auto& [rung, order, nx, n_steps] : {Way{gpu::by_size, 8, 36, 2}, Way{gpu::fused_sweeps, 2, 38, 1},
                                                 Way{gpu::fused_sweeps, 2, 37, 2}, Way{gpu::by_size, 4, 37, 2}}) {
    const HeatProblem problem{.shape = {10, 12, nx}, .spacing = {1, 1.5, 0.8}, .order = order, .dt = 0.01};
    FieldWithGaps<float> in(on_gpu, problem.shape, {40, 12 * 40});
    FieldWithGaps<float> out(on_gpu, problem.shape, {44, 13 * 44 + 4});
    FieldWithGaps<float> work(on_gpu, problem.shape, {nx, 12 * nx});
    for (const GridView<float>& field : {in.view(), out.view()}) forbid_gaps(field);
    rung(on_gpu, HeatArgs<float>{heat_ladder::grid_of(problem), n_steps, in.view(), out.view(), work.view()});
    const std::vector<float> start = noise_field<float>(problem.shape);
    EXPECT_LT(largest_difference(out.cells(), advanced(on_cpu, problem, n_steps, start)), 1e-6) << "order " << order;
    EXPECT_EQ(in.cells(), start) << "order " << order;
  }
}

}  // namespace
}  // namespace rafter

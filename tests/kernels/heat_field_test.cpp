// What a heat solver on a GPU does with its fields, on the executor under all its checkers: the same as on a CPU.
#define RAFTER_BACKEND simt
#include "heat/heat_field.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/backend.hpp"
#include "heat_fields.hpp"
#include "simt/device/simt_device.hpp"

namespace rafter {
namespace {

using heat_ladder::HeatGrid;
using heat_ladder::PaddedField;
namespace cpu = heat_ladder::cpu;
namespace gpu = heat_ladder::simt;

class HeatField : public testing::Test {
 protected:
  static void SetUpTestSuite() { simt::provide_device(); }
  void TearDown() override { EXPECT_EQ(core::backend(Device::simt).take_complaints().value_or(""), ""); }

  const Stream on_cpu = Stream::on(Device::cpu);
  const Stream on_gpu = Stream::on(Device::simt);
};

/// What `change(data)` makes of a field.
template <class T, class Change>
std::vector<T> changed(const Stream& stream, const std::vector<T>& field, const Change& change) {
  Buffer<T> there(stream, std::span<const T>(field));
  change(there.data());
  std::vector<T> result(field.size());
  there.copy_to(result);
  return result;
}

constexpr HeatBoundary with_ghosts[] = {HeatBoundary::periodic, HeatBoundary::zero_flux};
constexpr PaddedField padded_fields[] = {
    {{17, 19, 23}, 4, 1}, {{9, 10, 12}, 4, 0}, {{5, 41, 6}, 2, 2}, {{3, 4, 36}, 1, 0}, {{2, 3, 9}, 0, 3}};

TEST_F(HeatField, FillsGhosts) {
  for (const PaddedField& field : padded_fields) {
    const std::vector<float> before = noise_field<float>(field.memory());
    for (const HeatBoundary boundary : with_ghosts) {
      EXPECT_EQ(changed(on_gpu, before, [&](float* data) { gpu::fill_ghosts(on_gpu, field, boundary, data); }),
                changed(on_cpu, before, [&](float* data) { cpu::fill_ghosts(on_cpu, field, boundary, data); }));
    }
  }
}

TEST_F(HeatField, PadsAndUnpads) {
  for (const PaddedField& field : padded_fields) {
    const std::vector<double> inside = noise_field<double>(field.inside());
    const std::vector<double> around(static_cast<std::size_t>(field.memory().n_cells()), 0.);
    const Buffer<double> there(on_gpu, std::span<const double>(inside));
    const Buffer<double> here(on_cpu, std::span<const double>(inside));
    const auto padded = changed(on_gpu, around, [&](double* data) { gpu::pad(on_gpu, field, there.data(), data); });
    EXPECT_EQ(padded, changed(on_cpu, around, [&](double* data) { cpu::pad(on_cpu, field, here.data(), data); }));
    const Buffer<double> on(on_gpu, std::span<const double>(padded));
    EXPECT_EQ(inside, changed(on_gpu, std::vector<double>(inside.size()),
                              [&](double* data) { gpu::unpad(on_gpu, field, on.data(), data); }));
  }
}

TEST_F(HeatField, CopiesFrozenCellsAndWholeFields) {
  for (const int radius : {1, 4}) {
    const HeatGrid grid{{9, 12, 13}, radius};
    const std::vector<float> from = noise_field<float>(grid.shape);
    const std::vector<float> to(from.size(), 7.f);
    const Buffer<float> there(on_gpu, std::span<const float>(from));
    const Buffer<float> here(on_cpu, std::span<const float>(from));
    EXPECT_EQ(changed(on_gpu, to, [&](float* data) { gpu::copy_frozen(on_gpu, grid, there.data(), data); }),
              changed(on_cpu, to, [&](float* data) { cpu::copy_frozen(on_cpu, grid, here.data(), data); }));
    EXPECT_EQ(from, changed(on_gpu, to,
                            [&](float* data) { gpu::copy_field(on_gpu, there.data(), data, grid.shape.n_cells()); }));
  }
}

TEST_F(HeatField, Summarizes) {
  for (const PaddedField& field : padded_fields) {
    const std::vector<float> cells = noise_field<float>(field.memory());
    const Buffer<float> there(on_gpu, std::span<const float>(cells));
    const Buffer<float> here(on_cpu, std::span<const float>(cells));
    HeatSummary found;
    HeatSummary expected;
    gpu::summarize(on_gpu, field, there.data(), &found);
    cpu::summarize(on_cpu, field, here.data(), &expected);
    EXPECT_NEAR(found.total, expected.total, 1e-12);
    EXPECT_EQ(found.min, expected.min);
    EXPECT_EQ(found.max, expected.max);
  }
}

/// What sweeps make of a field.
template <class Sweeps>
std::vector<double> swept(const Stream& stream, const HeatGrid& grid, const Sweeps& sweeps) {
  const std::vector<double> field = noise_field<double>(grid.memory());
  Buffer<double> now(stream, std::span<const double>(field));
  Buffer<double> next(stream, std::span<const double>(field));  // its frozen cells are set
  bool moved = false;
  sweeps(now.data(), next.data(), &moved);
  std::vector<double> result(field.size());
  (moved ? next : now).copy_to(result);
  return result;
}

// Rows that are aligned go in one launch; the others, and order 2, in sweeps.
TEST_F(HeatField, SweepsSeveralTimesAsOneByOne) {
  for (const int order : {2, 4, 8}) {
    for (const std::int64_t nx : {37, 40}) {
      const HeatProblem problem{.shape = {11, 13, nx}, .spacing = {1, 1.5, 0.8}, .order = order, .dt = 0.01};
      const HeatGrid grid = heat_ladder::grid_of(problem);
      const int of_a_step = gpu::sweep_plan(grid.radius).n_sweeps;
      const auto at_once = swept(on_gpu, grid, [&](double* now, double* next, bool* moved) {
        gpu::sweeps(on_gpu, grid, 0, 3 * of_a_step, now, next, moved);
      });
      const auto one_by_one = swept(on_gpu, grid, [&](double* now, double* next, bool* moved) {
        for (int i = 0; i < 3 * of_a_step; ++i) {
          bool has_moved = false;
          *moved ? gpu::sweeps(on_gpu, grid, i % of_a_step, 1, next, now, &has_moved)
                 : gpu::sweeps(on_gpu, grid, i % of_a_step, 1, now, next, &has_moved);
          *moved = *moved != has_moved;
        }
      });
      const auto steps = swept(on_cpu, grid, [&](double* now, double* next, bool* moved) {
        cpu::sweeps(on_cpu, grid, 0, 3, now, next, moved);
      });
      EXPECT_EQ(at_once, one_by_one) << "order " << order << ", " << nx << " cells in a row";
      EXPECT_LT(largest_difference(at_once, steps), 1e-14) << "order " << order << ", " << nx << " cells in a row";
    }
  }
}

/// Two steps of a field whose rows have something behind them, and which begins `offset` elements after a boundary.
std::vector<double> swept_with_row_pad(const Stream& stream, const HeatProblem& problem, std::int64_t offset) {
  const HeatGrid grid = heat_ladder::grid_of(problem, heat_ladder::aligned_row_pad<double>(problem.shape.nx));
  const PaddedField layout{grid.shape, 0, grid.row_pad};
  Buffer<double> plain(stream, std::span<const double>(noise_field<double>(grid.shape)));
  Buffer<double> one(stream, offset + grid.memory().n_cells());
  Buffer<double> other(stream, one.size());
  double* now = one.data() + offset;
  double* next = other.data() + offset;
  gpu::pad(stream, layout, plain.data(), now);
  gpu::pad(stream, layout, plain.data(), next);
  bool moved = false;
  gpu::sweeps(stream, grid, 0, 2 * gpu::sweep_plan(grid.radius).n_sweeps, now, next, &moved);
  gpu::unpad(stream, layout, moved ? next : now, plain.data());
  std::vector<double> result(static_cast<std::size_t>(plain.size()));
  plain.copy_to(result);
  return result;
}

// Off a boundary they are swept as on GPUs that copy no boxes.
TEST_F(HeatField, SweepsRowsWithSomethingBehindThem) {
  for (const int order : {2, 4, 6, 8}) {
    const HeatProblem problem{.shape = {13, 14, 37}, .spacing = {1, 1.5, 0.8}, .order = order, .dt = 0.01};
    const auto steps = swept(on_cpu, heat_ladder::grid_of(problem), [&](double* now, double* next, bool* moved) {
      cpu::sweeps(on_cpu, heat_ladder::grid_of(problem), 0, 2, now, next, moved);
    });
    for (const std::int64_t offset : {0, 1}) {
      EXPECT_LT(largest_difference(swept_with_row_pad(on_gpu, problem, offset), steps), 1e-14)
          << "order " << order << ", offset " << offset;
    }
  }
}

}  // namespace
}  // namespace rafter

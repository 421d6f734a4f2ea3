// by_size: n_steps steps of u' = P(dt L) u on a grid [nz, ny, nx]. All stages in one launch for small grids, fused
// sweeps for large ones. Bound by instruction issue (large grids) and by latencies between blocks (small ones).
#include <utility>

#include "heat/cuda/heat_steps.hpp"
#include "heat/heat_tunables.hpp"
#include "library/core/cuda/policy.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

namespace {

/// Whether one launch is faster than sweeps: up to cubes of floats of a tuned size, by radius (heat_tunables.hpp).
/// Orders 2 and 4 always use sweeps.
template <class T>
bool pays_in_one_launch(const HeatGrid& grid, std::initializer_list<GridView<const T>> fields) {
  const std::int64_t largest = core::tuned(one_launch_side);
  const std::int64_t largest_side[max_radius + 1] = {0, 0, 0, largest * 7 / 10, largest};
  const std::int64_t side = largest_side[grid.radius];
  const std::int64_t bytes = grid.shape.n_cells() * std::int64_t{sizeof(T)};
  return bytes <= side * side * side * std::int64_t{sizeof(float)} && one_launch_is_possible<T>(grid, fields);
}

/// Advances a field whose rows do not start at multiples of 16 bytes in the stream's scratch, with padded rows: TMA
/// needs such rows, and a kernel without TMA takes twice as long. Returns false if the scratch is too small.
template <class T>
bool advance_in_scratch(const Stream& stream, const HeatArgs<T>& args) {
  HeatGrid grid = args.grid;
  grid.gaps = Gaps::own;
  const std::int64_t row_stride = aligned_row_stride<T>(grid.shape.nx);
  const std::int64_t field_bytes = grid.shape.nz * grid.shape.ny * row_stride * std::int64_t{sizeof(T)};
  const std::int64_t before = ceil_div(one_launch_scratch_bytes<T>(grid), std::int64_t{256}) * 256;
  const std::int64_t bytes = before + 2 * ceil_div(field_bytes, std::int64_t{256}) * 256;
  if (args.n_steps == 0 || bytes > core::scratch_limit(stream) || !has_tma()) return false;
  std::byte* scratch = core::scratch(stream, bytes);
  const auto field_at = [&](std::int64_t offset) {
    return field_of_rows(reinterpret_cast<T*>(scratch + offset), grid.shape, row_stride);
  };
  const GridView<T> now = field_at(before);
  const GridView<T> next = field_at((before + bytes) / 2);
  copy_field(stream, args.in, now);
  copy_frozen(stream, grid, args.in, next);
  bool moved = false;
  sweeps(stream, grid, 0, args.n_steps * sweep_plan(grid.radius).n_sweeps, now, next, &moved);
  copy_field<T>(stream, moved ? next : now, args.out);
  return true;
}

}  // namespace

extern const HeatRung by_size{[]<class T>(const Stream& stream, HeatArgs<T> args) {
  if (pays_in_one_launch<T>(args.grid, {args.in, args.work, args.out})) return advance_in_one_launch(stream, args);
  const bool is_aligned = can_sweep_by_tma<T>(args.grid, {args.in, args.work, args.out});
  if (is_aligned || !advance_in_scratch(stream, args)) advance_fused(stream, args);
}};

template <class T>
void sweeps(const Stream& stream, const HeatGrid& grid, int first, std::int64_t n, GridView<T> now, GridView<T> next,
            bool* moved) {
  const int n_sweeps = sweep_plan(grid.radius).n_sweeps;  // per step
  *moved = false;
  if (pays_in_one_launch<T>(grid, {now, next})) {
    const int n_factors = 2 / n_sweeps;  // per sweep
    return factors_in_one_launch<T>(stream, grid, first * n_factors, n * n_factors, now, next, now);
  }
  for (std::int64_t i = 0; i < n; ++i, std::swap(now, next), *moved = !*moved)
    fused_sweep<T>(stream, grid, static_cast<int>((first + i) % n_sweeps), now, next);
}

// The box and its surroundings are a grid of their own: errors near its frozen cells do not reach the box in four
// stages, except at faces of the whole grid, where cells are frozen.
template <class T>
void advance_box(const Stream& stream, const HeatGrid& grid, const GridBox& box, GridView<const T> in, GridView<T> out,
                 T* work) {
  const GridBox around = surroundings_of(box, grid.shape, grid.radius);
  HeatGrid own = grid;
  own.shape = around.shape;
  own.gaps = Gaps::own;
  const std::int64_t row_stride = aligned_row_stride<T>(around.shape.nx);
  const GridView<T> now = field_of_rows(work, around.shape, row_stride);
  const GridView<T> next = field_of_rows(work + box_field_size(around.shape), around.shape, row_stride);
  copy_field<T>(stream, in.box(around), now);
  copy_frozen<T>(stream, own, now, next);
  bool moved = false;
  sweeps(stream, own, 0, sweep_plan(grid.radius).n_sweeps, now, next, &moved);
  copy_field<T>(stream, (moved ? next : now).box(box.z - around.z, box.y - around.y, box.x - around.x, box.shape), out);
}

RAFTER_HEAT_SWEEPS_OF(float);
RAFTER_HEAT_SWEEPS_OF(double);

}  // namespace rafter::heat_ladder::RAFTER_BACKEND

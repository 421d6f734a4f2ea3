// wavefront: u' = P(dt L) u on a grid [nz, ny, nx]; all four stages of a step move through the planes together, so the
// grid is read once and written once. A stage computes a group of four planes as soon as the previous stage is one
// group ahead, in rings of three groups that stay in the caches. Threads divide the rows of a plane and wait only for
// the threads with adjacent rows, which must have finished the previous groups. Grids whose rings would be too large
// are cut into bands of rows (and columns) that recompute a few cells around them.
// Bound by multiply-adds.
#include <algorithm>
#include <cstring>
#include <utility>

#include "heat/cpu/heat_bands.hpp"
#include "heat/cpu/heat_stage.hpp"
#include "heat/heat_field.hpp"
#include "heat/heat_simd.hpp"
#include "heat/heat_sweeps.hpp"
#include "library/core/parts.hpp"
#include "library/core/stream/scratch.hpp"

namespace rafter::heat_ladder::cpu {

namespace {

/// Returns the loops for rows of n_cells cells. A lane's piece of a row must be at least as long as the radius.
template <class T>
const StageLoops<T>& loops_for(std::int64_t n_cells, int radius) {
  const StageLoops<T>& wide = heat_loops().of(static_cast<const T*>(nullptr));
  return ceil_div(n_cells, wide.lanes) >= radius ? wide : heat_loops().narrow(static_cast<const T*>(nullptr));
}

/// A sweep over one band; shared by all threads. The band's cells, with a margin of `radius` per stage as far as the
/// grid extends, are a grid of their own: errors near its frozen cells do not reach the band in four stages.
template <class T>
class BandSweep {
 public:
  BandSweep(const HeatGrid& grid, const Band& band, const GridView<const T>& from, const GridView<T>& to, T* memory)
      : grid_(grid),
        band_(band),
        all_(region(0)),
        free_z_{grid.radius, grid.shape.nz - grid.radius},
        free_y_{grid.radius, grid.shape.ny - grid.radius},
        n_cells_(all_.x.size() - 2 * grid.radius),
        loops_(loops_for<T>(n_cells_, grid.radius)),
        layout_(all_.y.size(), n_cells_, grid.radius, loops_.lanes, sizeof(T)),
        from_(from),
        to_(to),
        memory_(memory) {
    for (int s = 1; s <= n_stages; ++s) {
      const RkFactor& factor = rk_factors[static_cast<std::size_t>(s - 1) / 2];
      weights_[s] = stage_weights<T>(grid, s % 2 == 1 ? factor.inner : factor.outer);
    }
  }

  std::int64_t n_steps() const { return n_groups() + n_stages; }

  /// Processes one step of one thread's part, the rows in `own`: a group of planes in each stage.
  void run(const Range& own, std::int64_t step) const {
    for (int s = 0; s <= n_stages; ++s) {
      if (step - s >= 0 && step - s < n_groups()) stage(s, step - s - 1, own);
    }
  }

 private:
  static constexpr std::int64_t rows_at_once = 16;  // the stencils' results are still in the cache

  std::int64_t n_groups() const { return (grid_.shape.nz - 1 - grid_.radius) / stage_planes + 2; }  // from -1

  /// Returns the cells of stage s that the later stages need.
  Band region(int s) const {
    const std::int64_t margin = (n_stages - s) * grid_.radius;
    return {common(widened(band_.y, margin), {0, grid_.shape.ny}),
            common(widened(band_.x, margin), {0, grid_.shape.nx})};
  }

  /// Returns vector 0 of a row.
  T* row(int ring, std::int64_t z, std::int64_t y) const { return memory_ + layout_.row(ring, z, y - all_.y.begin); }
  /// Returns the x index of the rows' first free cell.
  std::int64_t first_x() const { return all_.x.begin + grid_.radius; }

  void stage(int s, std::int64_t group, const Range& own) const {
    const std::int64_t first = grid_.radius + group * stage_planes;
    const Range planes = common({first, first + stage_planes}, {0, grid_.shape.nz});
    const Range rows = common(region(s).y, own);
    for (std::int64_t y = rows.begin; y < rows.end; y += rows_at_once) {
      const Range part = common({y, y + rows_at_once}, rows);
      s == 0 ? lift(planes, part) : compute(s, planes, part);
    }
  }

  void compute(int s, const Range& planes, const Range& rows) const {
    const Range free_planes = common(planes, free_z_);
    const Range free_rows = common(rows, free_y_);
    if (free_planes.size() > 0 && free_rows.size() > 0) apply_stencil(s, free_planes, free_rows);
    if (s == n_stages) return lower(free_planes, free_rows);
    for (std::int64_t z = planes.begin; z < planes.end; ++z) {
      for (std::int64_t y = rows.begin; y < rows.end; ++y) keep_frozen(s, z, y);
    }
  }

  void lift(const Range& planes, const Range& rows) const {
    for (std::int64_t z = planes.begin; z < planes.end; ++z) {
      for (std::int64_t y = rows.begin; y < rows.end; ++y)
        loops_.lift(from_.row(z, y) + first_x(), row(0, z, y), n_cells_, grid_.radius);
    }
  }

  void lower(const Range& planes, const Range& rows) const {
    const std::int64_t first = first_x();
    for (std::int64_t z = planes.begin; z < planes.end; ++z) {
      for (std::int64_t y = rows.begin; y < rows.end; ++y)
        loops_.lower(row(n_stages, z, y), to_.row(z, y) + first, n_cells_, band_.x.begin - first, band_.x.end - first);
    }
  }

  /// Copies the frozen cells from the previous stage.
  void keep_frozen(int s, std::int64_t z, std::int64_t y) const {
    const T* before = row(s - 1, z, y);
    T* after = row(s, z, y);
    if (free_z_.holds(z) && free_y_.holds(y)) return loops_.close(before, after, n_cells_, grid_.radius);
    const std::int64_t begin = -layout_.lead;
    std::memcpy(after + begin, before + begin, static_cast<std::size_t>(layout_.pitch) * sizeof(T));
  }

  void apply_stencil(int s, const Range& planes, const Range& rows) const {
    const std::int64_t r = grid_.radius;
    StageArgs<T> args;
    args.stencil = weights_[s];
    args.n_planes = planes.size();
    args.n_rows = rows.size();
    args.n_cells = n_cells_;
    args.pitch = layout_.pitch;
    for (std::int64_t i = 0; i < planes.size() + 2 * r; ++i) args.in[i] = row(s - 1, planes.begin - r + i, rows.begin);
    for (std::int64_t i = 0; i < planes.size(); ++i) {
      args.base[i] = row(s % 2 == 1 ? s - 1 : s - 2, planes.begin + i, rows.begin);  // the factor's input
      args.out[i] = row(s, planes.begin + i, rows.begin);
    }
    loops_.lifted[grid_.radius - 1](args);
  }

  HeatGrid grid_;
  Band band_;
  Band all_;
  Range free_z_;
  Range free_y_;
  std::int64_t n_cells_;  // free cells per row
  const StageLoops<T>& loops_;
  RingLayout layout_;
  GridView<const T> from_;
  GridView<T> to_;
  T* memory_;
  StageWeights<T> weights_[n_stages + 1];
};

template <class T>
void run_step(const Stream& stream, const HeatGrid& grid, const GridView<const T>& from, const GridView<T>& to) {
  const std::int64_t r = grid.radius;
  const BandPlan plan(grid, heat_loops().of(from.data).lanes, sizeof(T), core::scratch_limit(stream));
  auto* memory = reinterpret_cast<T*>(core::scratch(stream, plan.ring_bytes()));
  // A thread's stencils read the adjacent threads' rows and no further.
  const std::int64_t useful = std::max<std::int64_t>(plan.least_rows() / r, 1);
  const int most = static_cast<int>(std::min<std::int64_t>(stream.n_threads(), useful));
  for (std::int64_t i = 0; i < plan.n_bands(); ++i) {
    const Band band = plan.band(i);
    const BandSweep<T> sweep(grid, band, from, to, memory);
    core::run_in_steps(most, sweep.n_steps(), [&](int thread, int n_threads, std::int64_t step) {
      sweep.run(BandPlan::rows_of(band, thread, n_threads), step);
    });
  }
}

}  // namespace

SweepPlan sweep_plan(int radius) { return {1, n_stages * radius}; }

template <class T>
void sweeps(const Stream& stream, const HeatGrid& grid, int, std::int64_t n, GridView<T> now, GridView<T> next,
            bool* moved) {
  for (std::int64_t i = 0; i < n; ++i, std::swap(now, next)) run_step<T>(stream, grid, now, next);
  *moved = n % 2 == 1;
}

RAFTER_HEAT_SWEEPS_OF(float);
RAFTER_HEAT_SWEEPS_OF(double);

extern const HeatRung wavefront{[]<class T>(const Stream& stream, HeatArgs<T> args) {
  using From = GridView<const T>;
  using To = GridView<T>;
  run_sweeps(
      args, sweep_plan(args.grid.radius).n_sweeps,
      [&](const From& from, const To& to) { copy_frozen(stream, args.grid, from, to); },
      [&](const From& from, const To& to) { copy_field(stream, from, to); },
      [&](int, const From& from, const To& to) { run_step(stream, args.grid, from, to); });
}};

}  // namespace rafter::heat_ladder::cpu

// wavefront: u' = P(dt L) u on a grid [nz, ny, nx]; all four stages of a step move through the planes together, so the
// grid is read once and written once. A stage computes a group of four planes as soon as the previous stage is one
// group ahead, in rings of three groups that stay in the caches. Threads divide the rows of a plane and wait only for
// the threads with adjacent rows, which must have finished the previous groups. Grids whose rings would be too large
// are cut into bands of rows (and columns) that recompute a few cells around them.
// Periodic and zero-flux boundaries: the rings have a few ghost rows and columns, which each stage copies from its own
// cells. A stage finds the planes beyond a face in the rings: mirrored ones are there at the time; on a periodic grid
// each stage begins and ends four planes later than the previous one, whose first planes are kept until then.
// Bound by multiply-adds.
#include <algorithm>
#include <cstring>
#include <limits>
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
  const T* type = nullptr;
  const auto fit = [&](const StageLoops<T>& loops) { return ceil_div(n_cells, std::int64_t{loops.lanes}) >= radius; };
  if (fit(heat_loops().of(type))) return heat_loops().of(type);
  return fit(heat_loops().half(type)) ? heat_loops().half(type) : heat_loops().narrow(type);
}

/// A sweep over one band; shared by all threads. The band's cells, with a margin of `radius` per stage as far as the
/// grid extends, are a grid of their own: errors near its frozen cells do not reach the band in four stages.
template <class T>
class BandSweep {
 public:
  /// `to` is a box of the grid; the planes are those of the box.
  BandSweep(const HeatGrid& grid, const BandPlan& plan, std::int64_t band, const GridView<const T>& from,
            const GridBox& box, const GridView<T>& to, T* memory)
      : grid_(grid),
        is_frozen_(grid.boundary == HeatBoundary::frozen),
        band_(plan.band(band)),
        all_(plan.around(band_)),
        has_ghost_rows_(plan.has_ghost_rows()),
        is_whole_row_(plan.has_ghost_cols() && band_.x.size() == grid.shape.nx),
        free_z_(is_frozen_ ? Range{grid.radius, grid.shape.nz - grid.radius} : anywhere),
        free_y_(is_frozen_ ? Range{grid.radius, grid.shape.ny - grid.radius} : anywhere),
        n_cells_(all_.x.size() - 2 * grid.radius),
        loops_(loops_for<T>(n_cells_, grid.radius)),
        layout_(all_.y.size(), n_cells_, grid.radius, loops_.lanes, sizeof(T)),
        from_(from),
        box_(box),
        to_(to),
        memory_(memory) {
    for (int s = 1; s <= n_stages; ++s) {
      const RkFactor& factor = rk_factors[static_cast<std::size_t>(s - 1) / 2];
      weights_[s] = stage_weights<T>(grid, s % 2 == 1 ? factor.inner : factor.outer);
    }
    if (plan.has_ghost_cols()) ghost_cols_ = ghosts_of_rows();
  }

  std::int64_t n_steps() const { return n_groups() + n_stages; }

  /// Processes one step of one thread's part, the rows in `own`: a group of planes in each stage.
  void run(const Range& own, std::int64_t step) const {
    for (int s = 0; s <= n_stages; ++s) {
      if (step - s >= 0 && step - s < n_groups()) stage(s, step - s, own);
    }
  }

 private:
  static constexpr std::int64_t rows_at_once = 16;  // the stencils' results are still in the cache
  static constexpr Range anywhere{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};

  bool is_periodic() const { return grid_.boundary == HeatBoundary::periodic; }

  /// Returns the planes of stage s that the later stages need. Those of a periodic grid extend beyond it.
  Range planes_of(int s) const {
    const Range grid{0, grid_.shape.nz};
    if (is_frozen_) return common(widened({box_.z, box_.z + box_.shape.nz}, (n_stages - s) * grid_.radius), grid);
    if (!is_periodic()) return grid;
    if (s == 0) return widened(grid, stage_planes);
    return {grid.begin + (s - 1) * stage_planes, grid.end + (s - 1) * stage_planes};
  }
  /// Returns the first plane of group 0 of every stage. Groups of free planes are full from the first one on.
  std::int64_t first_plane() const {
    return is_frozen_ ? std::max(planes_of(1).begin, free_z_.begin) - stage_planes : planes_of(0).begin;
  }
  std::int64_t n_groups() const {
    const std::int64_t end = std::max(planes_of(0).end, planes_of(n_stages).end);
    return ceil_div(end - first_plane(), std::int64_t{stage_planes});
  }

  /// Returns the rows of stage s that the later stages need, without ghosts.
  Range rows_of(int s) const {
    const Range rows = widened(band_.y, (n_stages - s) * grid_.radius);
    return common(rows, is_frozen_ || has_ghost_rows_ ? Range{0, grid_.shape.ny} : all_.y);
  }

  /// Returns the place of a plane in a ring, also of planes beyond a face.
  std::int64_t slot(int ring, std::int64_t z) const {
    if (is_frozen_) return layout_.slot(ring, z);
    if (!is_periodic()) return layout_.slot(ring, source_of(z, grid_.shape.nz, grid_.boundary));
    if (ring == 0 || ring == n_stages) return layout_.slot(ring, z);
    std::int64_t at = z - planes_of(ring).begin;
    while (at >= grid_.shape.nz) at -= grid_.shape.nz;
    return at < kept_planes ? layout_.kept_slot(ring, at) : layout_.slot(ring, z);
  }

  /// Returns vector 0 of a row.
  T* row(int ring, std::int64_t z, std::int64_t y) const {
    return memory_ + layout_.row(slot(ring, z), y - all_.y.begin);
  }
  /// Returns the x index of the rows' first free cell.
  std::int64_t first_x() const { return all_.x.begin + grid_.radius; }

  void stage(int s, std::int64_t group, const Range& own) const {
    const std::int64_t first = first_plane() + group * stage_planes;
    const Range planes = common({first, first + stage_planes}, planes_of(s));
    const Range rows = common(rows_of(s), own);
    for (std::int64_t y = rows.begin; y < rows.end; y += rows_at_once) {
      const Range part = common({y, y + rows_at_once}, rows);
      s == 0 ? lift(planes, part) : compute(s, planes, part);
      if (has_ghost_rows_ && s < n_stages) copy_ghost_rows(s, planes, part);
    }
  }

  void compute(int s, const Range& planes, const Range& rows) const {
    const Range free_planes = common(planes, free_z_);
    const Range free_rows = common(rows, free_y_);
    if (free_planes.size() > 0 && free_rows.size() > 0) apply_stencil(s, free_planes, free_rows);
    if (s == n_stages) return lower(free_planes, free_rows);
    for (std::int64_t z = planes.begin; z < planes.end; ++z) {
      for (std::int64_t y = rows.begin; y < rows.end; ++y) complete_row(s, z, y);
    }
  }

  void lift(const Range& planes, const Range& rows) const {
    for (std::int64_t z = planes.begin; z < planes.end; ++z) {
      for (std::int64_t y = rows.begin; y < rows.end; ++y) lift_row(z, y);
    }
  }

  void lift_row(std::int64_t z, std::int64_t y) const {
    T* to = row(0, z, y);
    if (is_frozen_) return loops_.lift(from_.row(z, y) + first_x(), to, n_cells_, grid_.radius);
    const auto& [nz, ny, nx] = grid_.shape;
    const T* from = from_.row(source_of(z, nz, grid_.boundary), source_of(y, ny, grid_.boundary));
    if (is_whole_row_) {
      loops_.lift(from, to, n_cells_, 0);
      loops_.wrap(ghost_cols_, to, n_cells_, grid_.radius);
    } else if (all_.x.begin >= 0 && all_.x.end <= nx) {
      loops_.lift(from + first_x(), to, n_cells_, grid_.radius);
    } else {
      const T* line = continued(from, row(n_stages, z, y) - layout_.lead);  // the last stage does not use it now
      loops_.lift(line + grid_.radius, to, n_cells_, grid_.radius);
    }
  }

  /// Copies the cells of a row, from all_.x.begin on, and continues it beyond the faces.
  const T* continued(const T* from, T* line) const {
    const Range inner = common(all_.x, {0, grid_.shape.nx});
    const auto at = [&](std::int64_t x) -> T& { return line[x - all_.x.begin]; };
    const auto source = [&](std::int64_t x) { return from[source_of(x, grid_.shape.nx, grid_.boundary)]; };
    for (std::int64_t x = all_.x.begin; x < inner.begin; ++x) at(x) = source(x);
    std::copy(from + inner.begin, from + inner.end, &at(inner.begin));
    for (std::int64_t x = inner.end; x < all_.x.end; ++x) at(x) = source(x);
    return line;
  }

  void lower(const Range& planes, const Range& rows) const {
    const std::int64_t first = first_x();
    for (std::int64_t z = planes.begin; z < planes.end; ++z) {
      const std::int64_t to_z = is_frozen_ ? z : source_of(z, grid_.shape.nz, grid_.boundary);
      for (std::int64_t y = rows.begin; y < rows.end; ++y) {
        T* to = to_.row(to_z - box_.z, y - box_.y) + (band_.x.begin - box_.x);
        loops_.lower(row(n_stages, z, y), to, n_cells_, band_.x.begin - first, band_.x.end - first);
      }
    }
  }

  /// Sets the cells of a row that its stencil does not: frozen cells, from the previous stage, and ghost cells.
  void complete_row(int s, std::int64_t z, std::int64_t y) const {
    T* after = row(s, z, y);
    if (is_whole_row_) return loops_.wrap(ghost_cols_, after, n_cells_, grid_.radius);
    const T* before = row(s - 1, z, y);
    if (free_z_.holds(z) && free_y_.holds(y)) {
      loops_.close(before, after, n_cells_, grid_.radius);
      if (ghost_cols_.n > 0) loops_.wrap(ghost_cols_, after, n_cells_, grid_.radius);
      return;
    }
    const std::int64_t begin = -layout_.lead;
    std::memcpy(after + begin, before + begin, static_cast<std::size_t>(layout_.pitch) * sizeof(T));
  }

  /// Copies rows to where stencils read them beyond the faces.
  void copy_ghost_rows(int s, const Range& planes, const Range& rows) const {
    const std::int64_t ny = grid_.shape.ny;
    const std::int64_t r = grid_.radius;
    if (rows.begin >= r && rows.end <= ny - r) return;
    const auto bytes =
        static_cast<std::size_t>(ceil_div(n_cells_, std::int64_t{loops_.lanes}) * loops_.lanes) * sizeof(T);
    for (std::int64_t i = 0; i < 2 * r; ++i) {
      const std::int64_t ghost = i < r ? i - r : ny + i - r;
      const std::int64_t source = source_of(ghost, ny, grid_.boundary);
      if (!rows.holds(source) || !all_.y.holds(ghost)) continue;
      for (std::int64_t z = planes.begin; z < planes.end; ++z) std::memcpy(row(s, z, ghost), row(s, z, source), bytes);
    }
  }

  /// Returns the ghost cells of rows that end at a face.
  RowGhosts ghosts_of_rows() const {
    RowGhosts ghosts;
    const std::int64_t r = grid_.radius;
    const std::int64_t n_vectors = ceil_div(n_cells_, std::int64_t{loops_.lanes});
    const auto add = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t cell = begin; cell < end; ++cell, ++ghosts.n) {
        const std::int64_t source = source_of(first_x() + cell, grid_.shape.nx, grid_.boundary) - first_x();
        ghosts.to[ghosts.n] = loops_.place(cell, n_vectors);
        ghosts.from[ghosts.n] = loops_.place(source, n_vectors);
      }
    };
    if (all_.x.begin == -r) add(-r, 0);
    if (all_.x.end == grid_.shape.nx + r) add(n_cells_, n_vectors * loops_.lanes + r);
    return ghosts;
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
  bool is_frozen_;
  Band band_;
  Band all_;  // in the rings
  bool has_ghost_rows_;
  bool is_whole_row_;  // with ghosts at both ends
  RowGhosts ghost_cols_;
  Range free_z_;
  Range free_y_;
  std::int64_t n_cells_;  // free cells per row
  const StageLoops<T>& loops_;
  RingLayout layout_;
  GridView<const T> from_;
  GridBox box_;
  GridView<T> to_;
  T* memory_;
  StageWeights<T> weights_[n_stages + 1];
};

/// Advances the free cells of a box by a step; `to` is the box.
template <class T>
void run_step(const Stream& stream, const HeatGrid& grid, const GridView<const T>& from, const GridBox& box,
              const GridView<T>& to) {
  const std::int64_t r = grid.radius;
  const FreeBox free(grid, box);
  if (free.empty()) return;
  const BandPlan plan(grid, free, heat_loops().of(from.data).lanes, sizeof(T), core::scratch_limit(stream));
  auto* memory = reinterpret_cast<T*>(core::scratch(stream, plan.ring_bytes()));
  // A thread's stencils read the adjacent threads' rows and no further.
  const std::int64_t useful = std::max<std::int64_t>(plan.least_rows() / r, 1);
  const int most = static_cast<int>(std::min<std::int64_t>(stream.n_threads(), useful));
  // The first and the last thread copy each other's rows on a periodic grid.
  const auto order = grid.boundary == HeatBoundary::periodic ? core::ThreadOrder::ring : core::ThreadOrder::row;
  for (std::int64_t i = 0; i < plan.n_bands(); ++i) {
    const Band band = plan.band(i);
    const BandSweep<T> sweep(grid, plan, i, from, box, to, memory);
    core::run_in_steps(most, sweep.n_steps(), order, [&](int thread, int n_threads, std::int64_t step) {
      sweep.run(BandPlan::rows_of(band, thread, n_threads), step);
    });
  }
}

GridBox whole(const HeatGrid& grid) { return {0, 0, 0, grid.shape}; }

}  // namespace

template <class T>
void advance_box(const Stream& stream, const HeatGrid& grid, const GridBox& box, GridView<const T> in, GridView<T> out,
                 T*) {
  const FreeBox free(grid, box);
  const Range x = free.empty() ? Range{} : Range{free.x.begin - box.x, free.x.end - box.x};  // free cells of free rows
  core::for_each_part(stream, box.shape.nz * box.shape.ny, [&](std::int64_t row) {
    const std::int64_t z = row / box.shape.ny;
    const std::int64_t y = row % box.shape.ny;
    const T* from = in.row(box.z + z, box.y + y) + box.x;
    const bool has_free = free.z.holds(box.z + z) && free.y.holds(box.y + y);
    std::copy(from, from + (has_free ? x.begin : box.shape.nx), out.row(z, y));
    if (has_free) std::copy(from + x.end, from + box.shape.nx, out.row(z, y) + x.end);
  });
  run_step<T>(stream, grid, in, box, out);
}

SweepPlan sweep_plan(int) { return {1, 0}; }

template <class T>
void sweeps(const Stream& stream, const HeatGrid& grid, int, std::int64_t n, GridView<T> now, GridView<T> next,
            bool* moved) {
  for (std::int64_t i = 0; i < n; ++i, std::swap(now, next)) run_step<T>(stream, grid, now, whole(grid), next);
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
      [&](int, const From& from, const To& to) { run_step(stream, args.grid, from, whole(args.grid), to); });
}};

}  // namespace rafter::heat_ladder::cpu

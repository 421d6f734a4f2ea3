// The division of a grid for the CPU's wavefront: bands of rows and columns whose rings of planes fit in a given
// memory, the layout of the rings, and the cells that continue a grid beyond its faces.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "heat/heat_rung.hpp"
#include "heat/heat_simd.hpp"
#include "library/core/arithmetic.hpp"

namespace rafter::heat_ladder::cpu {

struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end - begin; }
  bool holds(std::int64_t i) const { return i >= begin && i < end; }
};

inline Range common(const Range& a, const Range& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }
inline Range widened(const Range& a, std::int64_t by) { return {a.begin - by, a.end + by}; }

/// Returns the cell of [0, n) whose value cell i has, which may be beyond the faces; periodic or zero flux.
inline std::int64_t source_of(std::int64_t i, std::int64_t n, HeatBoundary boundary) {
  if (i >= 0 && i < n) return i;
  const std::int64_t period = boundary == HeatBoundary::periodic ? n : 2 * n;
  const std::int64_t at = (i % period + period) % period;
  return at < n ? at : period - 1 - at;
}

/// A range of rows and columns, in all planes.
struct Band {
  Range y;
  Range x;
};

/// The cells that a step computes: those of a box of the grid that are not frozen.
struct FreeBox {
  Range z, y, x;

  FreeBox(const HeatGrid& grid, const GridBox& box) {
    const std::int64_t frozen = grid.boundary == HeatBoundary::frozen ? grid.radius : 0;
    const auto free = [&](std::int64_t first, std::int64_t n, std::int64_t n_grid) {
      return common({first, first + n}, {frozen, n_grid - frozen});
    };
    z = free(box.z, box.shape.nz, grid.shape.nz);
    y = free(box.y, box.shape.ny, grid.shape.ny);
    x = free(box.x, box.shape.nx, grid.shape.nx);
  }

  bool empty() const { return z.size() <= 0 || y.size() <= 0 || x.size() <= 0; }
};

inline constexpr int n_stages = 4;
inline constexpr int ring_planes = 3 * stage_planes;  // a group is written while its two predecessors are read

/// The planes of each of the first three stages that a periodic grid keeps until the end: each stage starts and ends
/// stage_planes later than the previous one, and reads those planes again after the last one. Stage 4 also reads the
/// result of stage 2.
inline constexpr int kept_planes = 2 * stage_planes;

/// The rings of lifted planes: of the field and the first three stages, and one group of planes of the last stage. Then
/// the kept planes.
struct RingLayout {
  static constexpr std::int64_t line_bytes = 64;
  static constexpr int n_ring_planes = n_stages * ring_planes + stage_planes;

  std::int64_t lead;   // elements from the beginning of a row to vector 0
  std::int64_t pitch;  // elements from row to row
  std::int64_t plane;  // elements from plane to plane

  /// Computes the layout: an odd number of cache lines from row to row, and 21 more than a multiple of 64 from plane to
  /// plane, so that adjacent rows and planes never map to the same few cache sets.
  RingLayout(std::int64_t n_rows, std::int64_t n_cells, int radius, int lanes, std::int64_t element_bytes) {
    const std::int64_t per_line = line_bytes / element_bytes;
    lead = ceil_div(radius * lanes, per_line) * per_line;
    const std::int64_t row_lines = ceil_div(lead + (ceil_div(n_cells, lanes) + radius) * lanes, per_line) | 1;
    const std::int64_t plane_lines = row_lines * n_rows;
    pitch = row_lines * per_line;
    plane = (plane_lines + (21 + 64 - plane_lines % 64) % 64) * per_line;
  }

  static int n_planes(HeatBoundary boundary) {
    return n_ring_planes + (boundary == HeatBoundary::periodic ? (n_stages - 1) * kept_planes : 0);
  }
  std::int64_t bytes(HeatBoundary boundary, std::int64_t element_bytes) const {
    return n_planes(boundary) * plane * element_bytes;
  }

  /// Returns the place of plane z, which may be as low as -ring_planes.
  static std::int64_t slot(int ring, std::int64_t z) {
    return ring * ring_planes + (z + ring_planes) % (ring < n_stages ? ring_planes : stage_planes);
  }
  /// Returns the place of a kept plane of stage 1, 2 or 3.
  static std::int64_t kept_slot(int stage, std::int64_t i) { return n_ring_planes + (stage - 1) * kept_planes + i; }

  std::int64_t row(std::int64_t slot, std::int64_t row) const { return slot * plane + row * pitch + lead; }
};

/// The bands of the free cells of a box.
class BandPlan {
 public:
  /// Finds the fewest bands whose rings take at most `most_bytes`, if possible.
  BandPlan(const HeatGrid& grid, const FreeBox& free, int lanes, std::int64_t element_bytes, std::int64_t most_bytes)
      : grid_(grid), free_y_(free.y), free_x_(free.x) {
    const auto bytes = [&] {
      return RingLayout(extent(most_rows(), grid.shape.ny, n_down_), extent(most_cols(), grid.shape.nx, n_across_),
                        grid.radius, lanes, element_bytes)
          .bytes(grid.boundary, element_bytes);
    };
    n_down_ = std::max<std::int64_t>(1, free_y_.size() / (4 * margin()));  // thinner bands compute too much twice
    while (bytes() > most_bytes && most_cols() > 4 * margin()) n_across_ *= 2;
    n_down_ = 1;
    while (bytes() > most_bytes && most_rows() > 1) ++n_down_;
    ring_bytes_ = bytes();
  }

  std::int64_t ring_bytes() const { return ring_bytes_; }
  std::int64_t least_rows() const { return free_y_.size() / n_down_; }  // per band
  std::int64_t n_bands() const { return n_down_ * n_across_; }

  Band band(std::int64_t i) const {
    const auto cut = [&](std::int64_t which, std::int64_t of, const Range& free) {
      return Range{free.begin + free.size() * which / of, free.begin + free.size() * (which + 1) / of};
    };
    return {cut(i / n_across_, n_down_, free_y_), cut(i % n_across_, n_across_, free_x_)};
  }

  /// Whether the rings have ghost rows (columns) at the faces, copies of other rows of the same plane. Bands of a cut
  /// periodic grid have none: they recompute the rows beyond a face like all others around them.
  bool has_ghost_rows() const { return has_ghosts(n_down_); }
  bool has_ghost_cols() const { return has_ghosts(n_across_); }

  /// Returns the cells in the rings for a band: those within the margin, as far as there are any.
  Band around(const Band& band) const {
    const auto widen = [&](const Range& own, std::int64_t n, bool with_ghosts) {
      const Range all = widened(own, margin());
      if (grid_.boundary == HeatBoundary::frozen) return common(all, {0, n});
      return with_ghosts ? common(all, {-grid_.radius, n + grid_.radius}) : all;
    };
    return {widen(band.y, grid_.shape.ny, has_ghost_rows()), widen(band.x, grid_.shape.nx, has_ghost_cols())};
  }

  /// Returns a thread's rows of a band; the first and the last thread's extend beyond it.
  static Range rows_of(const Band& band, int thread, int n_threads) {
    constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 2;
    const auto cut = [&](int i) {
      return i == 0 ? -far : i == n_threads ? far : band.y.begin + band.y.size() * i / n_threads;
    };
    return {cut(thread), cut(thread + 1)};
  }

 private:
  std::int64_t margin() const { return n_stages * grid_.radius; }
  std::int64_t most_rows() const { return ceil_div(free_y_.size(), n_down_); }
  std::int64_t most_cols() const { return ceil_div(free_x_.size(), n_across_); }

  bool has_ghosts(std::int64_t n_bands) const {
    return grid_.boundary == HeatBoundary::zero_flux || (grid_.boundary == HeatBoundary::periodic && n_bands == 1);
  }

  /// Returns the most cells in the rings along an axis of n cells, cut into n_bands of at most `own`.
  std::int64_t extent(std::int64_t own, std::int64_t n, std::int64_t n_bands) const {
    const std::int64_t all = own + 2 * margin();
    if (grid_.boundary == HeatBoundary::frozen) return std::min(all, n);
    return has_ghosts(n_bands) ? std::min(all, n + 2 * grid_.radius) : all;
  }

  HeatGrid grid_;
  Range free_y_;
  Range free_x_;
  std::int64_t n_down_ = 1;
  std::int64_t n_across_ = 1;
  std::int64_t ring_bytes_ = 0;
};

}  // namespace rafter::heat_ladder::cpu

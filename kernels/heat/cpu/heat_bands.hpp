// The division of a grid for the CPU's wavefront: bands of rows and columns whose rings of planes fit in a given
// memory, and the layout of the rings.
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

/// A range of rows and columns, in all planes.
struct Band {
  Range y;
  Range x;
};

inline constexpr int n_stages = 4;
inline constexpr int ring_planes = 3 * stage_planes;  // a group is written while its two predecessors are read

/// The rings of lifted planes: of the field and the first three stages, and one group of planes of the last stage.
struct RingLayout {
  static constexpr std::int64_t line_bytes = 64;
  static constexpr int n_planes = n_stages * ring_planes + stage_planes;

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

  std::int64_t bytes(std::int64_t element_bytes) const { return n_planes * plane * element_bytes; }
  std::int64_t row(int ring, std::int64_t z, std::int64_t row) const {
    const std::int64_t slot = ring * ring_planes + z % (ring < n_stages ? ring_planes : stage_planes);
    return slot * plane + row * pitch + lead;
  }
};

/// The bands of a grid.
class BandPlan {
 public:
  /// Finds the fewest bands whose rings take at most `most_bytes`, if possible.
  BandPlan(const HeatGrid& grid, int lanes, std::int64_t element_bytes, std::int64_t most_bytes)
      : grid_(grid), free_y_(grid.shape.ny - 2 * grid.radius), free_x_(grid.shape.nx - 2 * grid.radius) {
    const std::int64_t margin = n_stages * grid.radius;
    const auto bytes = [&] {
      return RingLayout(std::min(most_rows() + 2 * margin, grid.shape.ny),
                        std::min(most_cols() + 2 * margin, grid.shape.nx), grid.radius, lanes, element_bytes)
          .bytes(element_bytes);
    };
    n_down_ = std::max<std::int64_t>(1, free_y_ / (4 * margin));  // thinner bands compute too much twice
    while (bytes() > most_bytes && most_cols() > 4 * margin) n_across_ *= 2;
    n_down_ = 1;
    while (bytes() > most_bytes && most_rows() > 1) ++n_down_;
    ring_bytes_ = bytes();
  }

  std::int64_t ring_bytes() const { return ring_bytes_; }
  std::int64_t least_rows() const { return free_y_ / n_down_; }  // per band
  std::int64_t n_bands() const { return n_down_ * n_across_; }

  Band band(std::int64_t i) const {
    const auto cut = [&](std::int64_t which, std::int64_t of, std::int64_t n) {
      return Range{grid_.radius + n * which / of, grid_.radius + n * (which + 1) / of};
    };
    return {cut(i / n_across_, n_down_, free_y_), cut(i % n_across_, n_across_, free_x_)};
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
  std::int64_t most_rows() const { return ceil_div(free_y_, n_down_); }
  std::int64_t most_cols() const { return ceil_div(free_x_, n_across_); }

  HeatGrid grid_;
  std::int64_t free_y_;
  std::int64_t free_x_;
  std::int64_t n_down_ = 1;
  std::int64_t n_across_ = 1;
  std::int64_t ring_bytes_ = 0;
};

}  // namespace rafter::heat_ladder::cpu

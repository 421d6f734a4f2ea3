// The operations of a heat solver on fields on a CPU besides stepping: frozen cells, ghost cells, and the summary.
#include "heat/heat_field.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "heat/cpu/heat_bands.hpp"
#include "library/core/parts.hpp"
#include "library/core/stream/scratch.hpp"

namespace rafter::heat_ladder::cpu {

namespace {

/// Copies n cells.
template <class T>
void copy_run(const T* from, T* to, std::int64_t n) {
  std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
}

/// Calls f(z, y) for all rows of n_planes planes with n_rows rows.
template <class F>
void for_rows(const Stream& stream, std::int64_t n_planes, std::int64_t n_rows, const F& f) {
  core::for_each_part(stream, n_planes * n_rows, [&](std::int64_t row) { f(row / n_rows, row % n_rows); });
}

/// Whether i is one of the first or last `width` of n.
bool near_end(std::int64_t i, std::int64_t n, std::int64_t width) { return i < width || i >= n - width; }

}  // namespace

// ---- Copies ----

template <class T>
void copy_frozen(const Stream& stream, const HeatGrid& grid, GridView<const T> from, GridView<T> to) {
  const std::int64_t nz = grid.shape.nz, ny = grid.shape.ny, nx = grid.shape.nx;
  const std::int64_t width = grid.radius;
  for_rows(stream, nz, ny, [&](std::int64_t z, std::int64_t y) {
    const T* row = from.row(z, y);
    T* copy = to.row(z, y);
    if (near_end(z, nz, width) || near_end(y, ny, width)) return copy_run(row, copy, nx);
    copy_run(row, copy, width);
    copy_run(row + nx - width, copy + nx - width, width);
  });
}

template <class T>
void copy_field(const Stream& stream, GridView<const T> from, GridView<T> to) {
  const auto& [nz, ny, nx] = from.shape;
  for_rows(stream, nz, ny,
           [&, nx = nx](std::int64_t z, std::int64_t y) { copy_run(from.row(z, y), to.row(z, y), nx); });
}

// ---- Ghost cells ----

template <class T>
void fill_ghosts(const Stream& stream, std::int64_t ghost, HeatBoundary boundary, GridView<T> field) {
  const GridView<T> cells = inside(field, ghost);
  const std::int64_t nx = cells.shape.nx;
  // All values come from the inner cells, so the rows may be filled in any order.
  for_rows(stream, field.shape.nz, field.shape.ny, [&](std::int64_t pz, std::int64_t py) {
    const std::int64_t z = pz - ghost;
    const std::int64_t y = py - ghost;
    const T* from = cells.row(source_of(z, cells.shape.nz, boundary), source_of(y, cells.shape.ny, boundary));
    T* to = cells.row(z, y);
    if (from != to) copy_run(from, to, nx);
    for (std::int64_t x = -ghost; x < 0; ++x) to[x] = from[source_of(x, nx, boundary)];
    for (std::int64_t x = nx; x < nx + ghost; ++x) to[x] = from[source_of(x, nx, boundary)];
  });
}

// ---- Summary ----

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The summary of a few rows. Their number depends on the grid alone, so the sums do not depend on the threads.
struct Part {
  static constexpr int n_lanes = 8;
  double total[n_lanes] = {};
  double min[n_lanes];
  double max[n_lanes];

  Part() {
    std::fill_n(min, n_lanes, infinity);
    std::fill_n(max, n_lanes, -infinity);
  }

  template <class T>
  void add(const T* row, std::int64_t n) {
    std::int64_t x = 0;
    for (; x + n_lanes <= n; x += n_lanes) {
      for (int lane = 0; lane < n_lanes; ++lane) add(lane, static_cast<double>(row[x + lane]));
    }
    for (int lane = 0; x < n; ++x, ++lane) add(lane, static_cast<double>(row[x]));
  }
  void add(int lane, double value) {
    total[lane] += value;
    min[lane] = value < min[lane] ? value : min[lane];
    max[lane] = value > max[lane] ? value : max[lane];
  }

  HeatSummary whole() const {
    HeatSummary result{0, *std::min_element(min, min + n_lanes), *std::max_element(max, max + n_lanes)};
    for (const double lane : total) result.total += lane;
    return result;
  }
};

}  // namespace

template <class T>
void summarize(const Stream& stream, GridView<const T> field, HeatSummary* result) {
  constexpr std::int64_t n_parts = 1024;
  auto* parts = reinterpret_cast<HeatSummary*>(core::scratch(stream, n_parts * std::int64_t{sizeof(HeatSummary)}));
  const GridShape shape = field.shape;
  const std::int64_t n_rows = shape.nz * shape.ny;
  core::for_each_part(stream, n_parts, [&](std::int64_t i) {
    Part part;
    for (std::int64_t row = n_rows * i / n_parts; row < n_rows * (i + 1) / n_parts; ++row)
      part.add(field.row(row / shape.ny, row % shape.ny), shape.nx);
    parts[i] = part.whole();
  });
  *result = {0, infinity, -infinity};
  for (std::int64_t i = 0; i < n_parts; ++i) {
    result->total += parts[i].total;
    result->min = std::min(result->min, parts[i].min);
    result->max = std::max(result->max, parts[i].max);
  }
}

RAFTER_HEAT_FIELD_OPS_OF(float);
RAFTER_HEAT_FIELD_OPS_OF(double);

}  // namespace rafter::heat_ladder::cpu

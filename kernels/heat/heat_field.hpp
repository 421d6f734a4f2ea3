// The operations of a heat solver on a field besides stepping: frozen cells, ghost cells, and the summary; one
// implementation per device.
#pragma once

#include "heat/heat_rung.hpp"
#if defined(__CUDACC__) || defined(RAFTER_SIMT)
#include "library/ptx/device_build.cuh"
#endif

namespace rafter::heat_ladder {

/// Returns a box with 4 * radius cells around it, as far as the grid extends: what it depends on in a step.
inline GridBox surroundings_of(const GridBox& box, const GridShape& grid, int radius) {
  const std::int64_t margin = 4 * std::int64_t{radius};
  GridBox all;
  const auto widen = [&](std::int64_t first, std::int64_t n, std::int64_t n_grid, std::int64_t& begin,
                         std::int64_t& extent) {
    begin = std::max<std::int64_t>(first - margin, 0);
    extent = std::min(first + n + margin, n_grid) - begin;
  };
  widen(box.z, box.shape.nz, grid.nz, all.z, all.shape.nz);
  widen(box.y, box.shape.ny, grid.ny, all.y, all.shape.ny);
  widen(box.x, box.shape.nx, grid.nx, all.x, all.shape.nx);
  return all;
}

/// Returns the elements of one of the two work fields of advance_box(), whose rows start at multiples of 16 bytes.
inline std::int64_t box_field_size(const GridShape& surroundings) {
  return surroundings.nz * surroundings.ny * aligned_row_stride<float>(surroundings.nx);
}

/// Returns the cells that are not ghosts: at least `ghost` from every face.
template <class T>
GridView<T> inside(const GridView<T>& field, std::int64_t ghost) {
  const auto& [nz, ny, nx] = field.shape;
  return field.box(ghost, ghost, ghost, {nz - 2 * ghost, ny - 2 * ghost, nx - 2 * ghost});
}

#define RAFTER_HEAT_FIELD_OPS                                                                                       \
  /* Copies the frozen cells, those closer than the radius to a face. */                                            \
  template <class T>                                                                                                \
  void copy_frozen(const Stream& stream, const HeatGrid& grid, GridView<const T> from, GridView<T> to);             \
  /* Copies all cells. */                                                                                           \
  template <class T>                                                                                                \
  void copy_field(const Stream& stream, GridView<const T> from, GridView<T> to);                                    \
  /* Sets the cells closer than `ghost` to a face from the others, periodic or zero flux; there may be fewer. */    \
  template <class T>                                                                                                \
  void fill_ghosts(const Stream& stream, std::int64_t ghost, HeatBoundary boundary, GridView<T> field);             \
  /* Makes n sweeps of the sequence that makes a step, starting with `first`, on all cells that are not frozen. */  \
  /* Frozen cells of `next` are set before. *moved: the result is in `next`, not in `now`. Boundaries other than */ \
  /* frozen only if the plan has no ghosts. */                                                                      \
  template <class T>                                                                                                \
  void sweeps(const Stream& stream, const HeatGrid& grid, int first, std::int64_t n, GridView<T> now,               \
              GridView<T> next, bool* moved);                                                                       \
  SweepPlan sweep_plan(int radius);                                                                                 \
  /* Advances the cells of a box by one step, with a frozen boundary, and writes them to `out`. `work` has the */   \
  /* elements of two fields of the box and 4 * radius cells around it, with padded rows. */                         \
  template <class T>                                                                                                \
  void advance_box(const Stream& stream, const HeatGrid& grid, const GridBox& box, GridView<const T> in,            \
                   GridView<T> out, T* work);                                                                       \
  /* Computes the sum (in double, independent of the threads), minimum and maximum, and waits for them. */          \
  template <class T>                                                                                                \
  void summarize(const Stream& stream, GridView<const T> field, HeatSummary* result);

namespace cpu {
RAFTER_HEAT_FIELD_OPS
}
namespace cuda {
RAFTER_HEAT_FIELD_OPS
}
#ifdef RAFTER_BACKEND  // device code, for a GPU or for the executor
namespace RAFTER_BACKEND {
RAFTER_HEAT_FIELD_OPS
}
#endif
#undef RAFTER_HEAT_FIELD_OPS

}  // namespace rafter::heat_ladder

// Instantiates a device's functions; its sweeps are in another file.
#define RAFTER_HEAT_FIELD_OPS_OF(T)                                                             \
  template void copy_frozen<T>(const Stream&, const HeatGrid&, GridView<const T>, GridView<T>); \
  template void copy_field<T>(const Stream&, GridView<const T>, GridView<T>);                   \
  template void fill_ghosts<T>(const Stream&, std::int64_t, HeatBoundary, GridView<T>);         \
  template void summarize<T>(const Stream&, GridView<const T>, HeatSummary*)
#define RAFTER_HEAT_SWEEPS_OF(T)                                                                               \
  template void sweeps<T>(const Stream&, const HeatGrid&, int, std::int64_t, GridView<T>, GridView<T>, bool*); \
  template void advance_box<T>(const Stream&, const HeatGrid&, const GridBox&, GridView<const T>, GridView<T>, T*)

// The operations of a heat solver on a field besides stepping: frozen cells, ghost cells, and the summary; one
// implementation per device.
#pragma once

#include "heat/heat_rung.hpp"
#if defined(__CUDACC__) || defined(RAFTER_SIMT)
#include "library/ptx/device_build.cuh"
#endif

namespace rafter::heat_ladder {

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
#define RAFTER_HEAT_SWEEPS_OF(T) \
  template void sweeps<T>(const Stream&, const HeatGrid&, int, std::int64_t, GridView<T>, GridView<T>, bool*)

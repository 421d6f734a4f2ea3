// What a heat solver does with a field besides stepping: its frozen cells, its ghost cells, and its summary. One of
// each for every device.
#pragma once

#include "heat/heat_rung.hpp"
#if defined(__CUDACC__) || defined(RAFTER_SIMT)
#include "core/device_build.cuh"
#endif

namespace rafter::heat_ladder {

/// The cells of a padded field, shape, that are not ghosts: those `ghost` or more from every face.
struct PaddedField {
  GridShape shape;
  std::int64_t ghost = 0;
  std::int64_t row_pad = 0;  // elements behind each row that are no cells

  GridShape inside() const { return {shape.nz - 2 * ghost, shape.ny - 2 * ghost, shape.nx - 2 * ghost}; }
  GridShape memory() const { return {shape.nz, shape.ny, shape.nx + row_pad}; }
};

#define RAFTER_HEAT_FIELD_OPS                                                                                       \
  /* Copies the frozen cells, those closer than the radius to a face. */                                            \
  template <class T>                                                                                                \
  void copy_frozen(const Stream& stream, const HeatGrid& grid, const T* from, T* to);                               \
  /* Copies n elements. */                                                                                          \
  template <class T>                                                                                                \
  void copy_field(const Stream& stream, const T* from, T* to, std::int64_t n);                                      \
  /* Copies the inside of a padded field from or to an array without ghosts. */                                     \
  template <class T>                                                                                                \
  void pad(const Stream& stream, const PaddedField& field, const T* inside, T* padded);                             \
  template <class T>                                                                                                \
  void unpad(const Stream& stream, const PaddedField& field, const T* padded, T* inside);                           \
  /* Sets the ghosts from the inside, periodic or zero flux; extents may be smaller than the ghosts. */             \
  template <class T>                                                                                                \
  void fill_ghosts(const Stream& stream, const PaddedField& field, HeatBoundary boundary, T* padded);               \
  /* n of the sweeps that make steps, from `first` on, on all cells that are not frozen. The frozen ones of */      \
  /* `next` are set. *moved says where the result is: in `next` instead of `now`. */                                \
  template <class T>                                                                                                \
  void sweeps(const Stream& stream, const HeatGrid& grid, int first, std::int64_t n, T* now, T* next, bool* moved); \
  SweepPlan sweep_plan(int radius);                                                                                 \
  /* Sum (in double, the same whatever the threads), minimum and maximum of the inside; waits for them. */          \
  template <class T>                                                                                                \
  void summarize(const Stream& stream, const PaddedField& field, const T* padded, HeatSummary* result);

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

// Instantiates what a device has of them, but for its sweeps.
#define RAFTER_HEAT_FIELD_OPS_OF(T)                                                  \
  template void copy_frozen<T>(const Stream&, const HeatGrid&, const T*, T*);        \
  template void copy_field<T>(const Stream&, const T*, T*, std::int64_t);            \
  template void pad<T>(const Stream&, const PaddedField&, const T*, T*);             \
  template void unpad<T>(const Stream&, const PaddedField&, const T*, T*);           \
  template void fill_ghosts<T>(const Stream&, const PaddedField&, HeatBoundary, T*); \
  template void summarize<T>(const Stream&, const PaddedField&, const T*, HeatSummary*)

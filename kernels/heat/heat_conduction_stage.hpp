// A stage of a conduction step, out = u + scale dt (div(alpha grad v) + source) / capacity, for CPUs and GPUs, and its
// update of one cell.
#pragma once

#include "heat/heat_conduction_axis.hpp"

namespace rafter::heat_ladder {

/// The arguments of a stage. All fields are contiguous. `out` may be `u`, not `v`. With a diffusivity, a radius above 1
/// needs those between the cells of each axis.
template <class T>
struct ConductionStage {
  GridShape shape;
  int radius = 1;
  ConductionAxis<T> z, y, x;
  T source_scale = 0;               // scale dt
  const T* u = nullptr;             // [nz, ny, nx]
  const T* v = nullptr;             // [nz, ny, nx]
  const T* diffusivity = nullptr;   // [nz, ny, nx], relative to alpha; or null: 1 everywhere
  const T* source = nullptr;        // [nz, ny, nx], or null
  T* out = nullptr;                 // [nz, ny, nx]
  const T* per_capacity = nullptr;  // [nz, ny, nx], 1 / capacity; or null: 1 everywhere
};

namespace cpu {
template <class T>
void conduct(const Stream& stream, const ConductionStage<T>& stage);
}
namespace cuda {
template <class T>
void conduct(const Stream& stream, const ConductionStage<T>& stage);
}

#ifdef RAFTER_BACKEND
namespace RAFTER_BACKEND {
template <class T>
void conduct(const Stream& stream, const ConductionStage<T>& stage);
#else
namespace cpu {
#endif

/// The diffusivities of the faces below cell `at` along each axis.
template <class T>
struct FacesBelow {
  const T *z, *y, *x;

  /// Starts at cell 0 of row (z, y). Along its axis an array has one more element than the grid has cells.
  constexpr FacesBelow(const ConductionStage<T>& stage, std::int64_t row_z, std::int64_t row_y)
      : z(stage.z.between),
        y(stage.y.between + row_z * stage.shape.nx),
        x(stage.x.between + row_z * stage.shape.ny + row_y) {}
};

template <int Radius, bool Varies, class T>
constexpr T inner_change(const ConductionStage<T>& stage, std::int64_t at) {
  const T* v = stage.v + at;
  if constexpr (Varies) {
    const T* a = stage.diffusivity + at;
    return inner_balance(stage.x, v, a) + inner_balance(stage.y, v, a) + inner_balance(stage.z, v, a);
  } else {
    return inner_difference<Radius>(stage.x, v) + inner_difference<Radius>(stage.y, v) +
           inner_difference<Radius>(stage.z, v);
  }
}
template <int Radius, class T>
constexpr T inner_change(const ConductionStage<T>& stage, const FacesBelow<T>& faces, std::int64_t at) {
  const T* v = stage.v + at;
  const auto all = std::make_index_sequence<Radius>();
  return inner_flow<Radius>(stage.x, v, faces.x + at, all) + inner_flow<Radius>(stage.y, v, faces.y + at, all) +
         inner_flow<Radius>(stage.z, v, faces.z + at, all);
}
template <int Radius, bool Varies, class T>
constexpr T outer_change(const ConductionStage<T>& stage, std::int64_t z, std::int64_t y, std::int64_t x,
                         std::int64_t at) {
  const T* v = stage.v + at;
  const std::int64_t on_z = y * stage.shape.nx + x, on_y = z * stage.shape.nx + x, on_x = z * stage.shape.ny + y;
  if constexpr (Varies && Radius > 1) {
    const FacesBelow<T> faces(stage, z, y);
    return outer_flow<Radius>(stage.x, v, faces.x + at, x, on_x) +
           outer_flow<Radius>(stage.y, v, faces.y + at, y, on_y) +
           outer_flow<Radius>(stage.z, v, faces.z + at, z, on_z);
  } else if constexpr (Varies) {
    const T* a = stage.diffusivity + at;
    return (inflow(stage.x, v, a, x, on_x, true) + inflow(stage.x, v, a, x, on_x, false)) +
           (inflow(stage.y, v, a, y, on_y, true) + inflow(stage.y, v, a, y, on_y, false)) +
           (inflow(stage.z, v, a, z, on_z, true) + inflow(stage.z, v, a, z, on_z, false));
  } else {
    return outer_difference<Radius>(stage.x, v, x, on_x) + outer_difference<Radius>(stage.y, v, y, on_y) +
           outer_difference<Radius>(stage.z, v, z, on_z);
  }
}

/// Returns the new value of a free cell.
template <class T>
constexpr T with_change(const ConductionStage<T>& stage, std::int64_t at, T change) {
  if (stage.per_capacity != nullptr) {
    if (stage.source != nullptr) change += stage.source_scale * stage.source[at];
    return stage.u[at] + stage.per_capacity[at] * change;
  }
  const T value = stage.u[at] + change;
  return stage.source == nullptr ? value : value + stage.source_scale * stage.source[at];
}

}  // namespace cpu or RAFTER_BACKEND

}  // namespace rafter::heat_ladder

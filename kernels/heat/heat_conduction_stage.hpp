// A stage of a conduction step, out = u + scale dt (div(alpha grad v) + source), for CPUs and GPUs, and its update of
// one cell.
#pragma once

#include <array>

#include "heat/heat_rung.hpp"
#include "rafter/conduction.hpp"
#if defined(__CUDACC__) || defined(RAFTER_SIMT)
#include "library/ptx/device_build.cuh"
#endif

namespace rafter::heat_ladder {

/// The contribution of a face of an axis to the difference of a cell near it.
template <class T>
struct ConductionFace {
  HeatFace::Kind kind = HeatFace::Kind::flux;
  T amount = 0;  // value: twice it; flux: u's change over a spacing, or with a diffusivity the amount added to a cell
};

/// An axis of the grid. Cell i is free to change if first_free <= i < end_free. For an axis of one cell without
/// differences, the stride and the weights are 0.
template <class T>
struct ConductionAxis {
  std::int64_t n = 1;
  std::int64_t stride = 0;
  std::int64_t first_free = 0;
  std::int64_t end_free = 1;
  ConductionFace<T> low{};
  ConductionFace<T> high{};
  T weight[max_radius] = {};  // scale dt alpha / h^2 times the weight of the second difference, at distance 1, 2, ...
};

/// The arguments of a stage. All fields are contiguous. `out` may be `u`, not `v`.
template <class T>
struct ConductionStage {
  GridShape shape;
  int radius = 1;
  ConductionAxis<T> z, y, x;
  T source_scale = 0;              // scale dt
  const T* u = nullptr;            // [nz, ny, nx]
  const T* v = nullptr;            // [nz, ny, nx]
  const T* diffusivity = nullptr;  // [nz, ny, nx], relative to alpha; or null: 1 everywhere
  const T* source = nullptr;       // [nz, ny, nx], or null
  T* out = nullptr;                // [nz, ny, nx]
};

namespace cpu {
template <class T>
void conduct(const Stream& stream, const ConductionStage<T>& stage);
}
namespace cuda {
template <class T>
void conduct(const Stream& stream, const ConductionStage<T>& stage);
}

// The functions are in one namespace per build, because the executor's are instrumented.
#ifdef RAFTER_BACKEND
namespace RAFTER_BACKEND {
template <class T>
void conduct(const Stream& stream, const ConductionStage<T>& stage);
#else
namespace cpu {
#endif

/// A cell beyond the grid: `sign` times the value of cell `i`, which is in the grid, plus `offset`.
template <class T>
struct Continued {
  std::int64_t i;
  T sign;
  T offset;
};

/// Returns cell i of a line that may extend beyond the grid: mirrored, or continued at the other side, as often as
/// necessary. Frozen faces are never reached: the cells near them do not change.
template <class T>
constexpr Continued<T> continued(const ConductionAxis<T>& axis, std::int64_t i) {
  Continued<T> result{i, 1, 0};
  while (result.i < 0 || result.i >= axis.n) {
    const bool is_low = result.i < 0;
    const ConductionFace<T>& face = is_low ? axis.low : axis.high;
    if (face.kind == HeatFace::Kind::periodic) {
      result.i += is_low ? axis.n : -axis.n;
      continue;
    }
    const std::int64_t mirror = (is_low ? -1 : 2 * axis.n - 1) - result.i;
    if (face.kind == HeatFace::Kind::value) {
      result.offset += result.sign * face.amount;
      result.sign = -result.sign;
    } else {
      result.offset += result.sign * face.amount * static_cast<T>(is_low ? mirror - result.i : result.i - mirror);
    }
    result.i = mirror;
  }
  return result;
}

/// Whether all of a cell's neighbours along an axis are in the grid.
template <class T>
constexpr bool is_inner(const ConductionAxis<T>& axis, std::int64_t i, int radius) {
  return axis.stride == 0 || (i >= radius && i < axis.n - radius);
}

/// Returns the second difference at `v`, cell i of an axis, with its weights. It adds differences of neighbours, not a
/// sum with a weight for the centre: a constant field has no difference, and what one cell gains another loses, to the
/// last bit.
template <int Radius, class T>
constexpr T inner_difference(const ConductionAxis<T>& axis, const T* v) {
  const auto pair = [&](int k) {
    return axis.weight[k - 1] * ((v[-k * axis.stride] - *v) + (v[k * axis.stride] - *v));
  };
  T sum = pair(1);  // written out: compilers do not vectorise a loop around an inner loop
  if constexpr (Radius > 1) sum += pair(2);
  if constexpr (Radius > 2) sum += pair(3);
  if constexpr (Radius > 3) sum += pair(4);
  return sum;
}
template <int Radius, class T>
constexpr T outer_difference(const ConductionAxis<T>& axis, const T* v, std::int64_t i) {
  if (is_inner(axis, i, Radius)) return inner_difference<Radius>(axis, v);
  const T* line = v - i * axis.stride;
  const auto value = [&](std::int64_t at) {
    const Continued<T> there = continued(axis, at);
    return there.offset + there.sign * line[there.i * axis.stride];
  };
  T sum = 0;
  for (int k = 1; k <= Radius; ++k) sum += axis.weight[k - 1] * ((value(i - k) - *v) + (value(i + k) - *v));
  return sum;
}

/// Returns the diffusivity of the face between two cells: two resistances of half a cell in series.
template <class T>
constexpr T harmonic_mean(T a, T b) {
  return 2 * a * b / (a + b + std::numeric_limits<T>::min());  // 0 if both are 0
}

/// Returns the flow into a cell through its two faces along an axis.
template <class T>
constexpr T inner_balance(const ConductionAxis<T>& axis, const T* v, const T* a) {
  const std::int64_t next = axis.stride;
  return axis.weight[0] * (harmonic_mean(*a, a[-next]) * (v[-next] - *v) + harmonic_mean(*a, a[next]) * (v[next] - *v));
}
template <class T>
constexpr T inflow(const ConductionAxis<T>& axis, const T* v, const T* a, std::int64_t i, bool is_low) {
  const bool is_outer = is_low ? i == 0 : i == axis.n - 1;
  std::int64_t to_neighbour = is_low ? -axis.stride : axis.stride;
  if (is_outer) {
    const ConductionFace<T>& face = is_low ? axis.low : axis.high;
    if (face.kind == HeatFace::Kind::flux) return face.amount;
    if (face.kind == HeatFace::Kind::value) return axis.weight[0] * *a * (face.amount - 2 * *v);  // half a spacing away
    to_neighbour -= to_neighbour * axis.n;
  }
  return axis.weight[0] * harmonic_mean(*a, a[to_neighbour]) * (v[to_neighbour] - *v);
}

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
template <int Radius, bool Varies, class T>
constexpr T outer_change(const ConductionStage<T>& stage, std::int64_t z, std::int64_t y, std::int64_t x,
                         std::int64_t at) {
  const T* v = stage.v + at;
  if constexpr (Varies) {
    const T* a = stage.diffusivity + at;
    return (inflow(stage.x, v, a, x, true) + inflow(stage.x, v, a, x, false)) +
           (inflow(stage.y, v, a, y, true) + inflow(stage.y, v, a, y, false)) +
           (inflow(stage.z, v, a, z, true) + inflow(stage.z, v, a, z, false));
  } else {
    return outer_difference<Radius>(stage.x, v, x) + outer_difference<Radius>(stage.y, v, y) +
           outer_difference<Radius>(stage.z, v, z);
  }
}

template <class T>
constexpr bool is_free(const ConductionAxis<T>& axis, std::int64_t i) {
  return i >= axis.first_free && i < axis.end_free;
}

/// Returns the new value of a free cell.
template <class T>
constexpr T with_change(const ConductionStage<T>& stage, std::int64_t at, T change) {
  const T value = stage.u[at] + change;
  return stage.source == nullptr ? value : value + stage.source_scale * stage.source[at];
}

}  // namespace cpu or RAFTER_BACKEND

}  // namespace rafter::heat_ladder

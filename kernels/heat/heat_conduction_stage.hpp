// A stage of a conduction step, out = u + scale dt (div(alpha grad v) + source), as both kinds of devices see it; and
// what it makes of one cell.
#pragma once

#include <array>

#include "heat/heat_rung.hpp"
#include "rafter/conduction.hpp"
#if defined(__CUDACC__) || defined(RAFTER_SIMT)
#include "library/ptx/device_build.cuh"
#endif

namespace rafter::heat_ladder {

/// What a face of an axis gives to the difference of a cell near it.
template <class T>
struct ConductionFace {
  HeatFace::Kind kind = HeatFace::Kind::flux;
  T amount = 0;  // value: twice it; flux: u's change over a spacing, or with a diffusivity what it adds to a cell
};

/// Cell i of an axis is free to change from `first_free` on and before `end_free`. Along an axis of one cell where
/// nothing can differ, the stride and the weights are 0.
template <class T>
struct ConductionAxis {
  std::int64_t n = 1;
  std::int64_t stride = 0;
  std::int64_t first_free = 0;
  std::int64_t end_free = 1;
  ConductionFace<T> low{};
  ConductionFace<T> high{};
  T weight[max_radius] = {};  // scale dt alpha / h^2 times the second difference's, at distance 1, 2, ...
};

/// All fields are contiguous. `out` may be `u`, not `v`.
template <class T>
struct ConductionStage {
  GridShape shape;
  int radius = 1;
  ConductionAxis<T> z, y, x;
  T source_scale = 0;              // scale dt
  const T* u = nullptr;            // [nz, ny, nx]
  const T* v = nullptr;            // [nz, ny, nx]
  const T* diffusivity = nullptr;  // [nz, ny, nx], in parts of alpha; or none: 1 everywhere
  const T* source = nullptr;       // [nz, ny, nx], or none
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

// Functions in a namespace of each build: the executor's are instrumented.
#ifdef RAFTER_BACKEND
namespace RAFTER_BACKEND {
template <class T>
void conduct(const Stream& stream, const ConductionStage<T>& stage);
#else
namespace cpu {
#endif

/// What a cell beyond the grid has: `sign` times the value of cell `i`, which is in it, and `offset`.
template <class T>
struct Continued {
  std::int64_t i;
  T sign;
  T offset;
};

/// Cell i of a line that may reach beyond the grid: mirrored, or continued at the other side, as often as it takes.
/// Frozen faces are never reached: the cells near them do not change.
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

/// Whether a cell's neighbours along an axis are all in the grid.
template <class T>
constexpr bool is_inner(const ConductionAxis<T>& axis, std::int64_t i, int radius) {
  return axis.stride == 0 || (i >= radius && i < axis.n - radius);
}

/// The second difference at `v`, cell i of an axis, with its weights. Differences of neighbours, not a sum with a
/// weight for the centre: a constant field has none, and what one cell gains another one loses, in the last bit too.
template <int Radius, class T>
constexpr T inner_difference(const ConductionAxis<T>& axis, const T* v) {
  const auto pair = [&](int k) {
    return axis.weight[k - 1] * ((v[-k * axis.stride] - *v) + (v[k * axis.stride] - *v));
  };
  T sum = pair(1);  // written out: of a loop within their own compilers make no vectors
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

/// The diffusivity of the face between two cells: resistances of half a cell each, one after the other.
template <class T>
constexpr T harmonic_mean(T a, T b) {
  return 2 * a * b / (a + b + std::numeric_limits<T>::min());  // 0 for two that are 0
}

/// What comes into a cell through its two faces along an axis.
template <class T>
constexpr T inner_balance(const ConductionAxis<T>& axis, const T* v, const T* a) {
  const std::int64_t next = axis.stride;
  return axis.weight[0] * (harmonic_mean(*a, a[-next]) * (v[-next] - *v) + harmonic_mean(*a, a[next]) * (v[next] - *v));
}
template <class T>
constexpr T income(const ConductionAxis<T>& axis, const T* v, const T* a, std::int64_t i, bool is_low) {
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
    return (income(stage.x, v, a, x, true) + income(stage.x, v, a, x, false)) +
           (income(stage.y, v, a, y, true) + income(stage.y, v, a, y, false)) +
           (income(stage.z, v, a, z, true) + income(stage.z, v, a, z, false));
  } else {
    return outer_difference<Radius>(stage.x, v, x) + outer_difference<Radius>(stage.y, v, y) +
           outer_difference<Radius>(stage.z, v, z);
  }
}

template <class T>
constexpr bool is_free(const ConductionAxis<T>& axis, std::int64_t i) {
  return i >= axis.first_free && i < axis.end_free;
}

/// The new value of a cell that is free.
template <class T>
constexpr T with_change(const ConductionStage<T>& stage, std::int64_t at, T change) {
  const T value = stage.u[at] + change;
  return stage.source == nullptr ? value : value + stage.source_scale * stage.source[at];
}

}  // namespace cpu or RAFTER_BACKEND

}  // namespace rafter::heat_ladder

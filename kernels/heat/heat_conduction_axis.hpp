// An axis of a stage of a conduction step, and the change of one cell by the flow along it, for CPUs and GPUs.
#pragma once

#include <array>
#include <utility>

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
  /// Twice the value of a value or Robin face. Of a flux the change of u over a spacing, or with a diffusivity and
  /// order 2 the amount added to a cell.
  T amount = 0;
  T biot = 0;                  // Robin: H h / (2 alpha)
  const T* amounts = nullptr;  // of each cell of the face, row by row, instead of `amount`; or null

  constexpr T amount_at(std::int64_t on_face) const { return amounts == nullptr ? amount : amounts[on_face]; }
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
  T weight[max_radius] = {};   // scale dt alpha / h^2 times the weight of the second difference, at distance 1, 2, ...
  const T* between = nullptr;  // order above 2 with diffusivities: that of the face below each cell and above the last,
                               // relative to alpha

  constexpr bool has_amounts() const { return low.amounts != nullptr || high.amounts != nullptr; }
};

/// The first difference between two cells, of order 2 * Radius: the weights of the pairs of cells at distance 1/2, 3/2,
/// ... from the face.
template <int Radius>
inline constexpr std::array<double, Radius> face_difference{};
template <>
inline constexpr std::array<double, 1> face_difference<1>{1.};
template <>
inline constexpr std::array<double, 2> face_difference<2>{9. / 8, -1. / 24};
template <>
inline constexpr std::array<double, 3> face_difference<3>{75. / 64, -25. / 384, 3. / 640};
template <>
inline constexpr std::array<double, 4> face_difference<4>{1225. / 1024, -245. / 3072, 49. / 5120, -5. / 7168};
template <int Radius, std::size_t K>
inline constexpr double face_weight = face_difference<Radius>[K];

/// Holds these weights as elements that a loop may index on a GPU, which has no copy of the array above.
template <int Radius, class T>
struct FaceWeights {
  T of[Radius];

  constexpr FaceWeights() : FaceWeights(std::make_index_sequence<Radius>()) {}

 private:
  template <std::size_t... K>
  constexpr explicit FaceWeights(std::index_sequence<K...>) : of{static_cast<T>(face_weight<Radius, K>)...} {}
};

/// Returns how far a cell's change depends on other cells along an axis.
constexpr int reach_of(int radius, bool varies) { return varies ? 2 * radius - 1 : radius; }

// The functions are in one namespace per build, because the executor's are instrumented.
#ifdef RAFTER_BACKEND
namespace RAFTER_BACKEND {
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
/// necessary. Frozen faces are never reached: the cells near them do not change. The line meets the faces in their cell
/// `on_face`.
template <class T>
constexpr Continued<T> continued(const ConductionAxis<T>& axis, std::int64_t i, std::int64_t on_face) {
  Continued<T> result{i, 1, 0};
  while (result.i < 0 || result.i >= axis.n) {
    const bool is_low = result.i < 0;
    const ConductionFace<T>& face = is_low ? axis.low : axis.high;
    if (face.kind == HeatFace::Kind::periodic) {
      result.i += is_low ? axis.n : -axis.n;
      continue;
    }
    const std::int64_t mirror = (is_low ? -1 : 2 * axis.n - 1) - result.i;
    const T distance = static_cast<T>(is_low ? mirror - result.i : result.i - mirror);
    if (face.kind == HeatFace::Kind::value) {
      result.offset += result.sign * face.amount_at(on_face);
      result.sign = -result.sign;
    } else if (face.kind == HeatFace::Kind::robin) {  // between a mirror and the image around a value
      const T share = face.biot * distance / (1 + face.biot * distance);
      result.offset += result.sign * share * face.amount_at(on_face);
      result.sign *= 1 - 2 * share;
    } else {
      result.offset += result.sign * face.amount_at(on_face) * distance;
    }
    result.i = mirror;
  }
  return result;
}

/// Returns the value of cell i of a line, in the grid or beyond it.
template <class T>
constexpr T value_on_line(const ConductionAxis<T>& axis, const T* line, std::int64_t i, std::int64_t on_face) {
  const Continued<T> there = continued(axis, i, on_face);
  return there.offset + there.sign * line[there.i * axis.stride];
}

/// Whether all of a cell's neighbours along an axis are in the grid.
template <class T>
constexpr bool is_inner(const ConductionAxis<T>& axis, std::int64_t i, int reach) {
  return axis.stride == 0 || (i >= reach && i < axis.n - reach);
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
constexpr T outer_difference(const ConductionAxis<T>& axis, const T* v, std::int64_t i, std::int64_t on_face) {
  if (is_inner(axis, i, Radius)) return inner_difference<Radius>(axis, v);
  const T* line = v - i * axis.stride;
  const auto value = [&](std::int64_t at) { return value_on_line(axis, line, at, on_face); };
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
constexpr T inflow(const ConductionAxis<T>& axis, const T* v, const T* a, std::int64_t i, std::int64_t on_face,
                   bool is_low) {
  const bool is_outer = is_low ? i == 0 : i == axis.n - 1;
  std::int64_t to_neighbour = is_low ? -axis.stride : axis.stride;
  if (is_outer) {
    const ConductionFace<T>& face = is_low ? axis.low : axis.high;
    if (face.kind == HeatFace::Kind::flux) return face.amount_at(on_face);
    const T from_value = axis.weight[0] * *a * (face.amount_at(on_face) - 2 * *v);  // half a spacing away
    if (face.kind == HeatFace::Kind::value) return from_value;
    if (face.kind == HeatFace::Kind::robin) return from_value * (face.biot / (face.biot + *a));
    to_neighbour -= to_neighbour * axis.n;
  }
  return axis.weight[0] * harmonic_mean(*a, a[to_neighbour]) * (v[to_neighbour] - *v);
}

// ---- Diffusivities with an order above 2: fluxes through faces, as differences of cells, and their differences ----

/// Returns the flux through the face below cell `v`, whose diffusivity is *a.
template <int Radius, class T, std::size_t... K>
constexpr T inner_flux(const ConductionAxis<T>& axis, const T* v, const T* a, std::index_sequence<K...>) {
  const auto pair = [&](std::int64_t k) { return v[k * axis.stride] - v[-(k + 1) * axis.stride]; };
  return *a * (... + (static_cast<T>(face_weight<Radius, K>) * pair(std::int64_t{K})));
}
/// Returns the flow into cell `v`; *a is the diffusivity of the face below it.
template <int Radius, class T, std::size_t... K>
constexpr T inner_flow(const ConductionAxis<T>& axis, const T* v, const T* a, std::index_sequence<K...> all) {
  const auto flux = [&](std::int64_t k) {
    return inner_flux<Radius>(axis, v + k * axis.stride, a + k * axis.stride, all);
  };
  return axis.weight[0] *
         (... + (static_cast<T>(face_weight<Radius, K>) * (flux(std::int64_t{K} + 1) - flux(-std::int64_t{K}))));
}

/// Returns the index of a face of a line that may extend beyond the grid, where diffusivities are mirrored.
template <class T>
constexpr std::int64_t continued_face(const ConductionAxis<T>& axis, std::int64_t i) {
  const bool is_periodic = axis.low.kind == HeatFace::Kind::periodic;
  while (i < 0 || i > axis.n) {
    if (is_periodic)
      i += i < 0 ? axis.n : -axis.n;
    else
      i = (i < 0 ? 0 : 2 * axis.n) - i;
  }
  return i;
}
template <int Radius, class T>
constexpr T outer_flow(const ConductionAxis<T>& axis, const T* v, const T* a, std::int64_t i, std::int64_t on_face) {
  const auto all = std::make_index_sequence<Radius>();
  if (is_inner(axis, i, reach_of(Radius, true))) return inner_flow<Radius>(axis, v, a, all);
  const T* line = v - i * axis.stride;
  const T* faces = a - i * axis.stride;
  const FaceWeights<Radius, T> weights;
  const auto flux = [&](std::int64_t at) {
    T sum = 0;
    for (int k = 0; k < Radius; ++k)
      sum +=
          weights.of[k] * (value_on_line(axis, line, at + k, on_face) - value_on_line(axis, line, at - k - 1, on_face));
    return faces[continued_face(axis, at) * axis.stride] * sum;
  };
  T sum = 0;
  for (int k = 0; k < Radius; ++k) sum += weights.of[k] * (flux(i + k + 1) - flux(i - k));
  return axis.weight[0] * sum;
}

template <class T>
constexpr bool is_free(const ConductionAxis<T>& axis, std::int64_t i) {
  return i >= axis.first_free && i < axis.end_free;
}

}  // namespace cpu or RAFTER_BACKEND

}  // namespace rafter::heat_ladder

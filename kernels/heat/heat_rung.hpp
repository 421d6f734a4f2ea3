// The signature of heat's rungs: their arguments and types, and the numbers that all of them share.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>

#include "library/core/arithmetic.hpp"
#include "library/core/rung.hpp"
#include "rafter/error.hpp"
#include "rafter/heat.hpp"

namespace rafter::heat_ladder {

inline constexpr int max_radius = 4;

/// The second difference of order 2 * Radius: the weight of the centre, then of the neighbours at distance 1, 2, ...
template <int Radius>
inline constexpr std::array<double, Radius + 1> second_difference{};
template <>
inline constexpr std::array<double, 2> second_difference<1>{-2., 1.};
template <>
inline constexpr std::array<double, 3> second_difference<2>{-5. / 2, 4. / 3, -1. / 12};
template <>
inline constexpr std::array<double, 4> second_difference<3>{-49. / 18, 3. / 2, -3. / 20, 1. / 90};
template <>
inline constexpr std::array<double, 5> second_difference<4>{-205. / 72, 8. / 5, -1. / 5, 8. / 315, -1. / 560};

/// Calls f with the radius as a std::integral_constant<int, Radius>.
template <class F>
void with_radius(int radius, F&& f) {
  switch (radius) {
    case 1: return f(std::integral_constant<int, 1>{});
    case 2: return f(std::integral_constant<int, 2>{});
    case 3: return f(std::integral_constant<int, 3>{});
    default: return f(std::integral_constant<int, 4>{});
  }
}

/// The owner of the gaps between the rows of fields: the caller, or the library, which may store whole vectors over
/// them.
enum class Gaps { kept, own };

/// The grid as kernels take it: extents, and dt * alpha / h^2 of each axis.
struct HeatGrid {
  GridShape shape;
  int radius = 0;
  double rate_z = 0;
  double rate_y = 0;
  double rate_x = 0;
  Gaps gaps = Gaps::kept;  // of the fields that are written
  HeatBoundary boundary = HeatBoundary::frozen;
};

inline HeatGrid grid_of(const HeatProblem& problem, Gaps gaps = Gaps::kept) {
  const double rate = problem.alpha * problem.dt;
  const auto [hz, hy, hx] = problem.spacing;
  return {problem.shape, problem.radius(), rate / (hz * hz), rate / (hy * hy), rate / (hx * hx), gaps};
}

/// Returns the smallest row stride with which every row starts at a multiple of 16 bytes.
template <class T>
std::int64_t aligned_row_stride(std::int64_t nx) {
  constexpr std::int64_t aligned = 16 / sizeof(T);
  return ceil_div(nx, aligned) * aligned;
}

/// Returns a field of the library: without gaps except at the ends of rows.
template <class T>
GridView<T> field_of_rows(T* data, const GridShape& shape, std::int64_t row_stride) {
  return GridView<T>::unchecked(data, shape, row_stride, shape.ny * row_stride);
}

/// The weights of the stencil: `scale * dt * alpha` times the sum of the three second differences.
template <class T, int Radius>
struct Stencil {
  T centre;
  T x[Radius];  // at distance 1, 2, ...
  T y[Radius];
  T z[Radius];
};

/// Returns the weights as whole multiples of one unit, the last bit of the centre, with sum zero: their rounding
/// creates or destroys no heat, which would accumulate over the steps.
template <class T, int Radius>
Stencil<T, Radius> stencil_of(const HeatGrid& grid, double scale) {
  constexpr auto& weight = second_difference<Radius>;
  const double centre = scale * weight[0] * (grid.rate_x + grid.rate_y + grid.rate_z);
  const double unit = std::ldexp(1., std::ilogb(centre) + 1 - std::numeric_limits<T>::digits);
  const auto rounded = [&](double value) { return std::nearbyint(value / unit) * unit; };
  Stencil<T, Radius> stencil{};
  double others = 0;
  for (std::size_t k = 1; k <= Radius; ++k) {
    const double x = rounded(scale * weight[k] * grid.rate_x);
    const double y = rounded(scale * weight[k] * grid.rate_y);
    const double z = rounded(scale * weight[k] * grid.rate_z);
    stencil.x[k - 1] = static_cast<T>(x);
    stencil.y[k - 1] = static_cast<T>(y);
    stencil.z[k - 1] = static_cast<T>(z);
    others += 2 * (x + y + z);
  }
  stencil.centre = static_cast<T>(-others);
  return stencil;
}

/// The factors of a step. A step of RK4 is u' = P(dt L) u, P(x) = 1 + x + x^2/2 + x^3/6 + x^4/24, because L is linear.
/// P has no real root, so it is the product of two real quadratics, 1 + a x + b x^2 = 1 + a x (1 + b/a x), and a step
/// is two halves of the same form, each v + a dt L (v + b/a dt L v): one array in, one out, where Horner's form carries
/// u through all stages.
struct RkFactor {
  double inner;  // b / a
  double outer;  // a
};
inline constexpr std::array<RkFactor, 2> rk_factors{
    RkFactor{0.26446261479904992 / 0.91474668699459516, 0.91474668699459516},
    RkFactor{0.15755219957394279 / 0.085253313005404813, 0.085253313005404813}};

/// The arguments of a rung. It writes the frozen cells of `out`, too. No two fields overlap, except that `in` may be
/// `out`.
template <class T>
struct HeatArgs {
  static constexpr int n_work_fields = 4;  // rungs may need fewer; the op has only the first

  HeatGrid grid;
  std::int64_t n_steps = 1;
  GridView<const T> in;
  GridView<T> out;
  GridView<T> work;  // the first work field

  std::int64_t work_distance() const { return grid.shape.nz * work.plane_stride; }  // from one to the next
  GridView<T> work_field(int i) const {
    return GridView<T>::unchecked(work.data + i * work_distance(), work.shape, work.row_stride, work.plane_stride);
  }
};

/// Whether a cell has the same index in all fields.
template <class T>
bool have_same_strides(std::initializer_list<GridView<const T>> fields) {
  return std::all_of(fields.begin(), fields.end(), [&](const GridView<const T>& field) {
    return field.row_stride == fields.begin()->row_stride && field.plane_stride == fields.begin()->plane_stride;
  });
}

/// Throws Error (unsupported) if the fields have different strides. For rungs that use one index for all fields.
template <class T>
void require_same_strides(const HeatArgs<T>& args) {
  if (!have_same_strides<T>({args.in, args.out, args.work}))
    throw Error(ErrorCode::unsupported, "this rung needs fields with equal strides");
}

/// The division of a step into sweeps with one array in and one out.
struct SweepPlan {
  int n_sweeps;  // per step
  int ghost;  // cells from the grid's faces, inwards, whose results depend on frozen cells there: as many ghost cells
              // make another boundary. 0: sweeps take any boundary.
};

using HeatRung = core::RungOf<HeatArgs, HeatTypes>;

}  // namespace rafter::heat_ladder

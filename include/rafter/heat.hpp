// Diffusion on a uniform grid: u_t = alpha * (u_xx + u_yy + u_zz), high-order differences in space, RK4 in time.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/buffer.hpp"
#include "rafter/grid.hpp"  // IWYU pragma: export
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter {

using HeatTypes = Types<float, double>;

/// Distances between neighbours.
struct GridSpacing {
  double z = 1;
  double y = 1;
  double x = 1;
};

struct HeatProblem {
  GridShape shape = {};
  GridSpacing spacing = {};
  double alpha = 1;  ///< diffusivity
  int order = 8;     ///< of accuracy in space: 2, 4, 6 or 8
  double dt = 0;     ///< 0: heat_default_dt()

  /// Neighbours that a difference takes on each side.
  int radius() const noexcept { return order / 2; }
};

/// 0.05 / (alpha * (1/hx^2 + 1/hy^2 + 1/hz^2)).
double heat_default_dt(const HeatProblem& problem);

/// The largest time step for which RK4 is stable on this grid.
double heat_largest_dt(const HeatProblem& problem);

namespace detail {
template <class T>
struct HeatAdvance {
  void operator()(const Stream& stream, GridView<const T> in, const HeatProblem& problem, std::int64_t n_steps,
                  GridView<T> out, GridView<T> work) const;
};
template <class T>
struct ContiguousHeatAdvance {
  void operator()(const Stream& stream, std::span<const T> in, const HeatProblem& problem, std::int64_t n_steps,
                  std::span<T> out, std::span<T> work) const;
};
}  // namespace detail

/// Advances `in` by `n_steps` RK4 steps to `out`. Cells with an index below the radius, or within it of the end, are
/// frozen: they never change, in the stages neither.
///
/// All three are fields of the problem's shape on the stream's device and are the caller's; `work` is overwritten. They
/// are views, each with strides of its own, or spans of shape.n_cells() elements. `in` and `out` may be the same field;
/// else no two overlap, each from its first cell to its last. The result depends on neither the number of threads nor
/// the GPU's schedule. Nothing is allocated; no synchronisation; may be captured in a CUDA graph.
///
/// On a GPU strides cost nothing where all rows and planes begin at multiples of 16 bytes; in floats of order 2 or 4 nx
/// is a multiple of 4, too. Otherwise the field is copied into the stream's scratch and back; where it does not fit
/// there, steps take twice as long. Small grids are fastest with the same strides in all three fields.
///
/// Throws Error (bad_argument): extents below 2 * radius + 1, an order other than 2, 4, 6, 8, spacings or alpha that
/// are not positive, a dt above heat_largest_dt(), fields of another shape, strides that let rows or planes overlap.
inline constexpr Overloads<OverloadsFor<detail::HeatAdvance, HeatTypes>,
                           OverloadsFor<detail::ContiguousHeatAdvance, HeatTypes>>
    heat_advance{};

/// What happens at the grid's faces.
enum class HeatBoundary {
  frozen,     ///< the outer `radius` cells keep their values
  periodic,   ///< the grid goes on at its other side
  zero_flux,  ///< mirrored at the faces, which lie half a spacing outside the outer cells: heat is conserved
};

/// A field in words: what it holds, and its extremes.
struct HeatSummary {
  double total = 0;  ///< the sum over all cells, times the volume of one
  double min = 0;
  double max = 0;
};

/// A field on a device and its time. Float or double. Takes the memory of two fields, with a few cells around each for
/// boundaries other than frozen.
template <class T>
class HeatSolver {
 public:
  /// Starts with zeros everywhere. Throws Error as heat_advance() does, and (out_of_memory) when two fields do not fit.
  HeatSolver(const Stream& stream, const HeatProblem& problem, HeatBoundary boundary = HeatBoundary::frozen);

  /// The problem, with its dt.
  const HeatProblem& problem() const noexcept { return problem_; }
  HeatBoundary boundary() const noexcept { return boundary_; }
  double time() const noexcept { return static_cast<double>(n_steps_) * problem_.dt; }
  std::int64_t n_steps() const noexcept { return n_steps_; }

  /// Sets the field from host memory, [nz, ny, nx], after so many steps, and waits for it.
  void set_field(std::span<const T> host, std::int64_t n_steps = 0);

  /// Enqueues `n_steps` steps. However they are divided among calls, the result is the same, bit by bit.
  void advance(std::int64_t n_steps);

  /// Copies the field to host memory, [nz, ny, nx], and waits for it.
  void field(std::span<T> host) const;

  /// Waits for the field, and looks at all of it.
  HeatSummary summary() const;

 private:
  Stream stream_;
  HeatProblem problem_;
  HeatBoundary boundary_;
  std::int64_t ghost_;  // cells around the field
  HeatProblem padded_;  // with them
  std::int64_t row_stride_;
  Buffer<T> now_;
  mutable Buffer<T> next_;  // field() puts the cells in order here
  std::int64_t n_steps_ = 0;
};

extern template class HeatSolver<float>;
extern template class HeatSolver<double>;

}  // namespace rafter

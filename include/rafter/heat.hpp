// Diffusion on a uniform grid: u_t = alpha * (u_xx + u_yy + u_zz), high-order differences in space, RK4 in time.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/buffer.hpp"
#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/grid.hpp"  // IWYU pragma: export
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::inline v1 {

using HeatTypes = Types<float, double>;

/// The distances between adjacent cells.
struct GridSpacing {
  double z = 1;
  double y = 1;
  double x = 1;
};

struct HeatProblem {
  GridShape shape = {};
  GridSpacing spacing = {};
  double alpha = 1;  ///< diffusivity
  int order = 8;     ///< order of accuracy in space: 2, 4, 6 or 8
  double dt = 0;     ///< 0: heat_default_dt()

  /// The stencil radius: the neighbours used on each side.
  [[nodiscard]] int radius() const noexcept { return order / 2; }
};

/// Returns 0.05 / (alpha * (1/hx^2 + 1/hy^2 + 1/hz^2)).
[[nodiscard]] RAFTER_API double heat_default_dt(const HeatProblem& problem);

/// Returns the largest time step for which RK4 is stable on this grid.
[[nodiscard]] RAFTER_API double heat_largest_dt(const HeatProblem& problem);

namespace detail {
template <class T>
struct RAFTER_API HeatAdvance {
  void operator()(const Stream& stream, GridView<const T> in, const HeatProblem& problem, std::int64_t n_steps,
                  GridView<T> out, GridView<T> work) const;
};
template <class T>
struct RAFTER_API ContiguousHeatAdvance {
  void operator()(const Stream& stream, DeviceSpan<const T> in, const HeatProblem& problem, std::int64_t n_steps,
                  DeviceSpan<T> out, DeviceSpan<T> work) const;
};
}  // namespace detail

/// Advances `in` by `n_steps` RK4 steps and writes the result to `out`. The outer `radius` cells on every side are
/// frozen: they never change, not even in the stages of a step.
///
/// The caller owns all three fields; they have the problem's shape and are in memory of the stream's device. `work` is
/// overwritten. They are views, each with its own strides, or spans of shape.n_cells() elements. `in` and `out` may be
/// the same field; otherwise no two may overlap, each from its first cell to its last. The result depends neither on
/// the number of threads nor on the GPU's schedule. No allocation, no synchronisation; may be captured in a CUDA graph.
///
/// On a GPU strides cost nothing if all rows and planes begin at multiples of 16 bytes and, for float with order 2 or
/// 4, nx is a multiple of 4. Otherwise the field is copied into the stream's scratch and back; if it does not fit
/// there, steps take twice as long. Small grids are fastest with equal strides in all three fields.
///
/// Throws Error (bad_argument) for extents below 2 * radius + 1, an order other than 2, 4, 6, 8, spacings or alpha that
/// are not positive, a dt above heat_largest_dt(), fields of another shape, and strides that let rows or planes
/// overlap.
inline constexpr BothOverloads<OverloadsFor<detail::HeatAdvance, HeatTypes>,
                               OverloadsFor<detail::ContiguousHeatAdvance, HeatTypes>>
    heat_advance{};

/// Returns the ghost cells that heat_advance_box() needs on each side: a radius for each of the four stages of a step.
[[nodiscard]] constexpr std::int64_t heat_box_ghosts(const HeatProblem& problem) noexcept {
  return 4 * std::int64_t{problem.order / 2};
}

/// Returns the elements of work memory that heat_advance_box() needs: two fields of the box and its ghost cells, with
/// rows of multiples of 4 elements. Throws Error like heat_advance_box().
[[nodiscard]] RAFTER_API std::int64_t heat_box_work_size(const HeatProblem& problem, const GridBox& box);

namespace detail {
template <class T>
struct RAFTER_API HeatAdvanceBox {
  void operator()(const Stream& stream, GridView<const T> in, const HeatProblem& problem, const GridBox& box,
                  GridView<T> out, DeviceSpan<T> work) const;
};
}  // namespace detail

/// Advances the cells of a box by one RK4 step and writes them to `out`, for programs that divide a field into boxes
/// and exchange ghost cells themselves.
///
/// `in` has the problem's shape and holds the box with its surroundings; `out` has the shape of the box. Beyond each of
/// its six faces the box has at least heat_box_ghosts() cells of `in`, or it begins or ends where `in` does. There, and
/// only there, `in` ends at a face of the whole field, and its outer `radius` cells are frozen. For other boundaries
/// the caller continues the field in the ghost cells, by periodic or mirrored copies. The result is that of
/// heat_advance() or HeatSolver on the whole field: on a CPU bit for bit, on a GPU within the error bound, as other
/// kernels may add in another order.
///
/// The caller owns all memory, on the stream's device. `work`, heat_box_work_size() elements, is overwritten; steps are
/// fastest if it begins at a multiple of 16 bytes. `in`, `out` and `work` do not overlap. `out` is usually a box of a
/// second field with ghost cells; cells outside of it are not written, so that several boxes of a field may be advanced
/// one after another, or on several streams with a `work` for each. No allocation, no synchronisation; may be captured
/// in a CUDA graph.
///
/// Throws Error (bad_argument) like heat_advance(), for boxes that are empty or extend beyond `in`, too few ghost
/// cells, and too little work memory.
inline constexpr OverloadsFor<detail::HeatAdvanceBox, HeatTypes> heat_advance_box{};

/// The boundary condition at the faces of the grid.
enum class HeatBoundary {
  frozen,     ///< the outer `radius` cells keep their values
  periodic,   ///< the grid wraps around
  zero_flux,  ///< mirrored at the faces, half a spacing outside the centres of the outermost cells; heat is conserved
};

/// The total and the extremes of a field.
struct HeatSummary {
  double total = 0;  ///< the sum over all cells times the volume of a cell
  double min = 0;
  double max = 0;
};

/// A field on a device and its time; T is float or double. Takes the memory of two fields; on a GPU with ghost cells
/// around each for boundaries other than frozen.
///
/// Only one thread at a time may use an object.
template <class T>
class RAFTER_API HeatSolver {
 public:
  /// Starts with zeros everywhere. Throws Error like heat_advance(), and (out_of_memory) when two fields do not fit.
  HeatSolver(const Stream& stream, const HeatProblem& problem, HeatBoundary boundary = HeatBoundary::frozen);

  /// The problem, with dt resolved.
  [[nodiscard]] const HeatProblem& problem() const noexcept { return problem_; }
  [[nodiscard]] HeatBoundary boundary() const noexcept { return boundary_; }
  [[nodiscard]] double time() const noexcept { return static_cast<double>(n_steps_) * problem_.dt; }
  [[nodiscard]] std::int64_t n_steps() const noexcept { return n_steps_; }

  /// Sets the field from host memory, [nz, ny, nx], as the state after `n_steps` steps. Waits for the copy.
  void set_field(std::span<const T> host, std::int64_t n_steps = 0);

  /// Sets the field from memory of the stream's device: a view of the problem's shape with any strides, or a contiguous
  /// field. Enqueues the copy on the stream and does not wait for it. Throws Error (bad_argument) for fields of another
  /// shape and for memory of the solver itself, such as view().
  void set_field(GridView<const T> cells, std::int64_t n_steps = 0);
  void set_field(DeviceSpan<const T> cells, std::int64_t n_steps = 0);

  /// Enqueues `n_steps` steps. The result is bit-identical however the steps are divided among calls.
  void advance(std::int64_t n_steps);

  /// Copies the field to host memory, [nz, ny, nx], and waits for the copy.
  void field(std::span<T> host) const;

  /// Copies the field to memory of the stream's device. Enqueues the copy on the stream and does not wait for it. Gaps
  /// between rows and planes are not written. Throws Error (bad_argument) like set_field().
  void field(GridView<T> cells) const;
  void field(DeviceSpan<T> cells) const;

  /// Returns the field in memory of the stream's device, without a copy and without waiting: work enqueued on the
  /// stream reads the state after all steps enqueued so far. Its rows may be followed by gaps. The view is valid until
  /// the next call of advance() or set_field(), and as long as the solver exists.
  [[nodiscard]] GridView<const T> view() const noexcept;

  /// Waits for the field and summarises it.
  [[nodiscard]] HeatSummary summary() const;

 private:
  Stream stream_;
  HeatProblem problem_;
  HeatBoundary boundary_;
  std::int64_t ghost_;  // ghost cells on each side
  HeatProblem padded_;  // the problem including ghost cells
  std::int64_t row_stride_;
  Buffer<T> now_;
  mutable Buffer<T> next_;  // field() also uses it to remove gaps and ghost cells
  std::int64_t n_steps_ = 0;
};

extern template class HeatSolver<float>;
extern template class HeatSolver<double>;

}  // namespace rafter::inline v1

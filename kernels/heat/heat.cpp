// The public ops heat_advance and heat_advance_box, and HeatSolver: check their arguments and call the best rung of the
// stream's device.
#include "rafter/heat.hpp"

#include <string>
#include <utility>

#include "heat/heat_field.hpp"
#include "heat/heat_problem.hpp"
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"
#include "rafter/fill.hpp"

namespace rafter {

namespace heat_ladder {
namespace cpu {
extern const HeatRung wavefront;
}
namespace cuda {
extern const HeatRung by_size;
}
}  // namespace heat_ladder

namespace {

using heat_ladder::all_axes;
using heat_ladder::field_of_rows;
using heat_ladder::Gaps;
using heat_ladder::grid_of;
using heat_ladder::HeatArgs;
using heat_ladder::HeatGrid;
using heat_ladder::inside;
using heat_ladder::require_contiguous;
using heat_ladder::require_extents;
using heat_ladder::SweepPlan;
using heat_ladder::text;
using heat_ladder::with_dt;

template <class T>
void require_view(const Stream& stream, const char* op, const char* argument, const GridView<T>& field,
                  const GridShape& shape) {
  if (field.shape != shape)
    core::refuse(op, argument, "must have the problem's shape, " + text(shape) + ", has " + text(field.shape));
  core::require_field(stream, op, argument, field);
}

template <class T>
bool is_same_field(const GridView<const T>& a, const GridView<const T>& b) {
  return a.data == b.data && heat_ladder::have_same_strides<T>({a, b});
}

SweepPlan plan_for(const Stream& stream, int radius) {
  SweepPlan plan{};
  core::dispatch(
      stream, "HeatSolver", [&] { plan = heat_ladder::cpu::sweep_plan(radius); },
      RAFTER_CUDA_CALL(plan = heat_ladder::cuda::sweep_plan(radius)));
  return plan;
}

HeatProblem checked_problem(const HeatProblem& given, HeatBoundary boundary) {
  constexpr const char* op = "HeatSolver";
  const HeatProblem problem = with_dt(op, given, all_axes);
  const bool frozen = boundary == HeatBoundary::frozen;
  require_extents(op, problem.shape, frozen ? 2 * problem.radius() + 1 : 1, frozen ? " (2 * radius + 1)" : "");
  return problem;
}

HeatProblem padded(HeatProblem problem, std::int64_t ghost) {
  auto& [nz, ny, nx] = problem.shape;
  for (std::int64_t* extent : {&nz, &ny, &nx}) *extent += 2 * ghost;
  return problem;
}

}  // namespace

double v1::heat_default_dt(const HeatProblem& problem) {
  return heat_ladder::default_dt("heat_default_dt", problem, all_axes);
}

double v1::heat_largest_dt(const HeatProblem& problem) {
  return heat_ladder::largest_dt("heat_largest_dt", problem, all_axes);
}

namespace {

constexpr const char* advance_op = "heat_advance";

void require_count(const char* op, std::int64_t n_steps) {
  if (n_steps < 0) core::refuse(op, "n_steps", "must not be negative, is " + std::to_string(n_steps));
}

HeatProblem checked_steps(const HeatProblem& given, std::int64_t n_steps) {
  const HeatProblem problem = with_dt(advance_op, given, all_axes);
  require_extents(advance_op, problem.shape, 2 * problem.radius() + 1, " (2 * radius + 1)");
  require_count(advance_op, n_steps);
  return problem;
}

}  // namespace

template <class T>
void detail::HeatAdvance<T>::operator()(const Stream& stream, GridView<const T> in, const HeatProblem& given,
                                        std::int64_t n_steps, GridView<T> out, GridView<T> work) const {
  constexpr const char* op = advance_op;
  const HeatProblem problem = checked_steps(given, n_steps);
  const GridView<const T> checked_out = out;
  const GridView<const T> checked_work = work;
  for (const auto& [name, field] : {std::pair("in", in), {"out", checked_out}, {"work", checked_work}})
    require_view(stream, op, name, field, problem.shape);
  const auto require_disjoint = [&](const char* first, const auto& a, const char* second, const auto& b) {
    core::require_disjoint(op, first, core::elements_of(a), second, core::elements_of(b));
  };
  require_disjoint("in", in, "work", checked_work);
  require_disjoint("out", checked_out, "work", checked_work);
  if (!is_same_field(in, checked_out)) require_disjoint("in", in, "out", checked_out);
  const HeatArgs<T> args{grid_of(problem), n_steps, in, out, work};
  core::dispatch<heat_ladder::cpu::wavefront, heat_ladder::cuda::by_size>(op, stream, args);
}

template <class T>
void detail::ContiguousHeatAdvance<T>::operator()(const Stream& stream, DeviceSpan<const T> in,
                                                  const HeatProblem& given, std::int64_t n_steps, DeviceSpan<T> out,
                                                  DeviceSpan<T> work) const {
  const GridShape shape = checked_steps(given, n_steps).shape;
  const DeviceSpan<const T> checked_out = out;
  const DeviceSpan<const T> checked_work = work;
  for (const auto& [name, array] : {std::pair("in", in), {"out", checked_out}, {"work", checked_work}})
    require_contiguous(advance_op, name, array.elements(), shape);
  HeatAdvance<T>{}(stream, GridView<const T>::unchecked(in.data(), shape), given, n_steps,
                   GridView<T>::unchecked(out.data(), shape), GridView<T>::unchecked(work.data(), shape));
}

template struct core::Instances<const OverloadsFor<detail::HeatAdvance, HeatTypes>>;
template struct core::Instances<const OverloadsFor<detail::ContiguousHeatAdvance, HeatTypes>>;

// ---- A step of a box ----

namespace {

constexpr const char* box_op = "heat_advance_box";

/// Checks that a box of n cells from `first` on is in a grid of n_grid cells, and its distances from the grid's ends.
void require_box_axis(const char* axis, std::int64_t first, std::int64_t n, std::int64_t n_grid, std::int64_t ghosts) {
  const auto refuse = [&](const std::string& complaint) { core::refuse(box_op, "box", complaint + " along " + axis); };
  const std::string cells = "cells " + std::to_string(first) + " to " + std::to_string(first + n);
  if (first < 0 || n < 1 || n > n_grid || first > n_grid - n)
    refuse("must be at least one of the " + std::to_string(n_grid) + " cells, is " + cells);
  for (const std::int64_t before : {first, n_grid - n - first}) {
    if (before == 0 || before >= ghosts) continue;
    refuse("must have no ghost cells or at least " + std::to_string(ghosts) + " (4 * radius) on each side, has " +
           std::to_string(before));
  }
}

HeatProblem checked_box(const HeatProblem& given, const GridBox& box) {
  const HeatProblem problem = with_dt(box_op, given, all_axes);
  const auto& [nz, ny, nx] = problem.shape;
  require_extents(box_op, problem.shape, 2 * problem.radius() + 1, " (2 * radius + 1)");
  const std::int64_t ghosts = heat_box_ghosts(problem);
  require_box_axis("z", box.z, box.shape.nz, nz, ghosts);
  require_box_axis("y", box.y, box.shape.ny, ny, ghosts);
  require_box_axis("x", box.x, box.shape.nx, nx, ghosts);
  return problem;
}

std::int64_t work_size(const HeatProblem& problem, const GridBox& box) {
  return 2 * heat_ladder::box_field_size(heat_ladder::surroundings_of(box, problem.shape, problem.radius()).shape);
}

}  // namespace

std::int64_t v1::heat_box_work_size(const HeatProblem& problem, const GridBox& box) {
  return work_size(checked_box(problem, box), box);
}

template <class T>
void detail::HeatAdvanceBox<T>::operator()(const Stream& stream, GridView<const T> in, const HeatProblem& given,
                                           const GridBox& box, GridView<T> out, DeviceSpan<T> work) const {
  const HeatProblem problem = checked_box(given, box);
  require_view(stream, box_op, "in", in, problem.shape);
  if (out.shape != box.shape)
    core::refuse(box_op, "out", "must have the shape of the box, " + text(box.shape) + ", has " + text(out.shape));
  core::require_field(stream, box_op, "out", out);
  if (work.size() < work_size(problem, box)) {
    core::refuse(box_op, "work",
                 "must have at least " + std::to_string(work_size(problem, box)) +
                     " elements (heat_box_work_size), has " + std::to_string(work.size()));
  }
  core::require_array(stream, box_op, "work", work);
  core::require_disjoint(box_op, "in", core::elements_of(in), "out", core::elements_of(out));
  core::require_disjoint(box_op, "in", core::elements_of(in), "work", work);
  core::require_disjoint(box_op, "out", core::elements_of(out), "work", work);
  const HeatGrid grid = grid_of(problem);
  core::dispatch(
      stream, box_op, [&] { heat_ladder::cpu::advance_box<T>(stream, grid, box, in, out, work.data()); },
      RAFTER_CUDA_CALL(heat_ladder::cuda::advance_box<T>(stream, grid, box, in, out, work.data())));
}

template struct core::Instances<const OverloadsFor<detail::HeatAdvanceBox, HeatTypes>>;

// ---- The solver ----

namespace {

constexpr const char* set_field_op = "HeatSolver::set_field";
constexpr const char* field_op = "HeatSolver::field";

/// Checks cells outside of a solver that are copied to its field or from it.
template <class T>
void require_cells(const char* op, const GridView<const T>& cells, const GridShape& shape, const Buffer<T>& now,
                   const Buffer<T>& next) {
  require_view(now.stream(), op, "cells", cells, shape);
  for (const Buffer<T>* own : {&now, &next})
    core::require_disjoint(op, "the solver's memory", own->span(), "cells", core::elements_of(cells));
}

}  // namespace

// Calls heat_ladder::DEVICE::call for the stream's device.
#define RAFTER_ON_DEVICE(call) \
  core::dispatch(              \
      stream_, "HeatSolver", [&] { heat_ladder::cpu::call; }, RAFTER_CUDA_CALL(heat_ladder::cuda::call))

template <class T>
HeatSolver<T>::HeatSolver(const Stream& stream, const HeatProblem& problem, HeatBoundary boundary)
    : stream_(stream),
      problem_(checked_problem(problem, boundary)),
      boundary_(boundary),
      ghost_(boundary == HeatBoundary::frozen ? 0 : plan_for(stream, problem.radius()).ghost),
      padded_(padded(problem_, ghost_)),
      row_stride_(stream.device() == Device::cuda ? heat_ladder::aligned_row_stride<T>(padded_.shape.nx)
                                                  : padded_.shape.nx),
      now_(stream, padded_.shape.nz * padded_.shape.ny * row_stride_),
      next_(stream, now_.size()) {
  fill(stream, T{0}, now_.span());
  fill(stream, T{0}, next_.span());
}

template <class T>
void HeatSolver<T>::set_field(std::span<const T> host, std::int64_t n_steps) {
  require_contiguous(set_field_op, "host", host, problem_.shape);
  require_count(set_field_op, n_steps);
  n_steps_ = n_steps;
  const GridView<T> now = field_of_rows(now_.data(), padded_.shape, row_stride_);
  const GridView<T> next = field_of_rows(next_.data(), padded_.shape, row_stride_);
  if (inside(now, ghost_).is_contiguous()) {
    now_.copy_from(host);
  } else {  // `next` is larger than the field: the field is copied there, then to its place
    const GridView<T> landed = contiguous_field(next_.span(), problem_.shape);
    detail::copy_in(stream_, landed.data, host.data(), static_cast<std::int64_t>(host.size_bytes()));
    RAFTER_ON_DEVICE(copy_field<T>(stream_, landed, inside(now, ghost_)));
  }
  if (boundary_ == HeatBoundary::frozen) RAFTER_ON_DEVICE(copy_frozen<T>(stream_, grid_of(problem_), now, next));
}

template <class T>
void HeatSolver<T>::set_field(GridView<const T> cells, std::int64_t n_steps) {
  require_cells(set_field_op, cells, problem_.shape, now_, next_);
  require_count(set_field_op, n_steps);
  n_steps_ = n_steps;
  const GridView<T> now = field_of_rows(now_.data(), padded_.shape, row_stride_);
  const GridView<T> next = field_of_rows(next_.data(), padded_.shape, row_stride_);
  RAFTER_ON_DEVICE(copy_field<T>(stream_, cells, inside(now, ghost_)));
  if (boundary_ == HeatBoundary::frozen) RAFTER_ON_DEVICE(copy_frozen<T>(stream_, grid_of(problem_), now, next));
}

template <class T>
void HeatSolver<T>::set_field(DeviceSpan<const T> cells, std::int64_t n_steps) {
  require_contiguous(set_field_op, "cells", cells.elements(), problem_.shape);
  set_field(GridView<const T>::unchecked(cells.data(), problem_.shape), n_steps);
}

template <class T>
void HeatSolver<T>::advance(std::int64_t n_steps) {
  require_count("HeatSolver::advance", n_steps);
  HeatGrid grid = grid_of(padded_, Gaps::own);
  if (ghost_ == 0) grid.boundary = boundary_;
  const SweepPlan plan = plan_for(stream_, grid.radius);
  const std::int64_t n_sweeps = n_steps * plan.n_sweeps;
  const std::int64_t at_once = ghost_ == 0 ? n_sweeps : 1;  // ghosts are set before each sweep
  for (std::int64_t i = 0; i < n_sweeps; i += at_once) {
    const GridView<T> now = field_of_rows(now_.data(), padded_.shape, row_stride_);
    const GridView<T> next = field_of_rows(next_.data(), padded_.shape, row_stride_);
    if (ghost_ > 0) RAFTER_ON_DEVICE(fill_ghosts<T>(stream_, ghost_, boundary_, now));
    bool moved = false;
    const auto first = static_cast<int>(i % plan.n_sweeps);
    RAFTER_ON_DEVICE(sweeps<T>(stream_, grid, first, at_once, now, next, &moved));
    if (moved) std::swap(now_, next_);
  }
  n_steps_ += n_steps;
}

template <class T>
void HeatSolver<T>::field(std::span<T> host) const {
  require_contiguous(field_op, "host", host, problem_.shape);
  const GridView<const T> now = field_of_rows(now_.data(), padded_.shape, row_stride_);
  const GridView<T> next = field_of_rows(next_.data(), padded_.shape, row_stride_);
  if (inside(now, ghost_).is_contiguous()) return now_.copy_to(host);
  const GridView<T> leaving = contiguous_field(next_.span(), problem_.shape);
  RAFTER_ON_DEVICE(copy_field<T>(stream_, inside(now, ghost_), leaving));
  detail::copy_out(stream_, host.data(), leaving.data, static_cast<std::int64_t>(host.size_bytes()));
  if (boundary_ == HeatBoundary::frozen) RAFTER_ON_DEVICE(copy_frozen<T>(stream_, grid_of(problem_), now, next));
}

template <class T>
void HeatSolver<T>::field(GridView<T> cells) const {
  require_cells<T>(field_op, cells, problem_.shape, now_, next_);
  RAFTER_ON_DEVICE(copy_field<T>(stream_, view(), cells));
}

template <class T>
void HeatSolver<T>::field(DeviceSpan<T> cells) const {
  require_contiguous(field_op, "cells", cells.elements(), problem_.shape);
  field(GridView<T>::unchecked(cells.data(), problem_.shape));
}

template <class T>
GridView<const T> HeatSolver<T>::view() const noexcept {
  return inside<const T>(field_of_rows(now_.data(), padded_.shape, row_stride_), ghost_);
}

template <class T>
HeatSummary HeatSolver<T>::summary() const {
  HeatSummary result;
  RAFTER_ON_DEVICE(summarize<T>(stream_, view(), &result));
  result.total *= problem_.spacing.z * problem_.spacing.y * problem_.spacing.x;
  return result;
}

template class HeatSolver<float>;
template class HeatSolver<double>;

}  // namespace rafter

// ConductionSolver: checks its arguments and calls the stages of the stream's device.
#include <cmath>
#include <string>

#include "heat/heat_conduction_stage.hpp"
#include "heat/heat_field.hpp"
#include "heat/heat_problem.hpp"
#include "library/core/dispatch.hpp"
#include "rafter/conduction.hpp"
#include "rafter/fill.hpp"

namespace rafter {

namespace {

using heat_ladder::ActiveAxes;
using heat_ladder::ConductionAxis;
using heat_ladder::ConductionFace;
using heat_ladder::ConductionStage;
using Kind = HeatFace::Kind;

constexpr const char* conduction_op = "ConductionSolver";
constexpr const char* axis_names[] = {"z", "y", "x"};

std::array<std::int64_t, 3> extents_of(const GridShape& shape) { return {shape.nz, shape.ny, shape.nx}; }

bool brings_heat(const HeatFace& face) { return face.kind == Kind::value || face.kind == Kind::flux; }

/// Whether a face has no effect. One of zero flux has none, so an axis of one cell may have it: nothing differs along
/// it.
bool is_idle(const HeatFace& face) { return !brings_heat(face) || face == HeatFace{Kind::flux, 0}; }

ActiveAxes active_axes(const GridShape& shape, const HeatFaces& faces) {
  ActiveAxes active{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    active[axis] = extents_of(shape)[axis] != 1 || !is_idle(faces.low[axis]) || !is_idle(faces.high[axis]);
  return active;
}

void require_faces(const HeatProblem& problem, const HeatFaces& faces) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const HeatFace& low = faces.low[axis];
    const HeatFace& high = faces.high[axis];
    const std::string along = std::string(" along ") + axis_names[axis];
    if ((low.kind == Kind::periodic) != (high.kind == Kind::periodic))
      core::refuse(conduction_op, "faces", "must both be periodic, or neither," + along);
    for (const HeatFace& face : {low, high}) {
      if (!std::isfinite(face.amount)) core::refuse(conduction_op, "faces", "must have finite amounts" + along);
    }
    const std::int64_t n = extents_of(problem.shape)[axis];
    const std::int64_t frozen = (low.kind == Kind::frozen) + (high.kind == Kind::frozen);
    const std::int64_t least = frozen * problem.radius() + 1;
    const bool is_flat = n == 1 && is_idle(low) && is_idle(high);
    if (!is_flat && n < least) {
      core::refuse(conduction_op, "shape",
                   "must have at least " + std::to_string(least) + " cells" + along + ", beside frozen faces; is " +
                       heat_ladder::text(problem.shape));
    }
  }
}

HeatProblem checked_conduction(const HeatProblem& given, const HeatFaces& faces) {
  const HeatProblem problem = heat_ladder::with_dt(conduction_op, given, active_axes(given.shape, faces));
  heat_ladder::require_extents(conduction_op, problem.shape, 1, "");
  require_faces(problem, faces);
  return problem;
}

// ---- Stages ----

/// Returns axis `axis` of a stage of scale * dt.
template <class T>
ConductionAxis<T> stage_axis(const HeatProblem& problem, const HeatFaces& faces, std::size_t axis, double scale,
                             bool varies) {
  ConductionAxis<T> result;
  const auto [nz, ny, nx] = problem.shape;
  const double spacing = std::array{problem.spacing.z, problem.spacing.y, problem.spacing.x}[axis];
  if (!active_axes(problem.shape, faces)[axis]) return result;
  const HeatFace& low = faces.low[axis];
  const HeatFace& high = faces.high[axis];
  result.n = extents_of(problem.shape)[axis];
  result.stride = std::array{ny * nx, nx, std::int64_t{1}}[axis];
  result.first_free = low.kind == Kind::frozen ? problem.radius() : 0;
  result.end_free = result.n - (high.kind == Kind::frozen ? problem.radius() : 0);
  const double time = scale * problem.dt;
  const auto face_of = [&](const HeatFace& face) {
    const double per_flux = varies ? time / spacing : spacing / problem.alpha;
    const double amount = face.kind == Kind::value ? 2 * face.amount : face.amount * per_flux;
    return ConductionFace<T>{face.kind, static_cast<T>(amount)};
  };
  result.low = face_of(low);
  result.high = face_of(high);
  heat_ladder::with_radius(problem.radius(), [&](auto radius) {
    for (std::size_t k = 1; k <= radius(); ++k) {
      const double weight = heat_ladder::second_difference<radius()>[k];
      result.weight[k - 1] = static_cast<T>(weight * time * problem.alpha / (spacing * spacing));
    }
  });
  return result;
}

/// Checks that all values are finite and, if `most` is finite, from 0 to `most`; refuses the first cell that is not,
/// with its value.
template <class T>
void require_cells(const char* argument, std::span<const T> values, const GridShape& shape, double most) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<double>(values[i]);
    if (std::isfinite(value) && (!std::isfinite(most) || (value >= 0 && value <= most))) continue;
    const std::int64_t at = static_cast<std::int64_t>(i);
    const std::int64_t row = at / shape.nx;
    const std::string range = std::isfinite(most) ? "from 0 to the problem's alpha, " + std::to_string(most) : "finite";
    core::refuse(conduction_op, argument,
                 "must be " + range + "; is " + std::to_string(value) + " in cell " +
                     heat_ladder::text({row / shape.ny, row % shape.ny, at % shape.nx}));
  }
}

}  // namespace

HeatFaces v1::heat_faces(HeatBoundary boundary) {
  const HeatFace face{boundary == HeatBoundary::frozen     ? Kind::frozen
                      : boundary == HeatBoundary::periodic ? Kind::periodic
                                                           : Kind::flux};
  return {{face, face, face}, {face, face, face}};
}

double v1::conduction_default_dt(const HeatProblem& problem, const HeatFaces& faces) {
  return heat_ladder::default_dt("conduction_default_dt", problem, active_axes(problem.shape, faces));
}

double v1::conduction_largest_dt(const HeatProblem& problem, const HeatFaces& faces) {
  return heat_ladder::largest_dt("conduction_largest_dt", problem, active_axes(problem.shape, faces));
}

// ---- The solver ----

template <class T>
ConductionSolver<T>::ConductionSolver(const Stream& stream, const HeatProblem& problem, const HeatFaces& faces)
    : stream_(stream),
      problem_(checked_conduction(problem, faces)),
      faces_(faces),
      now_(stream, problem_.shape.n_cells()),
      odd_(stream, now_.size()),
      even_(stream, now_.size()) {
  fill(stream, T{0}, now_.span());
}

template <class T>
void ConductionSolver<T>::set_diffusivity(std::span<const T> host) {
  heat_ladder::require_contiguous("ConductionSolver::set_diffusivity", "host", host, problem_.shape);
  if (problem_.order != 2)
    core::refuse(conduction_op, "order",
                 "must be 2 with a diffusivity in every cell, is " + std::to_string(problem_.order));
  require_cells("diffusivity", host, problem_.shape, problem_.alpha);
  std::vector<T> parts(host.begin(), host.end());
  for (T& part : parts) part = static_cast<T>(static_cast<double>(part) / problem_.alpha);
  diffusivity_ = Buffer<T>(stream_, std::span<const T>(parts));  // unchanged if this throws
}

template <class T>
void ConductionSolver<T>::set_source(std::span<const T> host) {
  heat_ladder::require_contiguous("ConductionSolver::set_source", "host", host, problem_.shape);
  require_cells("source", host, problem_.shape, INFINITY);
  source_ = Buffer<T>(stream_, host);
}

template <class T>
void ConductionSolver<T>::set_field(std::span<const T> host, std::int64_t n_steps) {
  heat_ladder::require_contiguous("ConductionSolver::set_field", "host", host, problem_.shape);
  if (n_steps < 0) core::refuse(conduction_op, "n_steps", "must not be negative, is " + std::to_string(n_steps));
  n_steps_ = n_steps;
  now_.copy_from(host);
}

// Horner's form, as in heat_horner.hpp: the source is added in every stage, because L v + source is affine. The last
// stage reads u only in its own cell, so it may overwrite u.
template <class T>
void ConductionSolver<T>::advance(std::int64_t n_steps) {
  if (n_steps < 0) core::refuse(conduction_op, "n_steps", "must not be negative, is " + std::to_string(n_steps));
  const auto stage = [&](double scale, const T* v, T* out) {
    const auto axis = [&](std::size_t i) {
      return stage_axis<T>(problem_, faces_, i, scale, diffusivity_.has_value());
    };
    return ConductionStage<T>{.shape = problem_.shape,
                              .radius = problem_.radius(),
                              .z = axis(0),
                              .y = axis(1),
                              .x = axis(2),
                              .source_scale = static_cast<T>(scale * problem_.dt),
                              .u = now_.data(),
                              .v = v,
                              .diffusivity = diffusivity_ ? diffusivity_->data() : nullptr,
                              .source = source_ ? source_->data() : nullptr,
                              .out = out};
  };
  const std::array stages{stage(1. / 4, now_.data(), odd_.data()), stage(1. / 3, odd_.data(), even_.data()),
                          stage(1. / 2, even_.data(), odd_.data()), stage(1., odd_.data(), now_.data())};
  core::dispatch(
      stream_, conduction_op,
      [&] {
        for (std::int64_t i = 0; i < 4 * n_steps; ++i) heat_ladder::cpu::conduct<T>(stream_, stages[i % 4]);
      },
      RAFTER_CUDA_CALL(for (std::int64_t i = 0; i < 4 * n_steps; ++i)
                           heat_ladder::cuda::conduct<T>(stream_, stages[i % 4])));
  n_steps_ += n_steps;
}

template <class T>
void ConductionSolver<T>::field(std::span<T> host) const {
  heat_ladder::require_contiguous("ConductionSolver::field", "host", host, problem_.shape);
  now_.copy_to(host);
}

template <class T>
HeatSummary ConductionSolver<T>::summary() const {
  const GridView<const T> now = contiguous_field(now_.span(), problem_.shape);
  HeatSummary result;
  core::dispatch(
      stream_, conduction_op, [&] { heat_ladder::cpu::summarize<T>(stream_, now, &result); },
      RAFTER_CUDA_CALL(heat_ladder::cuda::summarize<T>(stream_, now, &result)));
  result.total *= problem_.spacing.z * problem_.spacing.y * problem_.spacing.x;
  return result;
}

template class ConductionSolver<float>;
template class ConductionSolver<double>;

}  // namespace rafter

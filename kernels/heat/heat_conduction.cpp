// ConductionSolver: checks its arguments and calls the stages of the stream's device.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "heat/heat_between.hpp"
#include "heat/heat_conduction_stage.hpp"
#include "heat/heat_field.hpp"
#include "heat/heat_forcing.hpp"
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

bool brings_heat(const HeatFace& face) { return face.kind != Kind::frozen && face.kind != Kind::periodic; }

/// Whether a face has no effect. One of zero flux has none, so an axis of one cell may have it: nothing differs along
/// it.
bool is_idle(const HeatFace& face) { return !brings_heat(face) || face == HeatFace{Kind::flux, 0}; }

ActiveAxes active_axes(const GridShape& shape, const HeatFaces& faces) {
  ActiveAxes active{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    active[axis] = extents_of(shape)[axis] != 1 || !is_idle(faces.low[axis]) || !is_idle(faces.high[axis]);
  return active;
}

/// Checks the faces of a grid whose frozen faces are `depth` cells deep.
void require_faces(const HeatProblem& problem, const HeatFaces& faces, int depth) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const HeatFace& low = faces.low[axis];
    const HeatFace& high = faces.high[axis];
    const std::string along = std::string(" along ") + axis_names[axis];
    if ((low.kind == Kind::periodic) != (high.kind == Kind::periodic))
      core::refuse(conduction_op, "faces", "must both be periodic, or neither," + along);
    for (const HeatFace& face : {low, high}) {
      if (!std::isfinite(face.amount)) core::refuse(conduction_op, "faces", "must have finite amounts" + along);
      if (face.kind == Kind::robin && !(face.exchange > 0 && std::isfinite(face.exchange)))
        core::refuse(conduction_op, "faces", "must have a positive exchange at a Robin face" + along);
    }
    const std::int64_t n = extents_of(problem.shape)[axis];
    const std::int64_t frozen = (low.kind == Kind::frozen) + (high.kind == Kind::frozen);
    const std::int64_t least = frozen * depth + 1;
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
  require_faces(problem, faces, problem.radius());
  return problem;
}

// ---- Stages ----

/// The parameters of a stage besides the problem.
struct StageSetup {
  double scale = 1;     // the stage is of scale * dt
  bool varies = false;  // there is a diffusivity in every cell
  double least_capacity = 1;
};

/// Returns the factor from the amount of a face to that of ConductionFace.
double per_amount(const HeatProblem& problem, double spacing, Kind kind, const StageSetup& setup) {
  if (kind != Kind::flux) return 2;
  if (setup.varies && problem.order == 2) return setup.scale * problem.dt / (spacing * setup.least_capacity);
  return spacing / (problem.alpha * setup.least_capacity);
}

double spacing_of(const HeatProblem& problem, std::size_t axis) {
  return std::array{problem.spacing.z, problem.spacing.y, problem.spacing.x}[axis];
}

/// Returns axis `axis` of a stage.
template <class T>
ConductionAxis<T> stage_axis(const HeatProblem& problem, const HeatFaces& faces, std::size_t axis,
                             const StageSetup& setup) {
  ConductionAxis<T> result;
  const auto [nz, ny, nx] = problem.shape;
  const double spacing = spacing_of(problem, axis);
  if (!active_axes(problem.shape, faces)[axis]) return result;
  const HeatFace& low = faces.low[axis];
  const HeatFace& high = faces.high[axis];
  const int depth = heat_ladder::reach_of(problem.radius(), setup.varies);
  result.n = extents_of(problem.shape)[axis];
  result.stride = std::array{ny * nx, nx, std::int64_t{1}}[axis];
  result.first_free = low.kind == Kind::frozen ? depth : 0;
  result.end_free = result.n - (high.kind == Kind::frozen ? depth : 0);
  const double time = setup.scale * problem.dt;
  const auto face_of = [&](const HeatFace& face) {
    ConductionFace<T> made{face.kind, static_cast<T>(face.amount * per_amount(problem, spacing, face.kind, setup))};
    made.biot = static_cast<T>(face.exchange * spacing / (2 * problem.alpha * setup.least_capacity));
    return made;
  };
  result.low = face_of(low);
  result.high = face_of(high);
  heat_ladder::with_radius(problem.radius(), [&](auto radius) {
    for (std::size_t k = 1; k <= radius(); ++k) {
      const double weight = setup.varies ? 1 : heat_ladder::second_difference<radius()>[k];
      result.weight[k - 1] = static_cast<T>(weight * time * problem.alpha / (spacing * spacing));
    }
  });
  return result;
}

/// Refuses the first cell whose value is not finite or not `good`, with its value.
template <class T, class Good>
void require_cells(const char* argument, std::span<const T> values, const GridShape& shape, const std::string& range,
                   const Good& good) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<double>(values[i]);
    if (std::isfinite(value) && good(value)) continue;
    const std::int64_t at = static_cast<std::int64_t>(i);
    const std::int64_t row = at / shape.nx;
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

double v1::conduction_largest_dt_of_diffusivities(const HeatProblem& problem, const HeatFaces& faces) {
  return heat_ladder::largest_dt_of_diffusivities("conduction_largest_dt_of_diffusivities", problem,
                                                  active_axes(problem.shape, faces));
}

// ---- What changes with time ----

template <class T>
struct ConductionSolver<T>::Forcing {
  /// The amounts of the cells of a face.
  struct OfFace {
    std::optional<heat_ladder::Samples<T>> samples;  // or else the amount of HeatFace everywhere
    std::vector<double> conductance;                 // relative to alpha, of a flux with an order above 2; or empty
    std::optional<Buffer<T>> amounts;
  };

  std::optional<heat_ladder::Samples<T>> source;
  std::array<OfFace, 6> faces;  // low and high of z, y, x

  /// Evaluates everything for a step.
  void begin_step(double beginning, double middle, double end) {
    if (source) source->begin_step(beginning, middle, end);
    for (OfFace& face : faces) {
      if (face.samples) face.samples->begin_step(beginning, middle, end);
    }
  }

  /// Copies the amounts of a face in stage `stage` to the device; `factor` is that of per_amount().
  static void copy_amounts(OfFace& face, double amount, double factor, int stage) {
    std::vector<T> values(static_cast<std::size_t>(face.amounts->size()));
    if (face.samples) {
      const std::span<const T> sampled = face.samples->of_stage(stage);
      values.assign(sampled.begin(), sampled.end());
    } else {
      std::fill(values.begin(), values.end(), static_cast<T>(amount));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double part = face.conductance.empty() ? 1 : face.conductance[i];
      values[i] = part > 0 ? static_cast<T>(static_cast<double>(values[i]) * factor / part) : T{0};
    }
    face.amounts->copy_from(values);
  }
};

// ---- The solver ----

template <class T>
ConductionSolver<T>::ConductionSolver(const Stream& stream, const HeatProblem& problem, const HeatFaces& faces)
    : stream_(stream),
      problem_(checked_conduction(problem, faces)),
      faces_(faces),
      now_(stream, problem_.shape.n_cells()),
      odd_(stream, now_.size()),
      even_(stream, now_.size()),
      forcing_(std::make_shared<Forcing>()) {
  fill(stream, T{0}, now_.span());
}

template <class T>
void ConductionSolver<T>::set_diffusivity(std::span<const T> host) {
  heat_ladder::require_contiguous("ConductionSolver::set_diffusivity", "host", host, problem_.shape);
  const double most = problem_.alpha * least_capacity_;
  require_cells("diffusivity", host, problem_.shape,
                "from 0 to the problem's alpha" + std::string(capacity_.empty() ? "" : " times the least capacity") +
                    ", " + std::to_string(most),
                [&](double value) { return value >= 0 && value <= most; });
  std::vector<T> parts(host.begin(), host.end());
  for (T& part : parts) part = static_cast<T>(static_cast<double>(part) / most);
  std::vector<Buffer<T>> between;
  std::array<std::vector<T>, 3> faces;
  if (problem_.order > 2) {
    require_faces(problem_, faces_, heat_ladder::reach_of(problem_.radius(), true));
    const double limit = conduction_largest_dt_of_diffusivities(problem_, faces_);
    if (!(problem_.dt <= limit)) {
      core::refuse(conduction_op, "dt",
                   "must be at most " + std::to_string(limit) + " with diffusivities of order " +
                       std::to_string(problem_.order) + ", is " + std::to_string(problem_.dt));
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (faces_.low[axis].kind == Kind::robin || faces_.high[axis].kind == Kind::robin)
        core::refuse(conduction_op, "faces", "must not be Robin faces with diffusivities and an order above 2");
      faces[axis] = heat_ladder::diffusivities_between(std::span<const T>(parts), problem_.shape, problem_.radius(),
                                                       static_cast<int>(axis), faces_.low[axis].kind == Kind::periodic);
      between.emplace_back(stream_, std::span<const T>(faces[axis]));
    }
  }
  diffusivity_ = Buffer<T>(stream_, std::span<const T>(parts));  // unchanged if this throws
  between_ = std::move(between);
  if (problem_.order > 2) set_conductances(faces);
}

/// The flux through a face of the grid is a sum of differences across several faces between cells, whose diffusivities
/// are mirrored. Divided by the same sum of these diffusivities, the flow is the prescribed one.
template <class T>
void ConductionSolver<T>::set_conductances(const std::array<std::vector<T>, 3>& between) {
  const auto [nz, ny, nx] = problem_.shape;
  const std::array<std::array<std::int64_t, 2>, 3> strides{{{nx, 1}, {(ny + 1) * nx, 1}, {ny * (nx + 1), nx + 1}}};
  const std::array<std::array<std::int64_t, 2>, 3> extents{{{ny, nx}, {nz, nx}, {nz, ny}}};
  const std::array along{ny * nx, nx, std::int64_t{1}};
  for (std::size_t i = 0; i < 6; ++i) {
    const std::size_t axis = i / 2;
    const HeatFace& face = (i % 2 == 0 ? faces_.low : faces_.high)[axis];
    typename Forcing::OfFace& forced = forcing_->faces[i];
    if (face.kind != Kind::flux || !active_axes(problem_.shape, faces_)[axis]) continue;
    if (!forced.samples && face.amount == 0) continue;
    const std::int64_t n = extents_of(problem_.shape)[axis];
    const auto line = [&](const T* at, std::int64_t k) {  // faces k inside of the boundary
      k %= 2 * n;
      k = std::min(k, 2 * n - k);
      return static_cast<double>(at[(i % 2 == 0 ? k : n - k) * along[axis]]);
    };
    forced.conductance.clear();
    heat_ladder::with_radius(problem_.radius(), [&](auto radius) {
      constexpr auto n_pairs = static_cast<std::size_t>(decltype(radius)::value);
      for (std::int64_t a = 0; a < extents[axis][0]; ++a) {
        for (std::int64_t b = 0; b < extents[axis][1]; ++b) {
          const T* at = between[axis].data() + a * strides[axis][0] + b * strides[axis][1];
          double sum = 0;  // of the weights of face_difference beyond each distance
          for (std::size_t k = 0; k < n_pairs; ++k) {
            double weight = 0;
            for (std::size_t l = k; l < n_pairs; ++l) weight += heat_ladder::face_difference<radius()>[l];
            sum += (k == 0 ? 1 : 2) * weight * line(at, static_cast<std::int64_t>(k));
          }
          forced.conductance.push_back(sum);
        }
      }
    });
    forced.amounts = Buffer<T>(stream_, std::ssize(forced.conductance));
  }
}

template <class T>
void ConductionSolver<T>::set_capacity(std::span<const T> host) {
  heat_ladder::require_contiguous("ConductionSolver::set_capacity", "host", host, problem_.shape);
  if (diffusivity_) core::refuse(conduction_op, "capacity", "must be set before the diffusivity");
  require_cells("capacity", host, problem_.shape, "positive", [](double value) { return value > 0; });
  const auto least = static_cast<double>(*std::min_element(host.begin(), host.end()));
  std::vector<T> parts(host.size());
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = static_cast<T>(least / static_cast<double>(host[i]));
  per_capacity_ = Buffer<T>(stream_, std::span<const T>(parts));
  capacity_.assign(host.begin(), host.end());
  least_capacity_ = least;
}

template <class T>
void ConductionSolver<T>::set_source(std::span<const T> host) {
  heat_ladder::require_contiguous("ConductionSolver::set_source", "host", host, problem_.shape);
  require_cells("source", host, problem_.shape, "finite", [](double) { return true; });
  source_ = Buffer<T>(stream_, host);
  forcing_->source.reset();
}

template <class T>
void ConductionSolver<T>::set_source(TimeFunction<T> source) {
  source_ = Buffer<T>(stream_, problem_.shape.n_cells());
  forcing_->source.emplace(std::move(source), problem_.shape.n_cells());
}

template <class T>
void ConductionSolver<T>::set_face(int axis, GridSide side, TimeFunction<T> amounts) {
  if (axis < 0 || axis > 2) core::refuse(conduction_op, "axis", "must be 0, 1 or 2, is " + std::to_string(axis));
  const auto i = static_cast<std::size_t>(axis);
  const std::string along = std::string(" along ") + axis_names[i];
  if (!brings_heat((side == GridSide::low ? faces_.low : faces_.high)[i]))
    core::refuse(conduction_op, "axis", "must have a value, a flux or an exchange at this face," + along);
  if (!active_axes(problem_.shape, faces_)[i])
    core::refuse(conduction_op, "axis", "must have more than one cell, or a face with an amount other than 0," + along);
  if (diffusivity_ && problem_.order > 2)
    core::refuse(conduction_op, "axis", "must be set before the diffusivity," + along);
  const std::int64_t n = problem_.shape.n_cells() / extents_of(problem_.shape)[i];
  typename Forcing::OfFace& face = forcing_->faces[2 * i + (side == GridSide::low ? 0 : 1)];
  face.amounts = Buffer<T>(stream_, n);
  face.samples.emplace(std::move(amounts), n);
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
  constexpr double scales[] = {1. / 4, 1. / 3, 1. / 2, 1.};
  const auto setup = [&](int i) { return StageSetup{scales[i], diffusivity_.has_value(), least_capacity_}; };
  const auto stage = [&](int number, const T* v, T* out) {
    const auto axis = [&](std::size_t i) {
      auto made = stage_axis<T>(problem_, faces_, i, setup(number));
      const auto amounts = [](const auto& face) { return face.amounts ? face.amounts->data() : nullptr; };
      made.low.amounts = amounts(forcing_->faces[2 * i]);
      made.high.amounts = amounts(forcing_->faces[2 * i + 1]);
      if (!between_.empty()) made.between = between_[i].data();
      return made;
    };
    return ConductionStage<T>{.shape = problem_.shape,
                              .radius = problem_.radius(),
                              .z = axis(0),
                              .y = axis(1),
                              .x = axis(2),
                              .source_scale = static_cast<T>(scales[number] * problem_.dt / least_capacity_),
                              .u = now_.data(),
                              .v = v,
                              .diffusivity = diffusivity_ ? diffusivity_->data() : nullptr,
                              .source = source_ ? source_->data() : nullptr,
                              .out = out,
                              .per_capacity = per_capacity_ ? per_capacity_->data() : nullptr};
  };
  const std::array stages{stage(0, now_.data(), odd_.data()), stage(1, odd_.data(), even_.data()),
                          stage(2, even_.data(), odd_.data()), stage(3, odd_.data(), now_.data())};
  const auto begin_stage = [&](std::int64_t i) {
    const int number = static_cast<int>(i % 4);
    if (number == 0) {
      const auto step = static_cast<double>(n_steps_ + i / 4);
      forcing_->begin_step(step * problem_.dt, (step + 0.5) * problem_.dt, (step + 1) * problem_.dt);
    }
    if (forcing_->source) source_->copy_from(forcing_->source->of_stage(number));
    for (std::size_t k = 0; k < 6; ++k) {
      if (!forcing_->faces[k].amounts) continue;
      const HeatFace& face = (k % 2 == 0 ? faces_.low : faces_.high)[k / 2];
      Forcing::copy_amounts(forcing_->faces[k], face.amount,
                            per_amount(problem_, spacing_of(problem_, k / 2), face.kind, setup(number)), number);
    }
  };
  core::dispatch(
      stream_, conduction_op,
      [&] {
        for (std::int64_t i = 0; i < 4 * n_steps; ++i) {
          begin_stage(i);
          heat_ladder::cpu::conduct<T>(stream_, stages[static_cast<std::size_t>(i % 4)]);
        }
      },
      RAFTER_CUDA_CALL(for (std::int64_t i = 0; i < 4 * n_steps; ++i) {
        begin_stage(i);
        heat_ladder::cuda::conduct<T>(stream_, stages[static_cast<std::size_t>(i % 4)]);
      }));
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
  if (!capacity_.empty()) {
    std::vector<T> host(capacity_.size());
    now_.copy_to(host);
    result.total = std::transform_reduce(
        host.begin(), host.end(), capacity_.begin(), 0., std::plus<>(),
        [](T value, T capacity) { return static_cast<double>(value) * static_cast<double>(capacity); });
  }
  result.total *= problem_.spacing.z * problem_.spacing.y * problem_.spacing.x;
  return result;
}

template class ConductionSolver<float>;
template class ConductionSolver<double>;

}  // namespace rafter

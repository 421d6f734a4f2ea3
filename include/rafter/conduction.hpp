// Heat conduction with all that a plain heat step leaves out: u_t = div(alpha grad u) + source, with values or fluxes
// prescribed at the faces of the grid, a diffusivity in every cell, and grids of one or two axes. RK4 in time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "rafter/buffer.hpp"
#include "rafter/heat.hpp"

namespace rafter {

/// What happens at one face of the grid. A face lies half a spacing outside the middles of the outer cells.
struct HeatFace {
  enum class Kind {
    frozen,    ///< the outer `radius` cells keep their values
    periodic,  ///< the grid goes on at its other side; of both faces of an axis, or none
    value,     ///< the field has this value (Dirichlet)
    flux,      ///< so much heat comes in, per area and time (Neumann); 0: none
  };
  Kind kind = Kind::frozen;
  double amount = 0;  ///< of `value` and `flux`

  friend bool operator==(const HeatFace&, const HeatFace&) = default;
};

/// All six: z, y and x, each where its cells begin and where they end.
struct HeatFaces {
  std::array<HeatFace, 3> low{};
  std::array<HeatFace, 3> high{};

  friend bool operator==(const HeatFaces&, const HeatFaces&) = default;
};

/// The same at all of them.
HeatFaces heat_faces(HeatBoundary boundary);

/// As those of heat.hpp. An axis of one cell counts only if one of its faces has a value or a flux: along another one
/// nothing can differ.
double conduction_default_dt(const HeatProblem& problem, const HeatFaces& faces);
double conduction_largest_dt(const HeatProblem& problem, const HeatFaces& faces);

/// A field on a device and its time, as HeatSolver is; float or double. One stage of a step at a time, so it is slower,
/// and takes the memory of three fields, and one each for a diffusivity and a source.
///
/// With one alpha everywhere, differences are those of HeatSolver, and beyond a face the field is continued by its
/// mirror image: around a value with the opposite sign, at a flux with its slope. That has the problem's order where
/// the solution continues so (values and fluxes do not change with time, so it does, unless a source or the first field
/// is not smooth there), else order 2.
///
/// With a diffusivity in every cell the order is 2: cells exchange heat through the faces between them, at the harmonic
/// mean of their diffusivities, and what one gains the other loses. So total heat changes by what the source and the
/// fluxes bring alone, and a steady flow through layers is exact.
template <class T>
class ConductionSolver {
 public:
  /// Starts with zeros everywhere. An axis has one cell, or, with a frozen face, at least radius + 1, or 2 * radius + 1
  /// with two. Throws Error (bad_argument) as HeatSolver does, and for faces that cannot be; (out_of_memory).
  ConductionSolver(const Stream& stream, const HeatProblem& problem, const HeatFaces& faces);

  /// Diffusivities from host memory, [nz, ny, nx], from 0 to the problem's alpha, which the time step was chosen for.
  /// Order 2 only. Throws Error (bad_argument) that names the first cell that is wrong.
  void set_diffusivity(std::span<const T> host);

  /// What is added per time, [nz, ny, nx]; not to frozen cells.
  void set_source(std::span<const T> host);

  const HeatProblem& problem() const noexcept { return problem_; }
  const HeatFaces& faces() const noexcept { return faces_; }
  double time() const noexcept { return static_cast<double>(n_steps_) * problem_.dt; }
  std::int64_t n_steps() const noexcept { return n_steps_; }

  /// Sets the field from host memory, [nz, ny, nx], after so many steps, and waits for it.
  void set_field(std::span<const T> host, std::int64_t n_steps = 0);

  /// Enqueues `n_steps` steps. However they are divided among calls, and with any number of threads, the result is the
  /// same, bit by bit.
  void advance(std::int64_t n_steps);

  /// Copies the field to host memory, [nz, ny, nx], and waits for it.
  void field(std::span<T> host) const;

  /// Waits for the field, and looks at all of it.
  HeatSummary summary() const;

 private:
  Stream stream_;
  HeatProblem problem_;
  HeatFaces faces_;
  Buffer<T> now_, odd_, even_;
  std::optional<Buffer<T>> diffusivity_;  // in parts of alpha
  std::optional<Buffer<T>> source_;
  std::int64_t n_steps_ = 0;
};

extern template class ConductionSolver<float>;
extern template class ConductionSolver<double>;

}  // namespace rafter

// Heat conduction with the features that the heat solver lacks: u_t = div(alpha grad u) + source, with values or fluxes
// prescribed at the faces of the grid, a diffusivity in every cell, and grids of one or two axes. RK4 in time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "rafter/buffer.hpp"
#include "rafter/export.hpp"
#include "rafter/heat.hpp"

namespace rafter::inline v1 {

/// The boundary condition at one face of the grid. A face lies half a spacing outside the centres of the outermost
/// cells.
struct HeatFace {
  enum class Kind {
    frozen,    ///< the outer `radius` cells keep their values
    periodic,  ///< the grid wraps around; both faces of an axis or neither
    value,     ///< the field has the value `amount` (Dirichlet)
    flux,      ///< heat flows in at the rate `amount` per area and time (Neumann); 0: none
  };
  Kind kind = Kind::frozen;
  double amount = 0;  ///< the value or the flux

  friend bool operator==(const HeatFace&, const HeatFace&) = default;
};

/// The conditions at all six faces: z, y and x, each at the low and at the high end.
struct HeatFaces {
  std::array<HeatFace, 3> low{};
  std::array<HeatFace, 3> high{};

  friend bool operator==(const HeatFaces&, const HeatFaces&) = default;
};

/// Returns `boundary` at all six faces.
[[nodiscard]] RAFTER_API HeatFaces heat_faces(HeatBoundary boundary);

/// The default time step, and the largest for which RK4 is stable, as in heat.hpp. An axis of one cell counts only if
/// one of its faces has a value or a flux; along other such axes the field cannot vary.
[[nodiscard]] RAFTER_API double conduction_default_dt(const HeatProblem& problem, const HeatFaces& faces);
[[nodiscard]] RAFTER_API double conduction_largest_dt(const HeatProblem& problem, const HeatFaces& faces);

/// A field on a device and its time, like HeatSolver; T is float or double. It runs one stage of a step at a time, so
/// it is slower. It takes the memory of three fields, and of one more each for a diffusivity and a source.
///
/// Differences with one alpha everywhere are those of HeatSolver. Beyond a face the field is continued by its mirror
/// image: at a prescribed value with the opposite sign around that value, at a flux with the slope of the flux. This
/// has the problem's order where the solution continues that way, else order 2. It does, because values and fluxes are
/// constant in time, unless a source or the initial field is not smooth there.
///
/// A diffusivity in every cell reduces the order to 2: cells exchange heat through their common faces, at the harmonic
/// mean of their diffusivities, and one cell gains what the other loses. So total heat changes only by the source and
/// the fluxes, and a steady flow through layers is exact.
///
/// Only one thread at a time may use an object.
template <class T>
class RAFTER_API ConductionSolver {
 public:
  /// Starts with zeros everywhere. An axis has one cell, or with one frozen face at least radius + 1, or with two at
  /// least 2 * radius + 1. Throws Error (bad_argument) like HeatSolver, and for invalid combinations of faces;
  /// (out_of_memory).
  ConductionSolver(const Stream& stream, const HeatProblem& problem, const HeatFaces& faces);

  /// Sets the diffusivity of every cell from host memory, [nz, ny, nx], between 0 and the problem's alpha, which
  /// determined the time step. Requires order 2. Throws Error (bad_argument) that names the first invalid cell.
  void set_diffusivity(std::span<const T> host);

  /// Sets the source, [nz, ny, nx]: the amount added to each cell per time. Frozen cells ignore it.
  void set_source(std::span<const T> host);

  [[nodiscard]] const HeatProblem& problem() const noexcept { return problem_; }
  [[nodiscard]] const HeatFaces& faces() const noexcept { return faces_; }
  [[nodiscard]] double time() const noexcept { return static_cast<double>(n_steps_) * problem_.dt; }
  [[nodiscard]] std::int64_t n_steps() const noexcept { return n_steps_; }

  /// Sets the field from host memory, [nz, ny, nx], as the state after `n_steps` steps. Waits for the copy.
  void set_field(std::span<const T> host, std::int64_t n_steps = 0);

  /// Enqueues `n_steps` steps. The result is bit-identical however the steps are divided among calls, and for every
  /// number of threads.
  void advance(std::int64_t n_steps);

  /// Copies the field to host memory, [nz, ny, nx], and waits for the copy.
  void field(std::span<T> host) const;

  /// Waits for the field and summarises it.
  [[nodiscard]] HeatSummary summary() const;

 private:
  Stream stream_;
  HeatProblem problem_;
  HeatFaces faces_;
  Buffer<T> now_, odd_, even_;
  std::optional<Buffer<T>> diffusivity_;  // as fractions of alpha
  std::optional<Buffer<T>> source_;
  std::int64_t n_steps_ = 0;
};

extern template class ConductionSolver<float>;
extern template class ConductionSolver<double>;

}  // namespace rafter::inline v1

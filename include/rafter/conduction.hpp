// Heat conduction with the features that the heat solver lacks: capacity u_t = div(alpha grad u) + source, with values,
// fluxes or exchange (Robin) at the faces of the grid, a diffusivity and a heat capacity in every cell, sources and
// faces that change with time, and grids of one or two axes. RK4 in time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

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
    robin,     ///< heat flows in at the rate `exchange * (amount - u)` (Robin), where u is the field at the face
  };
  Kind kind = Kind::frozen;
  double amount = 0;    ///< the value, the flux, or the value of the surroundings
  double exchange = 0;  ///< of a Robin face, positive: the flow per area, time and difference

  friend bool operator==(const HeatFace&, const HeatFace&) = default;
};

/// The conditions at all six faces: z, y and x, each at the low and at the high end.
struct HeatFaces {
  std::array<HeatFace, 3> low{};
  std::array<HeatFace, 3> high{};

  friend bool operator==(const HeatFaces&, const HeatFaces&) = default;
};

/// An end of an axis.
enum class GridSide { low, high };

/// A quantity that changes with time: writes its values at a time to host memory. It gives the same values whenever it
/// is called with the same time.
template <class T>
using TimeFunction = std::function<void(double time, std::span<T> values)>;

/// Returns `boundary` at all six faces.
[[nodiscard]] RAFTER_API HeatFaces heat_faces(HeatBoundary boundary);

/// The default time step, and the largest for which RK4 is stable, as in heat.hpp. An axis of one cell counts only if
/// one of its faces has a value or a flux; along other such axes the field cannot vary.
[[nodiscard]] RAFTER_API double conduction_default_dt(const HeatProblem& problem, const HeatFaces& faces);
[[nodiscard]] RAFTER_API double conduction_largest_dt(const HeatProblem& problem, const HeatFaces& faces);

/// Returns the largest time step with a diffusivity in every cell: that of conduction_largest_dt() at order 2, less
/// above.
[[nodiscard]] RAFTER_API double conduction_largest_dt_of_diffusivities(const HeatProblem& problem,
                                                                       const HeatFaces& faces);

/// A field on a device and its time, like HeatSolver; T is float or double. It runs one stage of a step at a time, so
/// it is slower. It takes the memory of three fields, and of one more each for a diffusivity, a source and a capacity;
/// with a diffusivity and an order above 2 of three more.
///
/// Differences with one alpha everywhere are those of HeatSolver. Beyond a face the field is continued by its mirror
/// image: at a prescribed value with the opposite sign around that value, at a flux with the slope of the flux. This
/// has the problem's order where the solution continues that way, else order 2. It does, if values and fluxes are
/// constant in time and over the face, unless a source or the initial field is not smooth there. A Robin face is
/// between the two images and has order 2.
///
/// Cells with diffusivities of their own exchange heat through their common faces, and one cell gains what the other
/// loses. So total heat changes only by the source and what flows through faces. At order 2 the diffusivity of a face
/// is the harmonic mean of its two cells, and a steady flow through layers is exact. At a higher order it is
/// interpolated from as many cells as the order has, and fluxes and their differences are of this order, where the
/// diffusivity is smooth; where it changes by more than a factor of 2 from cell to cell, the harmonic mean is used. The
/// stencil then reaches over order - 1 cells, which is also the depth of a frozen layer. Diffusivities are mirrored at
/// the faces of the grid, which leaves order 2 there unless that continues them.
///
/// Quantities that change with time are evaluated on the host, at the beginning, the middle and the end of each step,
/// and copied to the device for each stage. The result is that of classical RK4.
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
  /// determined the time step; with capacities, between 0 and alpha times the least capacity. Throws Error
  /// (bad_argument) that names the first invalid cell; with an order above 2 also for a dt above
  /// conduction_largest_dt_of_diffusivities(), Robin faces, and too few cells beside frozen faces.
  void set_diffusivity(std::span<const T> host);

  /// Sets the heat capacity of every cell per volume, [nz, ny, nx]: positive. Then alpha of the problem is a
  /// diffusivity, the greatest conductivity divided by the least capacity, and set_diffusivity() takes conductivities;
  /// without it the conductivity is alpha times the least capacity. Sources and fluxes are heat, and so is the total of
  /// summary(). Precedes set_diffusivity(). Throws Error (bad_argument) that names the first invalid cell.
  void set_capacity(std::span<const T> host);

  /// Sets the source, [nz, ny, nx]: the amount added to each cell per volume and time. Frozen cells ignore it.
  void set_source(std::span<const T> host);
  void set_source(TimeFunction<T> source);

  /// Sets the amounts of a face (value, flux, or value of the surroundings) for each of its cells, instead of that of
  /// `faces`: [ny, nx] for axis 0 (z), [nz, nx] for axis 1 (y), [nz, ny] for axis 2 (x). Throws Error (bad_argument)
  /// for faces without an amount, and for an axis of one cell without a value, flux or exchange.
  void set_face(int axis, GridSide side, TimeFunction<T> amounts);

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
  struct Forcing;  // what changes with time, and amounts of single cells of faces
  void set_conductances(const std::array<std::vector<T>, 3>& between);

  Stream stream_;
  HeatProblem problem_;
  HeatFaces faces_;
  Buffer<T> now_, odd_, even_;
  std::optional<Buffer<T>> diffusivity_;            // as fractions of alpha
  std::vector<Buffer<T>> between_;                  // of the faces between cells along z, y, x; order above 2
  std::optional<Buffer<T>> source_, per_capacity_;  // per_capacity_: as a fraction of that of the least
  std::vector<T> capacity_;                         // in host memory
  double least_capacity_ = 1;
  std::shared_ptr<Forcing> forcing_;
  std::int64_t n_steps_ = 0;
};

extern template class ConductionSolver<float>;
extern template class ConductionSolver<double>;

}  // namespace rafter::inline v1

// ForceField: energies, forces and virials of many molecules in one call, from message-passing networks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/stream.hpp"

namespace rafter::inline v1 {

/// The supported architectures; docs/forcefield.md has their equations.
///   student   a small distilled network: filters from two layers; a 3x3 matrix mixes the axes of vectors
///   painn     PaiNN (Schuett, Unke, Gastegger 2021), as in SchNetPack
enum class ForceFieldModel { student, painn };
[[nodiscard]] RAFTER_API const char* name(ForceFieldModel model) noexcept;

/// The functions of the distance that filters are built from: Gaussians, or sin(k pi d / cutoff) / d (painn only).
enum class RadialBasis { gaussian, bessel };
[[nodiscard]] RAFTER_API const char* name(RadialBasis basis) noexcept;

/// The extents of a model.
struct ForceFieldShape {
  ForceFieldModel model = ForceFieldModel::student;
  RadialBasis basis = RadialBasis::gaussian;
  std::int64_t features = 128;
  std::int64_t layers = 3;
  std::int64_t radial = 20;                   ///< radial functions
  std::int64_t elements = 101;                ///< rows of the embedding; atomic numbers are below this
  std::vector<std::int64_t> readout{64, 32};  ///< widths of the readout's hidden layers; painn has one
  double cutoff = 5.0;                        ///< Angstrom

  bool operator==(const ForceFieldShape&) const = default;
};

/// The weights of an interaction layer. Matrices are [out][in], as in torch.nn.Linear; F is the number of features.
struct ForceFieldLayer {
  std::vector<float> filter_hidden_weight{};   ///< student: [F][radial]
  std::vector<float> filter_hidden_bias{};     ///< student: [F]
  std::vector<float> filter_weight{};          ///< [3F][F]; painn: [3F][radial], the layer's rows of filter_net
  std::vector<float> filter_bias{};            ///< [3F]
  std::vector<float> context_hidden_weight{};  ///< painn: [F][F]
  std::vector<float> context_hidden_bias{};    ///< painn: [F]
  std::vector<float> context_weight{};         ///< painn: [3F][F]
  std::vector<float> context_bias{};           ///< painn: [3F]
  std::vector<float> mixing{};                 ///< student: [3][3], the last layer's may be empty; painn: [2F][F]
  std::vector<float> update_hidden_weight{};   ///< [F][2F]
  std::vector<float> update_hidden_bias{};     ///< [F]
  std::vector<float> update_weight{};          ///< [3F][F]
  std::vector<float> update_bias{};            ///< [3F]

  bool operator==(const ForceFieldLayer&) const = default;
};

/// The weights of a trained model.
struct ForceFieldWeights {
  ForceFieldShape shape;
  std::vector<float> embedding{};      ///< [elements][F]
  std::vector<float> radial_centre{};  ///< [radial]: centres of Gaussians, or frequencies k pi / cutoff
  std::vector<float> radial_width{};   ///< [radial]: widths of Gaussians; bessel: empty
  std::vector<ForceFieldLayer> layers{};
  std::vector<std::vector<float>> readout_weight{};  ///< [out][in] of each readout layer; the last has one row
  std::vector<std::vector<float>> readout_bias{};

  bool operator==(const ForceFieldWeights&) const = default;
};

/// Reads a safetensors file with the PyTorch names of either model, listed in docs/forcefield.md. The model and its
/// extents follow from the names and shapes. Other tensors are rejected. Tensors are F32, F16, BF16 or F64, in any
/// order, and finite. Throws Error (io) when the file cannot be read, and (bad_argument) with the reason when it does
/// not hold such a model.
[[nodiscard]] RAFTER_API ForceFieldWeights read_forcefield_weights(const std::string& path);

/// Parses such a file in memory. Messages call it `name`.
[[nodiscard]] RAFTER_API ForceFieldWeights parse_forcefield_weights(std::span<const std::byte> file,
                                                                    const std::string& name);

/// Writes such a file atomically. Throws Error (bad_argument) for vectors that do not fit the shape, (io).
RAFTER_API void write_forcefield_weights(const std::string& path, const ForceFieldWeights& weights);

/// Returns the weights of an untrained model, initialised as by PyTorch. Equal seeds give equal weights on every
/// machine.
[[nodiscard]] RAFTER_API ForceFieldWeights random_forcefield_weights(const ForceFieldShape& shape, std::uint64_t seed);

/// A unit cell that repeats along some of its three vectors, in Angstrom. The other vectors are ignored and may be
/// zero.
struct UnitCell {
  std::array<std::array<double, 3>, 3> vectors{};
  std::array<bool, 3> is_periodic{};

  [[nodiscard]] bool repeats() const { return is_periodic[0] || is_periodic[1] || is_periodic[2]; }
};

/// A batch of molecules with their atoms concatenated: the data that do not change while the atoms move. Created once;
/// may be used for any number of calls and by any model. A copy is independent of the original.
///
/// Threads may share an object while none changes it.
class RAFTER_API MoleculeBatch {
 public:
  /// Creates a batch. sizes[m] is the number of atoms of molecule m and may be 0. `elements` has the atomic numbers of
  /// all atoms. `cells` is empty or has one cell per molecule. All are in host memory and are copied to the stream's
  /// device; the constructor waits for the copies. Throws Error (bad_argument) for sizes that do not fit, a negative
  /// number, or a periodic cell without volume.
  MoleculeBatch(const Stream& stream, std::span<const std::int64_t> sizes, std::span<const std::int32_t> elements,
                std::span<const UnitCell> cells = {});

  /// Replaces all cells, for example while the pressure is kept constant. `cells` is as in the constructor. Waits for
  /// the copy to the device, in the order of the stream that the batch was made on: compute() must not be running on
  /// another one. Allocates only if a molecule becomes periodic or ceases to be, or if the batch has copies. Throws
  /// Error (bad_argument) like the constructor, and during a capture; (out_of_memory). The batch is unchanged then.
  void set_cells(std::span<const UnitCell> cells);

  [[nodiscard]] std::int64_t n_molecules() const noexcept;
  [[nodiscard]] std::int64_t n_atoms() const noexcept;

 private:
  friend class ForceField;
  class Plan;
  std::shared_ptr<Plan> plan_;  // on the device; shared with copies until one of them changes
};

/// The result arrays, in memory of the stream's device. A result with an empty span is not computed; without forces and
/// virials there is no backward pass.
template <class T>
struct ForceFieldResults {
  DeviceSpan<double> energies;   ///< [molecules], eV, summed in float64
  DeviceSpan<T> forces{};        ///< [atoms][3], eV / Angstrom
  DeviceSpan<double> virials{};  ///< [molecules][3][3], eV: minus the derivative by strain; stress is -virial / volume
};

/// The evaluation of filters in float32.
enum class ForceFieldFilters {
  automatic,  ///< tabulated where the table is accurate to 1e-6, else exact
  exact,      ///< the filter network is evaluated for every pair
  tabulated,  ///< piecewise polynomials of the distance; forces use their exact derivative
};

struct ForceFieldOptions {
  ForceFieldFilters filters = ForceFieldFilters::automatic;
};

/// The properties of a model that its users need to know.
struct ForceFieldProperties {
  std::int64_t n_parameters = 0;
  bool is_rotation_equivariant = false;
  bool is_continuous_at_cutoff = false;
  ForceFieldFilters filters = ForceFieldFilters::exact;  ///< exact or tabulated
  double table_error =
      0;  ///< largest error of filters and of derivatives, each relative to its greatest magnitude; 0: no table
  std::vector<std::string> warnings{};
};

/// A model on a device. Created once; may be used on any number of streams. Positions are in Angstrom, energies
/// in eV. The caller owns all arrays, in memory of the stream's device.
///
/// compute() enqueues its work on the stream and does not wait, with one exception: on a GPU it waits for the number of
/// neighbours, and cannot be captured, for molecules of more than 128 atoms, periodic cells, float64, exact filters,
/// and feature or readout widths that are not multiples of 4. A molecule's results are bit-identical whatever its place
/// in the batch and whichever other molecules are in it. Coincident atoms and positions that are not finite produce NaN
/// in their molecule.
///
/// compute() throws Error (bad_argument) when sizes do not fit, an atomic number is unknown to the model, a pointer is
/// null or misaligned, the stream or batch is on another device, or a call that must wait is made during a capture; the
/// capture then continues.
///
/// Threads may share an object.
class RAFTER_API ForceField {
 public:
  /// Packs the weights for the stream's device and waits for it. Throws Error (bad_argument) for vectors that do not
  /// fit the shape, (unsupported) for a table that cannot reach 1e-6, (out_of_memory).
  ForceField(const Stream& stream, const ForceFieldWeights& weights, const ForceFieldOptions& options = {});

  [[nodiscard]] const ForceFieldShape& shape() const noexcept;
  [[nodiscard]] const ForceFieldProperties& properties() const noexcept;

  /// Computes in float32; energies are summed in float64.
  void compute(const Stream& stream, const MoleculeBatch& batch, DeviceSpan<const float> positions,
               const ForceFieldResults<float>& results) const;

  /// Computes in float64 with exact filters, for reference.
  void compute(const Stream& stream, const MoleculeBatch& batch, DeviceSpan<const double> positions,
               const ForceFieldResults<double>& results) const;

 private:
  class Model;
  std::shared_ptr<const Model> model_;  // immutable, on the device
};

}  // namespace rafter::inline v1

// ForceField: energies, forces and virials of many molecules in one call, by message-passing networks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rafter/stream.hpp"

namespace rafter {

/// The architectures there are; docs/forcefield.md has their equations.
///   student   a small distilled network: filters from two layers, a 3x3 matrix mixes the axes of vectors
///   painn     PaiNN (Schuett, Unke, Gastegger 2021), as SchNetPack has it
enum class ForceFieldModel { student, painn };
const char* name(ForceFieldModel model) noexcept;

/// Functions of the distance that filters are made of: Gaussians, or sin(k pi d / cutoff) / d (painn alone).
enum class RadialBasis { gaussian, bessel };
const char* name(RadialBasis basis) noexcept;

/// The extents of a model.
struct ForceFieldShape {
  ForceFieldModel model = ForceFieldModel::student;
  RadialBasis basis = RadialBasis::gaussian;
  std::int64_t features = 128;
  std::int64_t layers = 3;
  std::int64_t radial = 20;                   ///< radial functions
  std::int64_t elements = 101;                ///< rows of the embedding: atomic numbers below this
  std::vector<std::int64_t> readout{64, 32};  ///< widths of the readout's hidden layers; of painn one
  double cutoff = 5.0;                        ///< Angstrom

  bool operator==(const ForceFieldShape&) const = default;
};

/// The numbers of an interaction layer. Matrices are [out][in], as torch.nn.Linear has them; F is features.
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

/// The numbers of a trained model.
struct ForceFieldWeights {
  ForceFieldShape shape;
  std::vector<float> embedding{};      ///< [elements][F]
  std::vector<float> radial_centre{};  ///< [radial]: centres of Gaussians, or frequencies k pi / cutoff
  std::vector<float> radial_width{};   ///< [radial]: widths of Gaussians; bessel: empty
  std::vector<ForceFieldLayer> layers{};
  std::vector<std::vector<float>> readout_weight{};  ///< [out][in] of each layer of the readout, the last of one row
  std::vector<std::vector<float>> readout_bias{};

  bool operator==(const ForceFieldWeights&) const = default;
};

/// Reads a safetensors file with the PyTorch names of either model, given in docs/forcefield.md; which model it is and
/// its extents follow from the names and shapes. Other tensors are refused. Tensors are F32, F16, BF16 or F64, in any
/// order, and finite. Throws Error (io) for what cannot be read, and (bad_argument) for what is no such model, with the
/// reason.
ForceFieldWeights read_forcefield_weights(const std::string& path);

/// The same from memory; `name` is what messages call it.
ForceFieldWeights parse_forcefield_weights(std::span<const std::byte> file, const std::string& name);

/// Writes such a file, which is whole or not there. Throws Error (bad_argument) for vectors that do not fit the shape,
/// (io).
void write_forcefield_weights(const std::string& path, const ForceFieldWeights& weights);

/// Weights of an untrained model, as PyTorch initialises its layers: the same for a seed everywhere.
ForceFieldWeights random_forcefield_weights(const ForceFieldShape& shape, std::uint64_t seed);

/// A cell that repeats along some of its three vectors, in Angstrom. Those along which it does not repeat have no
/// meaning and may be zero.
struct UnitCell {
  std::array<std::array<double, 3>, 3> vectors{};
  std::array<bool, 3> is_periodic{};

  bool repeats() const { return is_periodic[0] || is_periodic[1] || is_periodic[2]; }
};

/// Molecules whose atoms lie one behind the other: what does not change while they move. Made once, used for any number
/// of calls and by any model.
class MoleculeBatch {
 public:
  /// sizes[m] is the number of atoms of molecule m, and `elements` the atomic numbers of all atoms. Molecules of 0
  /// atoms are allowed. `cells` is empty, or has one for each molecule. All are in host memory and are copied to the
  /// stream's device, which is waited for. Throws Error (bad_argument) for what does not fit, a negative number, or a
  /// periodic cell without volume.
  MoleculeBatch(const Stream& stream, std::span<const std::int64_t> sizes, std::span<const std::int32_t> elements,
                std::span<const UnitCell> cells = {});

  std::int64_t n_molecules() const noexcept;
  std::int64_t n_atoms() const noexcept;

 private:
  friend class ForceField;
  class Plan;
  std::shared_ptr<const Plan> plan_;  // immutable, on the device
};

/// Where results go, on the stream's device. An empty span is not wanted; without forces and virials there is no
/// backward pass.
template <class T>
struct ForceFieldResults {
  std::span<double> energies;   ///< [molecules], eV, summed in float64
  std::span<T> forces{};        ///< [atoms][3], eV / Angstrom
  std::span<double> virials{};  ///< [molecules][3][3], eV: minus the derivative by strain; stress is -virial / volume
};

/// How filters are calculated in float32.
enum class ForceFieldFilters {
  automatic,  ///< tabulated where the table meets 1e-6, else exact
  exact,      ///< the network of every pair
  tabulated,  ///< piecewise polynomials of the distance, and forces by their exact derivative
};

struct ForceFieldOptions {
  ForceFieldFilters filters = ForceFieldFilters::automatic;
};

/// What a user must know about a model.
struct ForceFieldProperties {
  std::int64_t n_parameters = 0;
  bool is_rotation_equivariant = false;
  bool is_continuous_at_cutoff = false;
  ForceFieldFilters filters = ForceFieldFilters::exact;  ///< exact or tabulated
  double table_error = 0;  ///< of filters and derivatives, each of its greatest magnitude; 0: no table
  std::vector<std::string> warnings{};
};

/// A model on a device, made once and used by any number of streams and threads. Positions are in Angstrom, energies in
/// eV. Functions enqueue on the stream and wait for nothing, except that on a GPU molecules of more than 128 atoms,
/// periodic ones, float64, exact filters, and features or widths of the readout that are no multiples of 4 wait for the
/// number of neighbours, and cannot be captured. Arrays are the caller's, on the stream's device. What a
/// molecule's results are depends, to the bit, neither on its place in the batch nor on the molecules beside it.
/// Coincident atoms and positions that are no numbers make NaNs in their molecule. Throw Error (bad_argument) when
/// sizes do not fit, an atomic number is not the model's, a pointer is null or misaligned, the stream or batch is of
/// another device, or what waits is called in a capture, which then goes on.
class ForceField {
 public:
  /// Packs the weights for the stream's device and waits for it. Throws Error (bad_argument) for vectors that do not
  /// fit the shape, (unsupported) for a table that cannot meet 1e-6, (out_of_memory).
  ForceField(const Stream& stream, const ForceFieldWeights& weights, const ForceFieldOptions& options = {});

  const ForceFieldShape& shape() const noexcept;
  const ForceFieldProperties& properties() const noexcept;

  /// In float32, energies summed in float64.
  void compute(const Stream& stream, const MoleculeBatch& batch, std::span<const float> positions,
               const ForceFieldResults<float>& results) const;

  /// In float64, with exact filters: for reference.
  void compute(const Stream& stream, const MoleculeBatch& batch, std::span<const double> positions,
               const ForceFieldResults<double>& results) const;

 private:
  class Model;
  std::shared_ptr<const Model> model_;  // immutable, on the device
};

}  // namespace rafter

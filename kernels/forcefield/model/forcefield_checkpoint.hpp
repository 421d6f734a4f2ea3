// Model files of force fields with what surrounds the network: energy offsets, the unit of energies, and a cutoff.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rafter/forcefield.hpp"

namespace rafter::forcefield_ladder {

struct ForceFieldCheckpoint {
  ForceFieldWeights weights;
  /// The energy to add for an atom of each atomic number, in the model's unit; empty: none. It is the sum of what
  /// SchNetPack's AddOffsets have: means per atom and references of atoms.
  std::vector<double> energy_offsets{};
  bool has_mean = false, has_atom_references = false;
  std::string energy_unit{};        ///< "kcal/mol", from the file's metadata; empty: the file does not say
  bool is_rounded_from_64 = false;  ///< The file has tensors of F64, which are rounded to float32.
};

/// Reads a model file. `cutoff` is that of a student whose file does not have it. Throws Error like
/// read_forcefield_weights(), and (bad_argument) for a cutoff that contradicts the file.
ForceFieldCheckpoint read_forcefield_checkpoint(const std::string& path, std::optional<double> cutoff = {});

}  // namespace rafter::forcefield_ladder

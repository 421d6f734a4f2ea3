// Computes energies and forces of the frames of a file and writes them to another file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "apps/forces/summary.hpp"
#include "apps/forces/xyz_reader.hpp"
#include "rafter/forcefield.hpp"
#include "rafter/stream.hpp"

namespace rafter::forces {

/// The results computed.
enum class Results { energies, forces, forces_and_virials };
enum class Arithmetic { float32, float64 };

/// The offsets and the unit of a model's energies. An energy is (network + sum of its atoms' offsets) * scale, in eV;
/// forces and virials are scaled, too.
struct ResultScale {
  std::vector<double> energy_offsets{};  ///< of each atomic number, in the model's unit; empty: none
  double electronvolts = 1;              ///< in the model's unit of energy
};

struct ForcesJob {
  std::int64_t batch_atoms = 1;  ///< atoms per call; a larger frame is computed alone
  Results results = Results::forces;
  Arithmetic arithmetic = Arithmetic::float32;
  std::optional<std::filesystem::path> output{};  ///< extended XYZ
  ResultScale scale{};
};

/// Returns a batch size that uses the whole device and still lets a stop be noticed soon.
std::int64_t usual_batch_atoms(const Stream& stream);

struct ForcesWatcher {
  std::function<void(const ForcesSummary& so_far, std::int64_t n_bytes_read)> progress;
  std::function<bool()> stop;  ///< polled between batches
};

struct ForcesOutcome {
  bool stopped = false;
  double elapsed_s = 0;
  ForcesSummary summary;
};

/// Computes all frames with memory for a few batches: while the device computes one, the next is read and the previous
/// one written. Positions are taken relative to the centre of the molecule, so that float32 suffices anywhere. Frames
/// with results that are not finite are skipped. Writes the output atomically, and not at all when stopped or without a
/// valid frame. Throws Error like the functions it calls.
ForcesOutcome compute_frames(const Stream& stream, const ForceField& model, XyzReader& reader, const ForcesJob& job,
                             const ForcesWatcher& watcher);

}  // namespace rafter::forces

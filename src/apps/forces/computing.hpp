// Energies and forces of a file's frames, to another file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "apps/forces/summary.hpp"
#include "apps/forces/xyz_reader.hpp"
#include "rafter/forcefield.hpp"
#include "rafter/stream.hpp"

namespace rafter::forces {

/// What is calculated beside energies.
enum class Results { energies, forces, forces_and_virials };
enum class Arithmetic { float32, float64 };

struct ForcesJob {
  std::int64_t batch_atoms = 1;  ///< frames of so many atoms, or one frame of more, are calculated in one call
  Results results = Results::forces;
  Arithmetic arithmetic = Arithmetic::float32;
  std::optional<std::filesystem::path> output{};  ///< extended XYZ
};

/// Enough for all of the device, and few enough that a stop is noticed soon.
std::int64_t usual_batch_atoms(const Stream& stream);

struct ForcesWatcher {
  std::function<void(const ForcesSummary& so_far, std::int64_t n_bytes_read)> progress;
  std::function<bool()> stop;  ///< asked between batches
};

struct ForcesOutcome {
  bool stopped = false;
  double elapsed_s = 0;
  ForcesSummary summary;
};

/// Calculates all frames, with memory for a few batches: while the device works on one, the next is read and the one
/// before it written. Positions are taken from the middle of their molecule, so that float32 suffices anywhere. Frames
/// whose results are not finite are skipped. The output is whole or not there, as when it was stopped or when there was
/// no good frame. Throws Error, as the parts of it do.
ForcesOutcome compute_frames(const Stream& stream, const ForceField& model, XyzReader& reader, const ForcesJob& job,
                             const ForcesWatcher& watcher);

}  // namespace rafter::forces

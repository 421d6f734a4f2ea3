// Scores the windows of a file and writes the scores to another file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "apps/score/summary.hpp"
#include "apps/score/windows.hpp"
#include "rafter/spectral.hpp"
#include "rafter/stream.hpp"

namespace rafter::score {

struct ScoreJob {
  /// Windows per chunk on a GPU; on the CPU also the windows read at a time.
  std::int64_t batch = 1;
  std::optional<std::filesystem::path> output;  ///< .npy, (N) float32
  bool keeps_scores = false;                    ///< in ScoreOutcome
};

/// Returns the number of windows in 8 MiB, rounded to a power of two: larger chunks are not copied faster.
std::int64_t usual_batch(const SpectralShape& shape);

struct ScoreWatcher {
  std::function<void(std::int64_t n_done)> progress;
  std::function<bool()> stop;  ///< polled between parts of the file
};

struct ScoreOutcome {
  bool stopped = false;
  double elapsed_s = 0;
  ScoreSummary summary;
  std::vector<float> scores;  ///< on request
};

/// Scores all windows with memory for a few parts of the file: while the device processes one, the next is read. Writes
/// the output atomically, and not at all when stopped. Throws Error like the functions it calls.
ScoreOutcome score_windows(const Stream& stream, const SpectralAutoencoder& model, WindowSource& windows,
                           const ScoreJob& job, const ScoreWatcher& watcher);

}  // namespace rafter::score

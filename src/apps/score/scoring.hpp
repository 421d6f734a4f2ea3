// Scores of a file's windows, to another file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "apps/score/summary.hpp"
#include "apps/score/windows.hpp"
#include "rafter/spectral.hpp"
#include "rafter/stream.hpp"

namespace rafter::score {

struct ScoreJob {
  /// Windows that a GPU is given at a time, while others are copied; on the CPU also those that are read at a time.
  std::int64_t batch = 1;
  std::optional<std::filesystem::path> output;  ///< .npy, (N) float32
};

/// Windows of 8 MiB, a power of two of them: copies of such pieces are as fast as larger ones.
std::int64_t usual_batch(const SpectralShape& shape);

struct ScoreWatcher {
  std::function<void(std::int64_t n_done)> progress;
  std::function<bool()> stop;  ///< asked between pieces of the file
};

struct ScoreOutcome {
  bool stopped = false;
  double elapsed_s = 0;
  ScoreSummary summary;
};

/// Scores all windows, with memory for a few pieces of the file: while the device works on one, the next is read. The
/// output is whole or not there, as when it was stopped. Throws Error, as the parts of it do.
ScoreOutcome score_windows(const Stream& stream, const SpectralAutoencoder& model, WindowFile& windows,
                           const ScoreJob& job, const ScoreWatcher& watcher);

}  // namespace rafter::score

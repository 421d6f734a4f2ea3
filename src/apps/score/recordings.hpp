// Windows of mel spectra that are made from WAV files.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/score/mel.hpp"
#include "apps/score/windows.hpp"

namespace rafter::score {

/// The rules by which the windows of a model follow from a recording.
struct RecordingParameters {
  MelParameters mel{};
  std::int64_t window_hop = 1;   ///< Frames from window to window.
  std::optional<int> channel{};  ///< Nothing: the only one, or the mean of all if `is_mean`.
  bool is_mean = false;
};

/// Returns the WAV files that the paths name: themselves, or those in folders and below, in the order of their names.
/// Throws Error (bad_argument) if a folder has none or a file is named twice, and (io).
std::vector<std::filesystem::path> wav_files_of(const std::vector<std::string>& paths);

/// The windows of recordings, one after the other: `frames` consecutive spectra each. Only one recording is in memory.
/// Throws Error like WavFile, and (bad_argument) for a recording that does not fit the parameters or has no window.
class RecordedWindows : public WindowSource {
 public:
  RecordedWindows(std::vector<std::filesystem::path> files, const RecordingParameters& parameters,
                  const SpectralShape& shape);

  std::int64_t n() const override { return n_; }
  std::string description() const override;
  void read(std::span<float> windows) override;

  const std::vector<std::filesystem::path>& files() const { return files_; }
  /// The recording of each window, as an index of files().
  std::vector<std::int64_t> recording_ids() const;
  /// The label of each window, that of its recording, from lines FILE,LABEL of a CSV file, in which a file is named by
  /// its path or its name. Throws Error (bad_argument) for a recording without a label, a name that is not that of one
  /// recording, and anything but 0 and 1.
  std::vector<std::int64_t> labels(const std::string& path) const;

 private:
  std::int64_t n_windows_of(const std::filesystem::path& file) const;

  std::vector<std::filesystem::path> files_;
  RecordingParameters parameters_;
  std::int64_t frames_, n_ = 0;
  std::vector<std::int64_t> n_windows_;  // of each recording
  MelSpectra spectra_of_;
  std::vector<float> spectra_;  // of the current recording
  std::size_t next_file_ = 0;
  std::int64_t next_window_ = 0, current_windows_ = 0;
};

}  // namespace rafter::score

// WAV files of PCM or floating-point samples.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rafter::score {

/// A RIFF/WAVE file: integers of 8, 16, 24 or 32 bits, or float32 or float64, of any number of channels. Throws Error
/// (io) when it cannot be read, and (bad_argument) with what was expected for anything else, for a file that is
/// truncated, and for one whose header does not tell its length.
class WavFile {
 public:
  explicit WavFile(std::filesystem::path path);

  int sample_rate() const { return sample_rate_; }
  int n_channels() const { return n_channels_; }
  std::int64_t n_samples() const { return n_samples_; }  ///< of each channel

  /// Reads the samples of a channel, or the mean of all channels without one. Integers become fractions of 2^(bits -
  /// 1), from -1 up to 1. Throws Error (bad_argument) for a channel that the file does not have.
  std::vector<double> read(std::optional<int> channel) const;

 private:
  [[noreturn]] void refuse(const std::string& complaint) const;
  void read_format(std::istream& stream, std::uint32_t n_bytes);

  std::filesystem::path path_;
  int sample_rate_ = 0, n_channels_ = 0, bytes_per_sample_ = 0;
  bool is_float_ = false;
  std::int64_t n_samples_ = 0, data_at_ = 0;
};

}  // namespace rafter::score

// Windows of spectra from NumPy's .npy files.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/npy.hpp"
#include "rafter/spectral.hpp"

namespace rafter::score {

/// Windows for one model, read sequentially.
class WindowSource {
 public:
  virtual ~WindowSource() = default;

  virtual std::int64_t n() const = 0;
  /// Describes them, after "N of FRAMES x MELS, ".
  virtual std::string description() const = 0;
  /// Reads the next windows as float32, [n][frames][mels].
  virtual void read(std::span<float> windows) = 0;
};

/// A file of windows for one model, or the standard input ("-"): (N, frames, mels) or (N, frames * mels), of float16,
/// float32 or float64, read sequentially. Throws Error (io) when it cannot be read, and (bad_argument) with what was
/// expected for an invalid file.
class WindowFile : public WindowSource {
 public:
  /// `stop` is polled while a pipe has no data; true ends it.
  WindowFile(
      const std::string& path, const SpectralShape& shape, std::function<bool()> stop = [] { return false; });

  std::int64_t n() const override { return n_; }
  std::string description() const override;  ///< "float32, from x.npy"

  /// Values out of float32's range become infinite.
  void read(std::span<float> windows) override;

 private:
  enum class Source { float16, float32, float64 };
  static Source source_of(const base::NpyFile& file);
  template <class T, class Convert>
  void read_converted(std::span<float> windows, const Convert& convert);

  std::string path_;
  base::NpyFile file_;
  Source source_;
  std::int64_t n_;
};

}  // namespace rafter::score

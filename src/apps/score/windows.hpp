// Windows of spectra from NumPy's .npy files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "base/npy.hpp"
#include "rafter/spectral.hpp"

namespace rafter::score {

/// A file of windows for one model, (N, frames, mels) or (N, frames * mels), of float16, float32 or float64, read
/// sequentially. Throws Error (io) when it cannot be read, and (bad_argument) with what was expected for an invalid
/// file.
class WindowFile {
 public:
  WindowFile(const std::filesystem::path& path, const SpectralShape& shape);

  std::int64_t n() const { return n_; }
  const char* dtype() const;  ///< "float32"

  /// Reads the next windows as float32, [n][frames][mels]. Values out of float32's range become infinite.
  void read(std::span<float> windows);

 private:
  enum class Source { float16, float32, float64 };
  static Source source_of(const base::NpyFile& file);
  template <class T, class Convert>
  void read_converted(std::span<float> windows, const Convert& convert);

  base::NpyFile file_;
  Source source_;
  std::int64_t n_;
};

}  // namespace rafter::score

// Windows of spectra as files have them: NumPy's .npy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "base/npy.hpp"
#include "rafter/spectral.hpp"

namespace rafter::score {

/// A file of windows for one model, (N, frames, mels) or (N, frames * mels), of float16, float32 or float64, that is
/// read from its first window to its last. Throws Error (io) for what cannot be read and (bad_argument) for what is no
/// such file, with what was expected.
class WindowFile {
 public:
  WindowFile(const std::filesystem::path& path, const SpectralShape& shape);

  std::int64_t n() const { return n_; }
  const char* dtype() const;  ///< "float32"

  /// The next ones, as float32: [n][frames][mels]. What float32 cannot hold becomes infinite.
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

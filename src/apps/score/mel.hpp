// Mel spectra of samples, as librosa and torchaudio define them.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rafter::score {

/// The relation of mels and frequencies.
enum class MelScale {
  slaney,  ///< Auditory Toolbox: 3 f / 200 up to 1000 Hz, and 15 + 27 log(f / 1000) / log(6.4) from there
  htk,     ///< 2595 log10(1 + f / 700)
};
/// The heights of the filters.
enum class MelNorm {
  slaney,  ///< 2 / (upper - lower edge in Hz), so that all have the same area
  none,    ///< 1
};
/// The samples that are added before the first and after the last one, half a window each; `none`: frames begin at the
/// first sample.
enum class FramePadding { zeros, reflect, none };
enum class MelLogarithm {
  decibel,  ///< 20 / power * log10, so that amplitudes and powers give the same
  natural,
  common,
  none,
};

struct MelParameters {
  int sample_rate = 0;
  std::int64_t n_fft = 0;  ///< samples of a frame: a power of 2
  std::int64_t hop = 0;    ///< samples from frame to frame
  std::int64_t n_mels = 0;
  double f_min = 0, f_max = 0;  ///< edges of the filters in Hz; 0: half the sample rate
  MelScale scale = MelScale::slaney;
  MelNorm norm = MelNorm::slaney;
  double power = 2;  ///< of the magnitudes: 2 gives powers, 1 amplitudes
  FramePadding padding = FramePadding::zeros;
  MelLogarithm logarithm = MelLogarithm::decibel;
  double floor = 2.220446049250313e-16;  ///< smaller values are raised to it before the logarithm

  double highest() const { return f_max > 0 ? f_max : sample_rate / 2.; }
  /// One line that names all of them.
  std::string text() const;
};

/// Throws Error (bad_argument) for parameters that describe no spectra.
void require_mel_parameters(const MelParameters& parameters);

double mel_of(MelScale scale, double hertz);
double hertz_of(MelScale scale, double mel);

/// The weights of the filters, [n_mels][n_fft / 2 + 1]: triangles whose corners are equally spaced in mels.
std::vector<double> mel_filters(const MelParameters& parameters);

/// The number of frames of so many samples; 0 if there are too few.
std::int64_t n_mel_frames(const MelParameters& parameters, std::int64_t n_samples);

class MelSpectra {
 public:
  explicit MelSpectra(const MelParameters& parameters);

  /// Returns the spectra of all frames, [frames][n_mels]. Windows are periodic Hann windows.
  std::vector<float> operator()(std::span<const double> samples);

 private:
  void transform();

  MelParameters parameters_;
  std::vector<double> filters_, hann_;
  std::vector<std::complex<double>> roots_, frame_;
  std::vector<double> magnitudes_;
};

}  // namespace rafter::score

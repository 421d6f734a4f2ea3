#include "apps/score/mel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "rafter/error.hpp"

namespace rafter::score {

namespace {

constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// Slaney's scale is linear up to here.
constexpr double linear_hertz = 1000, hertz_per_mel = 200. / 3, linear_mels = linear_hertz / hertz_per_mel;
const double log_step = std::log(6.4) / 27;

template <class... Args>
[[noreturn]] void refuse_parameter(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::bad_argument, fmt::format(text, std::forward<Args>(args)...));
}

/// The index of a sample before the first or after the last one, mirrored at them.
std::int64_t reflected(std::int64_t i, std::int64_t n) {
  if (i < 0) i = -i;
  return i < n ? i : 2 * (n - 1) - i;
}

}  // namespace

double mel_of(MelScale scale, double hertz) {
  if (scale == MelScale::htk) return 2595 * std::log10(1 + hertz / 700);
  return hertz < linear_hertz ? hertz / hertz_per_mel : linear_mels + std::log(hertz / linear_hertz) / log_step;
}

double hertz_of(MelScale scale, double mel) {
  if (scale == MelScale::htk) return 700 * (std::pow(10, mel / 2595) - 1);
  return mel < linear_mels ? mel * hertz_per_mel : linear_hertz * std::exp(log_step * (mel - linear_mels));
}

std::string MelParameters::text() const {
  constexpr const char *paddings[] = {"padded with zeros", "padded by reflection", "not padded"},
                       *logarithms[] = {"dB", "ln", "log10", "no logarithm"};
  return fmt::format("{} Hz, fft {}, hop {}, {} mels ({}, norm {}) from {:g} to {:g} Hz, power {:g}, {}, {}",
                     sample_rate, n_fft, hop, n_mels, scale == MelScale::slaney ? "Slaney" : "HTK",
                     norm == MelNorm::slaney ? "slaney" : "none", f_min, highest(), power,
                     paddings[static_cast<int>(padding)], logarithms[static_cast<int>(logarithm)]);
}

void require_mel_parameters(const MelParameters& p) {
  if (p.n_fft < 2 || p.n_fft > (1 << 24) || !std::has_single_bit(static_cast<std::uint64_t>(p.n_fft)))
    refuse_parameter("--fft {}: expected a power of 2, such as 1024", p.n_fft);
  if (p.hop < 1) refuse_parameter("--hop {}: expected a number of samples from 1 on", p.hop);
  if (p.sample_rate < 1) refuse_parameter("--sample-rate {}: expected a number of Hz", p.sample_rate);
  if (!(p.f_min >= 0 && p.f_min < p.highest() && p.highest() <= p.sample_rate / 2.))
    refuse_parameter("--fmin {:g} --fmax {:g}: expected 0 <= fmin < fmax <= {:g}, half the sample rate", p.f_min,
                     p.highest(), p.sample_rate / 2.);
  if (!(p.power > 0 && std::isfinite(p.power)))
    refuse_parameter("--power {:g}: expected 2 (power) or 1 (amplitude)", p.power);
  if (!(p.floor > 0 && std::isfinite(p.floor))) refuse_parameter("--floor {:g}: expected a number above 0", p.floor);
}

std::vector<double> mel_filters(const MelParameters& p) {
  const std::int64_t n_bins = p.n_fft / 2 + 1;
  const double lowest = mel_of(p.scale, p.f_min), highest = mel_of(p.scale, p.highest());
  std::vector<double> corners;
  for (std::int64_t i = 0; i < p.n_mels + 2; ++i)
    corners.push_back(
        hertz_of(p.scale, lowest + (highest - lowest) * static_cast<double>(i) / static_cast<double>(p.n_mels + 1)));
  std::vector<double> filters(at(p.n_mels * n_bins));
  for (std::int64_t m = 0; m < p.n_mels; ++m) {
    const double left = corners[at(m)], middle = corners[at(m + 1)], right = corners[at(m + 2)];
    const double height = p.norm == MelNorm::slaney ? 2 / (right - left) : 1;
    for (std::int64_t k = 0; k < n_bins; ++k) {
      const double hertz = static_cast<double>(k) * p.sample_rate / static_cast<double>(p.n_fft);
      const double rise = (hertz - left) / (middle - left), fall = (right - hertz) / (right - middle);
      filters[at(m * n_bins + k)] = height * std::max(0., std::min(rise, fall));
    }
  }
  return filters;
}

std::int64_t n_mel_frames(const MelParameters& p, std::int64_t n_samples) {
  if (p.padding == FramePadding::none) return n_samples < p.n_fft ? 0 : 1 + (n_samples - p.n_fft) / p.hop;
  if (n_samples == 0 || (p.padding == FramePadding::reflect && n_samples <= p.n_fft / 2)) return 0;
  return 1 + n_samples / p.hop;
}

MelSpectra::MelSpectra(const MelParameters& parameters)
    : parameters_(parameters), filters_(mel_filters(parameters)), frame_(at(parameters.n_fft)) {
  constexpr double turn = 2 * std::numbers::pi;
  const auto n = static_cast<double>(parameters.n_fft);
  for (std::int64_t i = 0; i < parameters.n_fft; ++i)
    hann_.push_back(0.5 - 0.5 * std::cos(turn * static_cast<double>(i) / n));
  for (std::int64_t i = 0; i < parameters.n_fft / 2; ++i)
    roots_.push_back(std::polar(1., -turn * static_cast<double>(i) / n));
  magnitudes_.resize(at(parameters.n_fft / 2 + 1));
}

/// The fast Fourier transform of frame_, radix 2.
void MelSpectra::transform() {
  const std::size_t n = frame_.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {  // j is i with its bits reversed
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(frame_[i], frame_[j]);
  }
  for (std::size_t half = 1; half < n; half *= 2) {
    const std::size_t step = n / (2 * half);
    for (std::size_t begin = 0; begin < n; begin += 2 * half) {
      for (std::size_t i = 0; i < half; ++i) {
        const std::complex<double> a = frame_[begin + i], b = frame_[begin + i + half] * roots_[i * step];
        frame_[begin + i] = a + b;
        frame_[begin + i + half] = a - b;
      }
    }
  }
}

std::vector<float> MelSpectra::operator()(std::span<const double> samples) {
  const MelParameters& p = parameters_;
  const std::int64_t n = std::ssize(samples), n_frames = n_mel_frames(p, n), n_bins = p.n_fft / 2 + 1;
  const std::int64_t before = p.padding == FramePadding::none ? 0 : p.n_fft / 2;
  std::vector<float> spectra;
  spectra.reserve(at(n_frames * p.n_mels));
  for (std::int64_t frame = 0; frame < n_frames; ++frame) {
    for (std::int64_t i = 0; i < p.n_fft; ++i) {
      const std::int64_t sample = frame * p.hop + i - before;
      const bool is_inside = sample >= 0 && sample < n;
      const bool is_zero = !is_inside && p.padding != FramePadding::reflect;
      frame_[at(i)] = is_zero ? 0. : hann_[at(i)] * samples[at(is_inside ? sample : reflected(sample, n))];
    }
    transform();
    for (std::int64_t k = 0; k < n_bins; ++k) {
      const double power = std::norm(frame_[at(k)]);
      magnitudes_[at(k)] = p.power == 2 ? power : std::pow(power, p.power / 2);
    }
    for (std::int64_t m = 0; m < p.n_mels; ++m) {
      double sum = 0;
      for (std::int64_t k = 0; k < n_bins; ++k) sum += filters_[at(m * n_bins + k)] * magnitudes_[at(k)];
      const double raised = std::max(sum, p.floor);
      const double value = p.logarithm == MelLogarithm::decibel   ? 20 / p.power * std::log10(raised)
                           : p.logarithm == MelLogarithm::natural ? std::log(raised)
                           : p.logarithm == MelLogarithm::common  ? std::log10(raised)
                                                                  : sum;
      spectra.push_back(static_cast<float>(value));
    }
  }
  return spectra;
}

}  // namespace rafter::score

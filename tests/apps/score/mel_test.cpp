#include "apps/score/mel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "workbench/lab/expect_error.hpp"

namespace rafter::score {
namespace {

constexpr double turn = 2 * std::numbers::pi;

/// A filter for each bin but the first and last, which passes that bin alone.
MelParameters bins_of(std::int64_t n_fft, std::int64_t hop) {
  return {.sample_rate = static_cast<int>(n_fft),  // bins are 1 Hz apart
          .n_fft = n_fft,
          .hop = hop,
          .n_mels = n_fft / 2 - 1,
          .f_max = static_cast<double>(n_fft) / 2,
          .norm = MelNorm::none,  // below 1000 Hz Slaney's scale is linear
          .logarithm = MelLogarithm::none};
}

TEST(Mel, ScalesHaveTheirDefinition) {
  EXPECT_DOUBLE_EQ(mel_of(MelScale::slaney, 200), 3);
  EXPECT_DOUBLE_EQ(mel_of(MelScale::slaney, 1000), 15);
  EXPECT_DOUBLE_EQ(mel_of(MelScale::slaney, 6400), 42) << "27 steps of a factor 6.4 ^ (1 / 27)";
  EXPECT_NEAR(mel_of(MelScale::htk, 1000), 999.9855, 1e-4);
  EXPECT_NEAR(mel_of(MelScale::htk, 8000), 2840.023, 1e-3);
  for (const MelScale scale : {MelScale::slaney, MelScale::htk}) {
    for (const double hertz : {0., 60., 999., 1001., 11025.})
      EXPECT_NEAR(hertz_of(scale, mel_of(scale, hertz)), hertz, 1e-9 * hertz);
  }
}

// The values that the documentation of librosa's mel_frequencies(n_mels=40) prints.
TEST(Mel, CornersAreThoseOfLibrosa) {
  const double expected[] = {0.,       85.317,   170.635,  255.952,  341.269,  426.586,  511.904,
                             597.221,  682.538,  767.855,  853.173,  938.49,   1024.856, 1119.114,
                             1222.042, 1334.436, 1457.167, 1591.187, 1737.532, 1897.337, 2071.84};
  const double highest = mel_of(MelScale::slaney, 11025);
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_NEAR(hertz_of(MelScale::slaney, highest * static_cast<double>(i) / 39), expected[i], 6e-4);
}

TEST(Mel, FiltersAreTrianglesOfEqualAreaOrHeight) {
  MelParameters p{.sample_rate = 16000, .n_fft = 16384, .hop = 1, .n_mels = 40};
  const auto n_bins = static_cast<std::size_t>(p.n_fft / 2 + 1);
  const double bin_hertz = 16000. / 16384;
  for (const MelScale scale : {MelScale::slaney, MelScale::htk}) {
    p.scale = scale;
    p.norm = MelNorm::slaney;
    const std::vector<double> equal_area = mel_filters(p);
    p.norm = MelNorm::none;
    const std::vector<double> equal_height = mel_filters(p);
    for (std::size_t m = 0; m < 40; ++m) {
      const auto begin = static_cast<std::ptrdiff_t>(m * n_bins);
      const double area =
          bin_hertz * std::accumulate(equal_area.begin() + begin, equal_area.begin() + begin + 8193, 0.);
      EXPECT_NEAR(area, 1, 2e-3) << m;
      const auto top = std::max_element(equal_height.begin() + begin, equal_height.begin() + begin + 8193);
      EXPECT_NEAR(*top, 1, 0.03) << m;
      const double middle = hertz_of(scale, mel_of(scale, 8000) * static_cast<double>(m + 1) / 41);
      EXPECT_NEAR(static_cast<double>(top - equal_height.begin() - begin) * bin_hertz, middle, bin_hertz) << m;
    }
  }
  // The documentation of librosa's filters.mel prints 0.016 for the second bin of sr=22050, n_fft=2048.
  EXPECT_NEAR(mel_filters({.sample_rate = 22050, .n_fft = 2048, .hop = 1, .n_mels = 128})[1], 0.016, 5e-4);
}

TEST(Mel, ACosineHasThePowerOfItsWindow) {
  constexpr std::int64_t n = 64;
  MelParameters p = bins_of(n, 16);
  p.padding = FramePadding::none;
  std::vector<double> samples;
  for (int i = 0; i < 4 * n; ++i) samples.push_back(0.5 * std::cos(turn * 9 * i / n));
  const std::vector<float> spectra = MelSpectra(p)(samples);
  ASSERT_EQ(std::ssize(spectra), 13 * p.n_mels) << "1 + (256 - 64) / 16 frames";
  // The periodic Hann window has the sum n / 2, and its transform n / 4 at the neighbouring bins.
  const double peak = std::pow(0.5 / 2 * n / 2, 2), beside = peak / 4;
  for (std::size_t frame = 0; frame < 13; ++frame) {
    for (std::int64_t bin = 1; bin < n / 2; ++bin) {
      const double expected = bin == 9 ? peak : bin == 8 || bin == 10 ? beside : 0;
      EXPECT_NEAR(spectra[frame * 31 + static_cast<std::size_t>(bin - 1)], expected, 1e-5 * peak) << bin;
    }
  }
}

TEST(Mel, EqualsTheDefinitionOfTheTransform) {
  for (const FramePadding padding : {FramePadding::zeros, FramePadding::reflect, FramePadding::none}) {
    MelParameters p = bins_of(16, 3);
    p.padding = padding;
    p.power = 1;
    std::vector<double> samples;
    for (int i = 0; i < 41; ++i) samples.push_back(std::sin(0.7 * i * i));
    const std::vector<float> spectra = MelSpectra(p)(samples);
    const std::int64_t n_frames = padding == FramePadding::none ? 9 : 14;
    ASSERT_EQ(std::ssize(spectra), n_frames * 7);
    EXPECT_EQ(n_mel_frames(p, 41), n_frames);
    for (std::int64_t frame = 0; frame < n_frames; ++frame) {
      for (int bin = 1; bin < 8; ++bin) {
        std::complex<double> sum;
        for (int i = 0; i < 16; ++i) {
          std::int64_t at = frame * 3 + i - (padding == FramePadding::none ? 0 : 8);
          const bool is_inside = at >= 0 && at < 41;
          if (padding == FramePadding::reflect) at = at < 0 ? -at : at > 40 ? 80 - at : at;
          const double sample =
              is_inside || padding == FramePadding::reflect ? samples[static_cast<std::size_t>(at)] : 0;
          sum += sample * (0.5 - 0.5 * std::cos(turn * i / 16)) * std::polar(1., -turn * bin * i / 16);
        }
        EXPECT_NEAR(spectra[static_cast<std::size_t>(frame * 7 + bin - 1)], std::abs(sum), 1e-6);
      }
    }
  }
}

TEST(Mel, LogarithmsHaveTheirDefinition) {
  MelParameters p{.sample_rate = 8000, .n_fft = 256, .hop = 128, .n_mels = 10, .logarithm = MelLogarithm::none};
  std::vector<double> samples;
  for (int i = 0; i < 1000; ++i) samples.push_back(std::sin(0.3 * i) + std::cos(1.7 * i));
  const auto spectra = [&](MelLogarithm logarithm, double power, double floor) {
    p.logarithm = logarithm;
    p.power = power;
    p.floor = floor;
    return MelSpectra(p)(samples);
  };
  const std::vector<float> powers = spectra(MelLogarithm::none, 2, 1), amplitudes = spectra(MelLogarithm::none, 1, 1);
  const std::vector<float> db = spectra(MelLogarithm::decibel, 2, 1e-10),
                           db_of_amplitudes = spectra(MelLogarithm::decibel, 1, 1e-10),
                           natural = spectra(MelLogarithm::natural, 2, 1e-10),
                           common = spectra(MelLogarithm::common, 2, 1e9);
  for (std::size_t i = 0; i < powers.size(); ++i) {
    EXPECT_NEAR(db[i], 10 * std::log10(powers[i]), 1e-4);
    EXPECT_NEAR(db_of_amplitudes[i], 20 * std::log10(amplitudes[i]), 1e-4);
    EXPECT_NEAR(natural[i], std::log(powers[i]), 1e-5);
    EXPECT_EQ(common[i], 9) << "all are below the floor";
  }
}

TEST(Mel, RefusesParametersWithoutSpectra) {
  const MelParameters good{.sample_rate = 16000, .n_fft = 1024, .hop = 512, .n_mels = 64};
  EXPECT_NO_THROW(require_mel_parameters(good));
  const auto expect_refused = [&](const char* words, auto change) {
    MelParameters p = good;
    change(p);
    lab::expect_error(ErrorCode::bad_argument, words, [&] { require_mel_parameters(p); });
  };
  expect_refused("--fft 1000: expected a power of 2", [](MelParameters& p) { p.n_fft = 1000; });
  expect_refused("--hop 0", [](MelParameters& p) { p.hop = 0; });
  expect_refused("--fmin 9000 --fmax 8000", [](MelParameters& p) { p.f_min = 9000; });
  expect_refused("--fmax 8001", [](MelParameters& p) { p.f_max = 8001; });
  expect_refused("--floor", [](MelParameters& p) { p.floor = 0; });
}

}  // namespace
}  // namespace rafter::score

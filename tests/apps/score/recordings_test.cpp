#include "apps/score/recordings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "apps/score/wav.hpp"
#include "apps/score/wav_files.hpp"
#include "base/files.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::score {
namespace {

namespace fs = std::filesystem;
using lab::expect_error;

class WavRecordings : public testing::Test {
 protected:
  fs::path put(const std::string& name, const std::string& text) const {
    base::write_file(folder_.path() / name, text);
    return folder_.path() / name;
  }
  std::vector<double> samples_of(const WavHead& head, const std::string& bytes, std::optional<int> channel = {}) const {
    return WavFile(put("x.wav", wav_file(head, bytes))).read(channel);
  }

  lab::TemporaryFolder folder_;
};

TEST_F(WavRecordings, ReadSamplesOfEveryType) {
  const std::vector<double> expected{0, 0.5, -0.5, -1};
  const auto joined = [](auto... values) { return (little_endian(values) + ...); };
  EXPECT_EQ(samples_of({.bits = 8}, "\x80\xc0\x40" + std::string(1, '\0')), expected);
  EXPECT_EQ(samples_of({.bits = 16},
                       joined(std::int16_t{0}, std::int16_t{16384}, std::int16_t{-16384}, std::int16_t{-32768})),
            expected);
  EXPECT_EQ(samples_of({.bits = 24}, std::string("\0\0\0\0\0\x40\0\0\xc0\0\0\x80", 12)), expected);
  EXPECT_EQ(samples_of({.bits = 32}, joined(0, 0x40000000, -0x40000000, -0x7fffffff - 1)), expected);
  EXPECT_EQ(samples_of({.tag = 3, .bits = 32}, joined(0.f, 0.5f, -0.5f, -1.f)), expected);
  EXPECT_EQ(samples_of({.tag = 3, .bits = 64}, joined(0., 0.5, -0.5, -1.)), expected);
  const std::string extensible = wav_format({.tag = 0xfffe, .bits = 16}) + little_endian(std::uint16_t{22}) +
                                 std::string(6, '\0') + little_endian(std::uint16_t{1}) + std::string(14, '\0');
  const std::string file = chunk("RIFF", "WAVE" + chunk("fmt ", extensible) + chunk("data", std::string("\0\x40", 2)));
  EXPECT_EQ(WavFile(put("e.wav", file)).read({}), std::vector<double>{0.5});
}

TEST_F(WavRecordings, ReadAChannelOrTheirMean) {
  const std::string bytes = little_endian(0.5) + little_endian(-1.) + little_endian(0.25) + little_endian(0.75);
  const WavHead stereo{.tag = 3, .channels = 2, .bits = 64};
  EXPECT_EQ(samples_of(stereo, bytes, 0), (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(samples_of(stereo, bytes, 1), (std::vector<double>{-1, 0.75}));
  EXPECT_EQ(samples_of(stereo, bytes), (std::vector<double>{-0.25, 0.5}));
  expect_error(ErrorCode::bad_argument, "has 2 channels, and no channel 2", [&] { samples_of(stereo, bytes, 2); });
}

TEST_F(WavRecordings, RefuseWhatIsNoWholeWavFile) {
  const std::string good = wav_file(std::vector<std::int16_t>(100), 16000);
  const auto expect_refused = [&](const std::string& text, const char* words) {
    const fs::path path = put("bad.wav", text);
    expect_error(ErrorCode::bad_argument, words, [&] { WavFile{path}; });
  };
  expect_refused("RIFX", "is not a WAV file");
  expect_refused(good.substr(0, good.size() - 2), "is truncated: 2 bytes of samples are missing");
  for (std::size_t n = 12; n + 200 < good.size(); n += 5) expect_refused(good.substr(0, n), "is truncated");
  expect_refused(wav_file({.tag = 85}, "mp3"), "has samples of format 85 with 16 bits");
  expect_refused(wav_file({.channels = 0}, ""), "has 0 channels");
  std::string piped = good;
  std::memset(piped.data() + good.size() - 204, 0xff, 4);
  expect_refused(piped, "does not tell its length");
  expect_error(ErrorCode::io, "it is a device", [] { WavFile("/dev/zero"); });
}

constexpr SpectralShape shape{.mels = 8, .frames = 3, .latent = 4, .slice = 5};

RecordingParameters parameters() {
  return {.mel = {.sample_rate = 8000, .n_fft = 64, .hop = 32, .n_mels = 8}, .window_hop = 2};
}

std::vector<std::int16_t> noise(std::size_t n, int seed) {
  std::vector<std::int16_t> samples;
  for (std::size_t i = 0; i < n; ++i)
    samples.push_back(static_cast<std::int16_t>(
        20000 * std::sin(static_cast<double>(seed + 1) * 0.01 * static_cast<double>(i * i % 9973))));
  return samples;
}

TEST_F(WavRecordings, BecomeWindowsOfConsecutiveSpectra) {
  const std::vector<fs::path> files{put("a.wav", wav_file(noise(320, 1), 8000)),
                                    put("b.wav", wav_file(noise(64, 2), 8000))};
  RecordedWindows windows(files, parameters(), shape);
  ASSERT_EQ(windows.n(), 6) << "11 frames give 5 windows, 2 apart; 3 frames give 1";
  EXPECT_EQ(windows.recording_ids(), (std::vector<std::int64_t>{0, 0, 0, 0, 0, 1}));
  std::vector<float> found(6 * 24);
  windows.read(std::span(found).first(2 * 24));  // in two pieces
  windows.read(std::span(found).subspan(2 * 24));
  MelSpectra spectra_of(parameters().mel);
  const std::vector<float> first = spectra_of(WavFile(files[0]).read({})),
                           second = spectra_of(WavFile(files[1]).read({}));
  for (std::size_t window = 0; window < 6; ++window) {
    for (std::size_t i = 0; i < 24; ++i)
      EXPECT_EQ(found[window * 24 + i], window < 5 ? first[window * 2 * 8 + i] : second[i]) << window;
  }
}

TEST_F(WavRecordings, AreFoundInFoldersInTheOrderOfTheirNames) {
  for (const char* name : {"f/b.wav", "f/a/c.WAV", "f/notes.txt", "f/a.wav"}) put(name, "");
  const std::string folder = folder_.path() / "f";
  std::vector<fs::path> expected{folder + "/a.wav", folder + "/a/c.WAV", folder + "/b.wav"};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(wav_files_of({folder}), expected);
  expect_error(ErrorCode::bad_argument, "is named twice", [&] { wav_files_of({folder, folder + "/a.wav"}); });
  fs::create_directories(folder_.path() / "empty");
  expect_error(ErrorCode::bad_argument, "has no files FILE.wav", [&] { wav_files_of({folder_.path() / "empty"}); });
}

TEST_F(WavRecordings, RefuseWhatDoesNotFitTheTraining) {
  const auto expect_refused = [&](const std::string& text, const char* words) {
    const fs::path path = put("x.wav", text);
    expect_error(ErrorCode::bad_argument, words, [&] { RecordedWindows({path}, parameters(), shape); });
  };
  expect_refused(wav_file(noise(100, 1), 44100), "has 44100 samples a second, and the training had 8000");
  expect_refused(wav_file(noise(63, 1), 8000), "has 63 samples, which are 2 frames; a window of the model has 3");
  expect_refused(wav_file({.channels = 2, .rate = 8000}, std::string(4000, 'x')), "has 2 channels: --channel 0");
}

TEST_F(WavRecordings, HaveLabelsByNameOrPath) {
  const fs::path a = put("a.wav", wav_file(noise(320, 1), 8000)), b = put("b.wav", wav_file(noise(64, 2), 8000)),
                 other = put("g/b.wav", wav_file(noise(64, 2), 8000));
  const RecordedWindows windows({a, b}, parameters(), shape);
  EXPECT_EQ(windows.labels(put("y.csv", "file,label\r\na.wav,0\r\n" + b.string() + ",1\r\n")),
            (std::vector<std::int64_t>{0, 0, 0, 0, 0, 1}));
  const auto expect_refused = [&](const RecordedWindows& of, const std::string& text, const char* words) {
    const fs::path path = put("y.csv", text);
    expect_error(ErrorCode::bad_argument, words, [&] { of.labels(path); });
  };
  expect_refused(windows, "a.wav,0\n", "has no label of");
  expect_refused(windows, "a.wav,0\nc.wav,1\n", "line 2: no recording is called 'c.wav'");
  expect_refused(windows, "a.wav,2\n", "line 1: expected FILE,0 (normal)");
  expect_refused(RecordedWindows({b, other}, parameters(), shape), "b.wav,1\n", "2 recordings are called 'b.wav'");
}

}  // namespace
}  // namespace rafter::score

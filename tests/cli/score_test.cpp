// rafter score as a user meets it: windows in, scores out, and what is said when it cannot be.
#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <thread>

#include "apps/classify/image_files.hpp"
#include "apps/score/wav_files.hpp"
#include "base/files.hpp"
#include "base/npy.hpp"
#include "cli.hpp"
#include "kernels/spectral/spectral_models.hpp"
#include "process.hpp"
#include "spectral/spectral_reference.hpp"

namespace rafter {
namespace {

using classify::bytes_of;
using classify::npy_file;
using cli::Outcome;
using cli::Process;
using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::size_t n_windows = 40;

class Score : public cli::Cli {
 protected:
  void SetUp() override {
    cli::Cli::SetUp();
    write_spectral_weights(file("m"), weights_);
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    for (std::size_t i = 0; i < n_windows * window_; ++i) x_.push_back(normal(random));
    for (std::size_t i = 0; i < window_; ++i) x_[17 * window_ + i] *= 8;  // the anomaly
    put("x.npy", npy_file("<f4", "(40, 5, 64)", bytes_of(x_)));
  }

  void put(const std::string& name, const std::string& text) const { base::write_file(file(name), text); }
  std::string path(const std::string& name) const { return " " + file(name); }
  std::string command(const std::string& arguments) const {
    return RAFTER_TOOL_PATH + (" score --device cpu --model" + path("m") + arguments);
  }
  Outcome score(const std::string& arguments) const { return call("", command(arguments)); }

  std::vector<float> scores_in(const std::string& name) const {
    base::NpyFile npy{std::filesystem::path(file(name))};
    std::vector<float> scores(static_cast<std::size_t>(npy.n_values(sizeof(float))));
    npy.read(std::as_writable_bytes(std::span(scores)));
    return scores;
  }

  /// The score in float64.
  std::vector<double> expected() const {
    spectral_ladder::SpectralTensors tensors{};
    spectral_ladder::for_each_tensor(
        weights_.shape, [&](auto values, auto tensor, std::int64_t) { tensors.*tensor = (weights_.*values).data(); });
    const spectral_ladder::SpectralReference<double> reference(weights_.shape, tensors);
    std::vector<double> scores, y(window_);
    for (std::size_t i = 0; i < n_windows; ++i) {
      reference.run(x_.data() + i * window_, y.data());
      scores.push_back(reference.score(x_.data() + i * window_, y.data()));
    }
    return scores;
  }

  void expect_right(const std::vector<float>& scores, double tolerance) const {
    const std::vector<double> right = expected();
    ASSERT_EQ(scores.size(), right.size());
    for (std::size_t i = 0; i < n_windows; ++i)
      EXPECT_LE(std::abs(static_cast<double>(scores[i]) - right[i]), tolerance * right[i]) << "window " << i;
  }

  /// A sparse file of zeros, whose scores take seconds.
  void put_many(std::int64_t n) const {
    put("many.npy", npy_file("<f4", "(" + std::to_string(n) + ", 320)", ""));
    fs::resize_file(file("many.npy"), fs::file_size(file("many.npy")) + static_cast<std::uintmax_t>(n) * 1280);
  }

  std::ptrdiff_t n_files() const { return std::distance(fs::directory_iterator(folder_), {}); }

  const SpectralWeights weights_ = random_spectral_weights({}, 1);
  const std::size_t window_ = 320;
  std::vector<float> x_;
};

TEST_F(Score, WritesScoresAndPrintsTheHighest) {
  const Outcome outcome = score(" --input" + path("x.npy") + " --output" + path("s.npy") + " --json" + path("r.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  expect_right(scores_in("s.npy"), 1e-5);
  EXPECT_TRUE(has(outcome.out, "model    mels 64, frames 5, slice 64, latent 32, from " + file("m"))) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "windows  40 of 5 x 64, float32, from " + file("x.npy")));
  EXPECT_TRUE(has(outcome.out, "of the mean\n          17 ")) << outcome.out;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100 + file("").size()) << line;
  const json result = json::parse(text_of(file("r.json")));
  EXPECT_EQ(result["windows"], n_windows);
  EXPECT_EQ(result["n_not_finite"], 0);
  EXPECT_EQ(result["highest"].size(), 5u);
  EXPECT_EQ(result["highest"][0]["window"], 17);
  EXPECT_EQ(result["highest"][0]["score"], scores_in("s.npy")[17]);
  EXPECT_LT(result["lowest"], result["mean"]);
  EXPECT_GT(result["windows_per_s"].get<double>(), 0);
  EXPECT_EQ(result["model"]["mels"], 64);
}

TEST_F(Score, GivesTheSameScoresForEveryFormatAndBatch) {
  ASSERT_EQ(score(" --input" + path("x.npy") + " --output" + path("s.npy")).code, 0);
  const std::vector<double> doubles(x_.begin(), x_.end());
  put("flat.npy", npy_file("<f8", "(40, 320)", bytes_of(doubles)));
  for (const char* batch : {"1", "7", "1000000"}) {
    const Outcome outcome =
        score(" --input" + path("flat.npy") + " --batch " + batch + " --output" + path("t.npy") + " --json -");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(json::parse(outcome.out)["windows"], n_windows);
    EXPECT_EQ(text_of(file("t.npy")), text_of(file("s.npy"))) << batch;
  }
}

TEST_F(Score, EvaluatesLabelsAndRecordings) {
  std::vector<std::int64_t> labels(n_windows), recordings;
  labels[17] = 1;
  for (std::size_t i = 0; i < n_windows; ++i) recordings.push_back(100 + static_cast<std::int64_t>(i / 10));
  put("y.npy", npy_file("<i8", "(40,)", bytes_of(labels)));
  put("r.npy", npy_file("<i8", "(40,)", bytes_of(recordings)));
  const Outcome outcome = score(" --input" + path("x.npy") + " --labels" + path("y.npy") + " --recordings" +
                                path("r.npy") + " --recording-scores" + path("r.csv") + " --json" + path("r.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "AUC of windows 1.0000 (1 anomalies, 39 normal)")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "AUC of recordings, by their means, 1.0000 (1 anomalies, 3 normal)")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "mean score       highest\n         101            10 ")) << outcome.out;
  const json result = json::parse(text_of(file("r.json")));
  EXPECT_EQ(result["detection"]["auc"], 1);
  EXPECT_EQ(result["detection"]["threshold"], result["highest"][0]["score"]);
  EXPECT_EQ(result["n_recordings"], 4);
  EXPECT_EQ(result["detection_of_recordings"]["detected"], 1);
  EXPECT_TRUE(text_of(file("r.csv")).starts_with("recording,windows,mean,highest,label\n100,10,"));
  EXPECT_TRUE(has(score(" --input" + path("x.npy") + " --labels" + path("r.npy")).err,
                  "r.npy' has the label 100 for window 0; expected 0 (normal) or 1"));
  EXPECT_TRUE(has(score(" --input" + path("x.npy") + " --recording-scores" + path("r.csv")).err,
                  "--recording-scores needs --recordings FILE.npy"));
}

// Noise, and a recording of a tone, whose spectra a model of noise does not know.
TEST_F(Score, ScoresRecordingsAndComparesThemWithTheirLabels) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> noise(-8000, 8000);
  fs::create_directories(file("wav"));
  std::string labels = "file,label\n";
  for (int i = 0; i < 4; ++i) {
    std::vector<std::int16_t> samples;
    for (int k = 0; k < 16000; ++k) {
      const double tone = 30000 * std::sin(0.02 * k * k / 1000);
      samples.push_back(static_cast<std::int16_t>(i == 2 ? tone : noise(random)));
    }
    put(fmt::format("wav/{}.wav", i), score::wav_file(samples, 16000));
    labels += fmt::format("{}.wav,{}\n", i, i == 2 ? 1 : 0);
  }
  put("y.csv", labels);
  const std::string training = " --sample-rate 16000 --fft 1024 --hop 512 --mel-scale slaney";
  const Outcome outcome =
      score(" --wav" + path("wav") + training + " --labels" + path("y.csv") + " --recording-scores" + path("r.csv") +
            " --out" + path("s.npy") + " --json" + path("r.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "112 of 5 x 64, of 4 recordings, 16000 Hz, fft 1024, hop 512, 64 mels (Slaney"))
      << outcome.out;
  EXPECT_EQ(scores_in("s.npy").size(), 112u) << "32 frames give 28 windows";
  const json result = json::parse(text_of(file("r.json")));
  EXPECT_EQ(result["n_recordings"], 4);
  EXPECT_EQ(result["detection_of_recordings"]["n_anomalies"], 1);
  EXPECT_TRUE(result["detection_of_recordings"].contains("auc"));
  const std::string table = text_of(file("r.csv"));
  EXPECT_TRUE(table.starts_with("recording,windows,mean,highest,label\n" + file("wav/0.wav") + ",28,")) << table;
  EXPECT_TRUE(has(outcome.out, file("wav/2.wav"))) << outcome.out;

  const std::string input = " --wav" + path("wav");
  EXPECT_TRUE(has(score(input + " --sample-rate 16000 --fft 1024 --hop 512").err, "--wav needs --mel-scale"));
  EXPECT_TRUE(has(score(input + training + " --input" + path("x.npy")).err, "cannot both be given"));
  EXPECT_TRUE(has(score(input + " --sample-rate 16000 --fft 1000 --hop 512 --mel-scale htk").err, "a power of 2"));
  EXPECT_TRUE(has(score(" --input" + path("x.npy") + training).err, "are for --wav"));
  EXPECT_EQ(score(" --wav /dev/zero" + training).code, 2);
}

TEST_F(Score, OnAGpu_cuda) {
  if (const auto reason = why_unavailable(Device::cuda)) GTEST_SKIP() << *reason;
  const std::pair<const char*, double> precisions[] = {{"fp32", 4e-5}, {"tf32", 8e-3}, {"bf16", 8e-2}};
  for (const auto& [precision, tolerance] : precisions) {
    const Outcome outcome = rafter("score --device cuda --batch 7 --model" + path("m") + " --input" + path("x.npy") +
                                   " --output" + path("s.npy") + " --precision " + precision);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    expect_right(scores_in("s.npy"), tolerance);
  }
}

TEST_F(Score, ReportsScoresThatAreNotFinite) {
  x_[12 * window_ + 5] = NAN;
  x_[13 * window_] = INFINITY;
  put("x.npy", npy_file("<f4", "(40, 320)", bytes_of(x_)));
  const Outcome outcome = score(" --input" + path("x.npy") + " --output" + path("s.npy"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.err, "2 of 40 windows have a score that is not finite, the first is window 12"))
      << outcome.err;
  EXPECT_TRUE(std::isnan(scores_in("s.npy")[12]));
  EXPECT_TRUE(std::isfinite(scores_in("s.npy")[14]));
}

TEST_F(Score, ReadsAndWritesStandardStreams) {
  ASSERT_EQ(score(" --input" + path("x.npy") + " --out" + path("s.npy")).code, 0);
  const std::string expected = text_of(file("s.npy"));
  const std::string cases[] = {
      "-c '" + command(" --input - --out -") + " <" + file("x.npy") + "'",
      "-c 'cat " + file("x.npy") + " | " + command(" --input - --out /dev/stdout'"),
      "-c '" + command(" --out - --input <(cat " + file("x.npy") + ")'"),
      "-c '" + command(" --out >(cat >" + file("t.npy") + ") --input" + path("x.npy")) + " >&2; wait $!; cat " +
          file("t.npy") + "'",
  };
  for (const std::string& arguments : cases) {
    const Outcome outcome = call("bash", arguments);
    ASSERT_EQ(outcome.code, 0) << arguments << outcome.err;
    EXPECT_TRUE(outcome.out == expected) << arguments;
    EXPECT_TRUE(has(outcome.err, "40 windows in ")) << "what people read goes to the standard error";
  }
  const Outcome cut = call("bash", "-c 'head -c 9000 " + file("x.npy") + " | " + command(" --input -'"));
  EXPECT_EQ(cut.code, 2);
  EXPECT_TRUE(has(cut.err, "cannot read '/dev/stdin' to its end")) << cut.err;
}

TEST_F(Score, StopsWaitingForAPipeAtASignal) {
  ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
  const int pipe = open(file("pipe").c_str(), O_RDWR);
  const std::string start = text_of(file("x.npy")).substr(0, 9000);
  ASSERT_EQ(write(pipe, start.data(), start.size()), 9000);
  Process process("bash -c 'exec " + command(" --input - --out" + path("s.npy")) + " <" + file("pipe") + "'",
                  file("log"));
  while (!has(text_of(file("log")), "windows  40")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // it handles signals from soon after that line
  process.send(SIGTERM);
  EXPECT_EQ(process.wait(), 130);
  close(pipe);
  EXPECT_TRUE(has(text_of(file("log")), "stopped by a signal after 0 of 40 windows")) << text_of(file("log"));
  EXPECT_FALSE(fs::exists(file("s.npy")));
}

TEST_F(Score, LeavesTheOutputOfAnotherRunAlone) {
  put_many(400'000);
  const auto has_partial = [&] {
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (has(entry.path().string(), ".partial-")) return true;
    }
    return false;
  };
  Process slow(command(" --input" + path("many.npy") + " --out" + path("s.npy")), file("log"));
  while (!has_partial()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_EQ(score(" --input" + path("x.npy") + " --out" + path("s.npy")).code, 0);
  EXPECT_EQ(slow.wait(), 0) << text_of(file("log"));
  EXPECT_EQ(scores_in("s.npy").size(), 400'000u) << "the last run to end";
  EXPECT_FALSE(has_partial());
}

TEST_F(Score, LeavesNoPartialFileAfterASignal) {
  put_many(2'000'000);
  put("s.npy", "as it was");
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    Process process(command(" --input" + path("many.npy") + " --output" + path("s.npy")), file("log"));
    const auto is_under_way = [&] {
      for (const auto& entry : fs::directory_iterator(folder_)) {
        std::error_code gone;
        const std::uintmax_t n_bytes = fs::file_size(entry.path(), gone);
        if (has(entry.path().string(), ".partial-") && !gone && n_bytes > 1000) return true;
      }
      return false;
    };
    while (!is_under_way()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    process.send(signal);
    EXPECT_EQ(process.wait(), signal == SIGKILL ? 128 + SIGKILL : 130);
    EXPECT_EQ(text_of(file("s.npy")), "as it was");
    if (signal == SIGKILL) break;
    EXPECT_TRUE(has(text_of(file("log")), "of 2000000 windows; nothing was written")) << text_of(file("log"));
    EXPECT_FALSE(is_under_way()) << "nothing is left";
  }
  ASSERT_EQ(score(" --input" + path("x.npy") + " --output" + path("s.npy")).code, 0);
  EXPECT_EQ(n_files(), 6) << "the next run has removed what was left: m, x.npy, many.npy, s.npy, log, stderr";
}

TEST_F(Score, ReportsAFullDisk) {
  // A limit on file sizes simulates a full disk.
  put_many(10000);
  const Outcome outcome = call("bash", "-c 'trap \"\" XFSZ; ulimit -f 20; exec " +
                                           command(" --input" + path("many.npy") + " --output" + path("s.npy")) + "'");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.err, "cannot write '" + file("s.npy") + "'")) << outcome.err;
  EXPECT_FALSE(fs::exists(file("s.npy")));
}

TEST_F(Score, RejectsBadInputWithAdvice) {
  put("none.npy", npy_file("<f4", "(0, 320)", ""));
  put("short.npy", npy_file("<f4", "(40, 4, 64)", std::string(40960, '\0')));
  put("cut", text_of(file("m")).substr(0, 5000));
  fs::create_symlink(file("x.npy"), file("link.npy"));
  const std::string input = " --input" + path("x.npy");
  const std::string good = "score --device cpu --model" + path("m") + input;
  const struct {
    std::string arguments, words;
  } cases[] = {
      {"score" + input, "--model is required"},
      {"score --model" + path("m"), "--input is required"},
      {"score --device cpu --model nowhere" + input, "cannot read 'nowhere'"},
      {"score --device cpu --model" + path("cut") + input, "is truncated: it ends at byte"},
      {"score --device cpu --model" + path("x.npy") + input, "is not a safetensors file"},
      {"score --device cpu --model" + path("m") + " --input nowhere", "cannot read 'nowhere'"},
      {"score --device cpu --model" + path("m") + " --input" + path("m"), "is not a .npy file"},
      {"score --device cpu --model" + path("m") + " --input" + path("none.npy"), "holds no windows"},
      {"score --device cpu --model" + path("m") + " --input" + path("short.npy"),
       "has the shape (40, 4, 64); expected windows for this model, (N, 5, 64) or (N, 320)"},
      {good + " --output" + path("x.npy"), "x.npy' is an input file and cannot be the output"},
      {good + " --output" + path("link.npy"), "link.npy' is an input file and cannot be the output"},
      {good + " --output" + path("m"), "m' is an input file and cannot be the output"},
      {good + " --json" + path("x.npy"), "x.npy' is an input file and cannot be the output"},
      {good + " --output /proc/nowhere/s.npy", "cannot write"},
      {good + " --out" + path("t.npy") + " --json" + path("t.npy"), "two outputs are named '" + file("t.npy")},
      {good + " --out - --json /dev/stdout", "--out and --json cannot both have the standard output"},
      {"score --device cpu --model" + path("m") + " --input /dev/zero", "cannot read '/dev/zero': it is a device"},
      {"score --device cpu --model /dev/zero" + input, "cannot read '/dev/zero': it is a device"},
      {good + " --precision fp23", "unknown precision 'fp23': did you mean 'fp32'?"},
      {good + " --precision bf16", "fp32"},
      {"score --device gpu --model" + path("m") + input, "unknown device 'gpu'"},
      {good + " --batch -3", "expected a whole number from 1 on, got '-3'"},
      {good + " --batch 0", "expected a whole number from 1 on, got '0'"},
      {good + " --otu s", "did you mean '--out'?"},
  };
  const std::string before = text_of(file("x.npy"));
  for (const auto& [arguments, words] : cases) {
    const Outcome outcome = rafter(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, words)) << arguments << "\n" << outcome.err;
    EXPECT_FALSE(has(outcome.out, "of the mean")) << arguments;
  }
  EXPECT_TRUE(text_of(file("x.npy")) == before);
}

}  // namespace
}  // namespace rafter

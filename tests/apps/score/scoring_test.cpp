// Files of windows, scored in pieces: scores do not depend on the pieces, and a failed run leaves no output.
#include "apps/score/scoring.hpp"

#include <gtest/gtest.h>

#include <random>

#include "apps/solve/full_disk.hpp"
#include "base/npy.hpp"
#include "kernels/spectral/spectral_models.hpp"
#include "rafter/buffer.hpp"
#include "rafter/device.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::score {
namespace {

using lab::expect_error;
using lab::TemporaryFolder;
namespace fs = std::filesystem;

constexpr SpectralShape small{.mels = 8, .frames = 3, .latent = 4, .slice = 5};
constexpr std::int64_t n_windows = 1000;

class Scoring : public testing::Test {
 protected:
  void SetUp() override {
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    x_.resize(static_cast<std::size_t>(n_windows * small.window()));
    for (float& value : x_) value = normal(random);
    base::write_npy<float>(input(), {n_windows, small.frames, small.mels}, x_);
  }

  fs::path input() const { return folder_.path() / "x.npy"; }
  fs::path output() const { return folder_.path() / "s.npy"; }

  static std::vector<float> scores_in(const fs::path& path) {
    base::NpyFile file(path);
    EXPECT_EQ(file.type(), "<f4");
    EXPECT_EQ(file.shape().size(), 1u);
    std::vector<float> scores(static_cast<std::size_t>(file.n_values(sizeof(float))));
    file.read(std::as_writable_bytes(std::span(scores)));
    return scores;
  }

  /// Returns the scores of all windows in one call of the model.
  std::vector<float> scores_of_all(const Stream& stream, const SpectralAutoencoder& model) const {
    const Buffer<float> there(stream, x_);
    Buffer<float> made(stream, n_windows);
    model.score(stream, there.span(), made.span());
    std::vector<float> scores(n_windows);
    made.copy_to(scores);
    return scores;
  }

  void expect_same_scores_for_all_batches(Device device) const {
    const Stream stream = Stream::on(device);
    const SpectralAutoencoder model(stream, random_spectral_weights(small, 1));
    const std::vector<float> expected = scores_of_all(stream, model);
    for (const std::int64_t batch :
         {std::int64_t{7}, std::int64_t{64}, n_windows - 1, n_windows, std::int64_t{1} << 40}) {
      WindowFile windows(input(), small);
      std::int64_t n_done = 0;
      const ScoreOutcome outcome = score_windows(stream, model, windows, {batch, output()},
                                                 {[&](std::int64_t n) { n_done = n; }, [] { return false; }});
      EXPECT_EQ(n_done, n_windows);
      EXPECT_FALSE(outcome.stopped);
      EXPECT_EQ(outcome.summary.n(), n_windows);
      EXPECT_TRUE(scores_in(output()) == expected) << "batches of " << batch;
      EXPECT_EQ(folder_.n_entries(), 2) << "the input and the scores";
    }
  }

  /// Writes a file of two scores, which a failed run must keep.
  void put_scores() const { base::write_npy<float>(output(), {2}, std::vector<float>{1, 2}); }
  void expect_only_put_scores() const {
    EXPECT_EQ(scores_in(output()), (std::vector<float>{1, 2}));
    EXPECT_EQ(folder_.n_entries(), 2) << "the input and the scores";
  }

  TemporaryFolder folder_;
  std::vector<float> x_;
};

TEST_F(Scoring, ScoresDoNotDependOnPieces) { expect_same_scores_for_all_batches(Device::cpu); }

TEST_F(Scoring, ScoresDoNotDependOnPieces_cuda) {
  if (const auto reason = why_unavailable(Device::cuda)) GTEST_SKIP() << *reason;
  expect_same_scores_for_all_batches(Device::cuda);
}

TEST_F(Scoring, StopLeavesTheOldOutput) {
  const SpectralAutoencoder model(Stream::cpu(), random_spectral_weights(small, 1));
  put_scores();
  WindowFile windows(input(), small);
  std::int64_t n_done = 0;
  const ScoreOutcome outcome = score_windows(Stream::cpu(), model, windows, {100, output()},
                                             {[&](std::int64_t n) { n_done = n; }, [&] { return n_done >= 300; }});
  EXPECT_TRUE(outcome.stopped);
  EXPECT_EQ(outcome.summary.n(), 300);
  expect_only_put_scores();
}

TEST_F(Scoring, ReportsAFullDiskAndLeavesTheOldOutput) {
  const SpectralAutoencoder model(Stream::cpu(), random_spectral_weights(small, 1));
  put_scores();
  WindowFile windows(input(), small);
  {
    const solve::FullDisk full(2000);
    expect_error(ErrorCode::io, "cannot write '" + output().string() + "': File too large", [&] {
      score_windows(Stream::cpu(), model, windows, {100, output()}, {[](std::int64_t) {}, [] { return false; }});
    });
  }
  expect_only_put_scores();
}

TEST_F(Scoring, ReportsATruncatedFile) {
  const SpectralAutoencoder model(Stream::cpu(), random_spectral_weights(small, 1));
  put_scores();
  WindowFile windows(input(), small);
  fs::resize_file(input(), 50000);  // after it was opened
  expect_error(ErrorCode::io, "to its end", [&] {
    score_windows(Stream::cpu(), model, windows, {100, output()}, {[](std::int64_t) {}, [] { return false; }});
  });
  expect_only_put_scores();
}

TEST(UsualBatch, IsAPowerOfTwoOf8MiBAtMost) {
  EXPECT_EQ(usual_batch({}), 4096);
  EXPECT_EQ(usual_batch({.mels = 1024, .frames = 10, .latent = 1024, .slice = 2048}), 128);
  EXPECT_EQ(usual_batch({.mels = 1 << 20, .frames = 8, .latent = 1, .slice = 1}), 1);
}

}  // namespace
}  // namespace rafter::score

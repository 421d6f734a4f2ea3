#include "apps/score/scoring.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <future>

#include "base/npy.hpp"
#include "library/core/cpu/affinity.hpp"
#include "rafter/error.hpp"
#include "rafter/host_pipeline.hpp"

namespace rafter::score {

namespace {

/// Double buffering of the file in host memory: one part is scored while a thread reads the next.
class WindowReader {
 public:
  WindowReader(const Stream& stream, WindowSource& file, std::int64_t window_values, std::int64_t at_a_time)
      : file_(file),
        window_values_(window_values),
        at_a_time_(at_a_time),
        parts_{PinnedBuffer<float>(stream, at_a_time * window_values),
               PinnedBuffer<float>(stream, at_a_time * window_values)} {
    start();
  }

  /// Returns the next windows, valid until the next call; none at the end.
  std::span<const float> next() {
    if (!reading_.valid()) return {};
    const std::span<const float> windows = reading_.get();
    start();
    return windows;
  }

 private:
  void start() {
    const std::int64_t n = std::min(at_a_time_, file_.n() - n_started_);
    if (n == 0) return;
    n_started_ += n;
    is_second_ = !is_second_;
    const std::span<float> part = parts_[is_second_ ? 1 : 0].span().first(static_cast<std::size_t>(n * window_values_));
    reading_ = std::async(std::launch::async, [this, part] {
      const core::AllCores anywhere;  // the calling thread may be pinned to one core
      file_.read(part);
      return std::span<const float>(part);
    });
  }

  WindowSource& file_;
  std::int64_t window_values_, at_a_time_, n_started_ = 0;
  PinnedBuffer<float> parts_[2];
  bool is_second_ = false;
  std::future<std::span<const float>> reading_;  // the last member: the reading ends before its buffers are destroyed
};

}  // namespace

std::int64_t usual_batch(const SpectralShape& shape) {
  const auto window_bytes = static_cast<std::uint64_t>(shape.window()) * sizeof(float);
  return static_cast<std::int64_t>(std::bit_floor(std::max<std::uint64_t>(1, (8 << 20) / window_bytes)));
}

ScoreOutcome score_windows(const Stream& stream, const SpectralAutoencoder& model, WindowSource& windows,
                           const ScoreJob& job, const ScoreWatcher& watcher) {
  constexpr std::int64_t pieces_at_a_time = 8;  // for a GPU: enough to overlap most copies with scoring
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t values = model.shape().window();
  const std::int64_t batch = std::min(job.batch, windows.n());
  const std::int64_t at_a_time =
      std::min(windows.n(), stream.device() == Device::cpu ? batch : pieces_at_a_time * batch);
  std::optional<base::NpyWriter<float>> output;
  if (job.output) output.emplace(*job.output, std::vector<std::int64_t>{windows.n()});
  HostPipeline<float, float> pipeline(stream, {values, 1, batch});
  WindowReader reader(stream, windows, values, at_a_time);
  PinnedBuffer<float> scores(stream, at_a_time);

  ScoreOutcome outcome;
  while (outcome.summary.n() < windows.n() && !(outcome.stopped = watcher.stop())) {
    std::span<const float> part;
    try {
      part = reader.next();
    } catch (const Error&) {
      outcome.stopped = watcher.stop();  // a signal ends the wait for a pipe before its data are complete
      if (outcome.stopped) break;
      throw;
    }
    const std::span<float> of_part = scores.span().first(part.size() / static_cast<std::size_t>(values));
    pipeline.run(part, of_part, [&](auto in, auto out) { model.score(stream, in, out); });
    outcome.summary.add(of_part);
    if (job.keeps_scores) outcome.scores.insert(outcome.scores.end(), of_part.begin(), of_part.end());
    if (output) output->write(of_part);
    watcher.progress(outcome.summary.n());
  }
  if (output && !outcome.stopped) output->commit();
  outcome.elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace rafter::score

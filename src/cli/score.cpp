// rafter-score: anomaly scores of the windows of a file.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/score/scoring.hpp"
#include "base/concurrent_runs.hpp"
#include "base/files.hpp"
#include "base/messages.hpp"
#include "base/outputs.hpp"
#include "base/stop_signals.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/tool.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/machine/device_choice.hpp"
#include "workbench/lab/machine/machine.hpp"

namespace rafter::cli {

namespace {

using nlohmann::json;
using score::ScoreOutcome;
using score::ScoreSummary;

SpectralPrecision parse_spectral_precision(const std::string& wanted) {
  std::vector<std::string> known;
  for (const SpectralPrecision precision : spectral_precisions) {
    known.emplace_back(name(precision));
    if (known.back() == wanted) return precision;
  }
  throw Error(ErrorCode::bad_argument, base::unknown_name("precision", wanted, known));
}

/// One `rafter score`.
class ScoreCommand {
 public:
  explicit ScoreCommand(const ScoreOptions& options)
      : options_(options),
        precision_(parse_spectral_precision(options.precision)),
        device_(lab::choose_device(options.device, {"cpu", "cuda"})),
        stream_(lab::make_stream(device_, options.n_threads)),
        model_(stream_, read_spectral_weights(options.model), {precision_}),
        windows_(options.input, model_.shape()),
        output_(options.json_path),
        out_(output_.text_stream()) {
    if (windows_.n() == 0) throw Error(ErrorCode::bad_argument, fmt::format("'{}' holds no windows", options.input));
    base::require_outputs({options.output, output_.file()}, {options.model, options.input});
    job_.batch = options.batch > 0 ? options.batch : score::usual_batch(model_.shape());
    if (options.output.empty()) return;
    job_.output = base::replaceable_file(options.output);
    base::remove_partial_files(*job_.output);
  }

  int run() {
    concurrent_runs_.report();
    describe();
    const base::StopSignals signals;
    start_ = Clock::now();
    const ScoreOutcome outcome = score_windows(
        stream_, model_, windows_, job_,
        {.progress = [this](std::int64_t n_done) { show_progress(n_done); }, .stop = base::StopSignals::arrived});
    progress_.clear();
    if (outcome.stopped) return report_stopped(outcome.summary);
    report(outcome);
    write_json(outcome);
    return conclude(outcome.summary);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void describe() const {
    const SpectralShape& shape = model_.shape();
    fmt::print(out_, "spectral on {} ({}", name(device_), lab::describe_device(device_));
    if (device_ == Device::cpu) fmt::print(out_, ", {} threads", stream_.n_threads());
    fmt::print(out_, "), {}\n", name(precision_));
    fmt::print(out_, "  model    mels {}, frames {}, slice {}, latent {}, from {}\n", shape.mels, shape.frames,
               shape.slice, shape.latent, options_.model);
    fmt::print(out_, "  windows  {} of {} x {}, {}, from {}\n", windows_.n(), shape.frames, shape.mels,
               windows_.dtype(), options_.input);
    std::fflush(out_);
  }

  void show_progress(std::int64_t n_done) {
    const double elapsed_s = std::chrono::duration<double>(Clock::now() - start_).count();
    const double share = static_cast<double>(n_done) / static_cast<double>(windows_.n());
    const double per_s = static_cast<double>(n_done) / elapsed_s;
    progress_.show(
        fmt::format("{} of {} windows, {}, {} left", n_done, windows_.n(), base::show_rate(per_s, " windows/s"),
                    base::show_duration(elapsed_s / share - elapsed_s)),
        share);
  }

  double windows_per_s(const ScoreOutcome& outcome) const {
    return static_cast<double>(outcome.summary.n()) / outcome.elapsed_s;
  }

  void report(const ScoreOutcome& outcome) const {
    const ScoreSummary& summary = outcome.summary;
    fmt::print(out_, "\n{} windows in {}, {}\n", summary.n(), base::show_time(outcome.elapsed_s * 1e9),
               base::show_rate(windows_per_s(outcome), " windows/s"));
    if (summary.n_finite() > 0) {
      fmt::print(out_, "score    lowest {:.5g}, mean {:.5g}, highest {:.5g}\n\n", summary.lowest(), summary.mean(),
                 summary.highest().front().score);
      fmt::print(out_, "{:>12}  {:>12}  {:>12}\n", "window", "score", "of the mean");
      for (const auto& [window, score] : summary.highest()) {
        fmt::print(out_, "{:>12}  {:>12.5g}  {:>12}\n", window, score,
                   summary.mean() > 0 ? base::show_ratio(static_cast<double>(score) / summary.mean()) : "-");
      }
    }
    if (job_.output) fmt::print(out_, "\nscores   {}\n", options_.output);
  }

  void write_json(const ScoreOutcome& outcome) const {
    if (options_.json_path.empty()) return;
    const ScoreSummary& summary = outcome.summary;
    const SpectralShape& shape = model_.shape();
    json result{
        {"machine", lab::fingerprint(device_, stream_.n_threads())},
        {"device", name(device_)},
        {"precision", name(precision_)},
        {"model", {{"mels", shape.mels}, {"frames", shape.frames}, {"slice", shape.slice}, {"latent", shape.latent}}},
        {"windows", summary.n()},
        {"batch", job_.batch},
        {"elapsed_s", outcome.elapsed_s},
        {"windows_per_s", windows_per_s(outcome)},
        {"n_not_finite", summary.n() - summary.n_finite()},
        {"highest", json::array()}};
    if (summary.n_finite() > 0) {
      result["lowest"] = summary.lowest();
      result["mean"] = summary.mean();
    }
    for (const auto& [window, score] : summary.highest())
      result["highest"].push_back({{"window", window}, {"score", score}});
    output_.write(result.dump(1));
  }

  int conclude(const ScoreSummary& summary) const {
    if (summary.n_finite() == summary.n()) return exit_good;
    fmt::print(stderr,
               "rafter: {} of {} windows have a score that is not finite, the first is window {}\n"
               "        they have values that are NaN or infinite, or are too large for float32\n",
               summary.n() - summary.n_finite(), summary.n(), *summary.first_not_finite());
    return exit_no;
  }

  int report_stopped(const ScoreSummary& summary) const {
    fmt::print(stderr, "rafter: stopped by a signal after {} of {} windows; nothing was written\n", summary.n(),
               windows_.n());
    return exit_stopped;
  }

  const ScoreOptions& options_;
  SpectralPrecision precision_;
  Device device_;
  Stream stream_;
  SpectralAutoencoder model_;
  score::WindowFile windows_;
  base::OutputFile output_;
  std::FILE* out_;
  score::ScoreJob job_;
  Clock::time_point start_;
  base::ProgressLine progress_;
  base::ConcurrentRuns concurrent_runs_{"score"};
};

}  // namespace

}  // namespace rafter::cli

int main(int argc, char** argv) {
  using namespace rafter::cli;
  return tool(argc, argv, Performer{[](const ScoreOptions& options) { return ScoreCommand(options).run(); }});
}

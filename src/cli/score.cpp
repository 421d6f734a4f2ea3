// rafter-score: anomaly scores of the windows of a file.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/score/evaluation.hpp"
#include "apps/score/recordings.hpp"
#include "apps/score/scoring.hpp"
#include "base/concurrent_runs.hpp"
#include "base/messages.hpp"
#include "base/outputs.hpp"
#include "base/stop_signals.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/tool.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/machine/device_choice.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/workload/params.hpp"

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

/// The enumerator whose name is at the same place in the list.
template <class Enum>
Enum enum_called(const std::string& name, std::initializer_list<std::string_view> names) {
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

score::RecordingParameters recording_parameters(const MelOptions& o, const SpectralShape& shape) {
  for (const auto& [option, is_given] : {std::pair{"--sample-rate", o.sample_rate > 0},
                                         {"--fft", o.fft > 0},
                                         {"--hop", o.hop > 0},
                                         {"--mel-scale", !o.scale.empty()}}) {
    if (!is_given)
      throw Error(ErrorCode::bad_argument,
                  fmt::format("--wav needs {} of the training; scores of other spectra mean nothing", option));
  }
  score::RecordingParameters p{.window_hop = o.window_hop, .is_mean = o.channel == "mean"};
  p.mel = {.sample_rate = static_cast<int>(std::min<std::int64_t>(o.sample_rate, 1 << 30)),
           .n_fft = o.fft,
           .hop = o.hop,
           .n_mels = shape.mels,
           .f_min = o.f_min,
           .f_max = o.f_max,
           .scale = enum_called<score::MelScale>(o.scale, {"slaney", "htk"}),
           .norm = enum_called<score::MelNorm>(o.norm.empty() ? (o.scale == "htk" ? "none" : "slaney") : o.norm,
                                               {"slaney", "none"}),
           .power = o.power,
           .padding = enum_called<score::FramePadding>(o.padding, {"zeros", "reflect", "none"}),
           .logarithm = enum_called<score::MelLogarithm>(o.logarithm, {"db", "ln", "log10", "none"})};
  if (o.floor > 0) p.mel.floor = o.floor;
  if (!o.channel.empty() && !p.is_mean) p.channel = static_cast<int>(lab::parse_integer(o.channel));
  return p;
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
        windows_(make_windows()),
        output_(options.json_path),
        out_(base::text_stream_beside({{"--out", options.output},
                                       {"--json", options.json_path},
                                       {"--recording-scores", options.recording_scores}})) {
    if (windows_->n() == 0) throw Error(ErrorCode::bad_argument, fmt::format("'{}' holds no windows", options.input));
    base::require_outputs({options.output, output_.file(), options.recording_scores}, inputs());
    if (!options.recording_scores.empty() && options.recordings.empty() && recorded_ == nullptr)
      throw Error(ErrorCode::bad_argument, "--recording-scores needs --recordings FILE.npy, or --wav");
    if (!options.labels.empty())
      labels_ =
          recorded_ != nullptr ? recorded_->labels(options.labels) : score::read_labels(options.labels, windows_->n());
    if (!options.recordings.empty()) recording_ids_ = score::read_integers(options.recordings, windows_->n());
    if (recorded_ != nullptr) {
      recording_ids_ = recorded_->recording_ids();
      for (const std::filesystem::path& file : recorded_->files()) recording_names_.push_back(file.string());
    }
    job_.keeps_scores = !labels_.empty() || !recording_ids_.empty();
    job_.batch = options.batch > 0 ? options.batch : score::usual_batch(model_.shape());
    if (!options.output.empty()) job_.output = options.output;
  }

  int run() {
    concurrent_runs_.report();
    describe();
    const base::StopSignals signals;
    start_ = Clock::now();
    const ScoreOutcome outcome = score_windows(
        stream_, model_, *windows_, job_,
        {.progress = [this](std::int64_t n_done) { show_progress(n_done); }, .stop = base::StopSignals::arrived});
    progress_.clear();
    if (outcome.stopped) return report_stopped(outcome.summary);
    evaluate(outcome);
    report(outcome);
    report_evaluation();
    write_json(outcome);
    return conclude(outcome.summary);
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// The windows of the file or of the recordings.
  std::unique_ptr<score::WindowSource> make_windows() {
    if (options_.input.empty() == options_.wav.empty())
      throw Error(ErrorCode::bad_argument, options_.wav.empty() ? "--input is required: FILE.npy, or --wav FILE.wav"
                                                                : "--input and --wav cannot both be given");
    const MelOptions& mel = options_.mel;
    if (options_.wav.empty() && (mel.sample_rate > 0 || mel.fft > 0 || mel.hop > 0 || !mel.scale.empty()))
      throw Error(
          ErrorCode::bad_argument,
          "--sample-rate, --fft, --hop and --mel-scale are for --wav; the windows of --input are spectra already");
    if (options_.wav.empty())
      return std::make_unique<score::WindowFile>(options_.input, model_.shape(), base::StopSignals::arrived);
    if (!options_.recordings.empty())
      throw Error(ErrorCode::bad_argument, "--recordings is for --input; each file of --wav is a recording");
    auto recorded = std::make_unique<score::RecordedWindows>(
        score::wav_files_of(options_.wav), recording_parameters(options_.mel, model_.shape()), model_.shape());
    recorded_ = recorded.get();
    return recorded;
  }

  std::vector<std::string> inputs() const {
    std::vector<std::string> files{options_.model, options_.input, options_.labels, options_.recordings};
    if (recorded_ != nullptr) {
      for (const std::filesystem::path& file : recorded_->files()) files.push_back(file.string());
    }
    return files;
  }

  std::string recording_name(const score::Recording& recording) const {
    return recording_names_.empty() ? std::to_string(recording.id)
                                    : recording_names_[static_cast<std::size_t>(recording.id)];
  }

  void describe() const {
    const SpectralShape& shape = model_.shape();
    fmt::print(out_, "spectral on {} ({}", name(device_), lab::describe_device(device_));
    if (device_ == Device::cpu) fmt::print(out_, ", {} threads", stream_.n_threads());
    fmt::print(out_, "), {}\n", name(precision_));
    fmt::print(out_, "  model    mels {}, frames {}, slice {}, latent {}, from {}\n", shape.mels, shape.frames,
               shape.slice, shape.latent, options_.model);
    const std::string windows =
        fmt::format("{} of {} x {}, {}", windows_->n(), shape.frames, shape.mels, windows_->description());
    fmt::print(out_, "{}",
               recorded_ != nullptr ? base::wrapped(windows, "  windows  ", "           ")
                                    : fmt::format("  windows  {}\n", windows));
    std::fflush(out_);
  }

  void show_progress(std::int64_t n_done) {
    const double elapsed_s = std::chrono::duration<double>(Clock::now() - start_).count();
    const double share = static_cast<double>(n_done) / static_cast<double>(windows_->n());
    const double per_s = static_cast<double>(n_done) / elapsed_s;
    progress_.show(
        fmt::format("{} of {} windows, {}, {} left", n_done, windows_->n(), base::show_rate(per_s, " windows/s"),
                    base::show_duration(elapsed_s / share - elapsed_s)),
        share);
  }

  double windows_per_s(const ScoreOutcome& outcome) const {
    return static_cast<double>(outcome.summary.n()) / outcome.elapsed_s;
  }

  void evaluate(const ScoreOutcome& outcome) {
    if (!labels_.empty()) of_windows_ = score::detection(outcome.scores, labels_);
    if (recording_ids_.empty()) return;
    recordings_ = score::recordings_of(outcome.scores, recording_ids_, labels_);
    if (!options_.recording_scores.empty())
      base::OutputFile(options_.recording_scores).write(to_csv(recordings_, !labels_.empty(), recording_names_));
    std::vector<float> means;
    std::vector<std::int64_t> labels;
    for (const score::Recording& recording : recordings_) {
      means.push_back(static_cast<float>(recording.mean));
      labels.push_back(recording.label);
    }
    if (!labels_.empty()) of_recordings_ = score::detection(means, labels);
  }

  void report_detection(const char* what, const std::optional<score::Detection>& found) const {
    if (!found) {
      fmt::print(out_, "no AUC of {}: it needs anomalies and normal ones with finite scores\n", what);
      return;
    }
    fmt::print(out_, "AUC of {} {:.4f} ({} anomalies, {} normal)\n", what, found->auc, found->n_anomalies,
               found->n_normal);
    fmt::print(out_, "  from {:.5g} on, {:.1f} % of the anomalies and {:.1f} % of the normal ones\n", found->threshold,
               100 * found->detected, 100 * found->false_alarms);
  }

  void report_evaluation() const {
    if (!recordings_.empty()) {
      std::vector<score::Recording> highest = recordings_;
      std::stable_sort(highest.begin(), highest.end(), [](const auto& a, const auto& b) { return a.mean > b.mean; });
      highest.resize(std::min(highest.size(), ScoreSummary::n_highest));
      std::size_t width = 12;
      for (const score::Recording& r : highest) width = std::max(width, recording_name(r).size());
      fmt::print(out_, "\n{:>{}}  {:>12}  {:>12}  {:>12}\n", "recording", width, "windows", "mean score", "highest");
      for (const score::Recording& r : highest)
        fmt::print(out_, "{:>{}}  {:>12}  {:>12.5g}  {:>12.5g}\n", recording_name(r), width, r.n_windows, r.mean,
                   r.highest);
    }
    if (labels_.empty()) return;
    fmt::print(out_, "\n");
    report_detection("windows", of_windows_);
    if (!recordings_.empty()) report_detection("recordings, by their means,", of_recordings_);
  }

  static json to_json(const std::optional<score::Detection>& found) {
    if (!found) return nullptr;
    return {{"auc", found->auc},
            {"threshold", found->threshold},
            {"detected", found->detected},
            {"false_alarms", found->false_alarms},
            {"n_anomalies", found->n_anomalies},
            {"n_normal", found->n_normal}};
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
    if (!labels_.empty()) result["detection"] = to_json(of_windows_);
    if (!recording_ids_.empty()) result["n_recordings"] = recordings_.size();
    if (!labels_.empty() && !recording_ids_.empty()) result["detection_of_recordings"] = to_json(of_recordings_);
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
               windows_->n());
    return exit_stopped;
  }

  const ScoreOptions& options_;
  SpectralPrecision precision_;
  Device device_;
  Stream stream_;
  SpectralAutoencoder model_;
  const score::RecordedWindows* recorded_ = nullptr;  // the windows, if they are of recordings
  std::unique_ptr<score::WindowSource> windows_;
  base::OutputFile output_;
  std::FILE* out_;
  score::ScoreJob job_;
  std::vector<std::int64_t> labels_, recording_ids_;  // of the windows; empty: not given
  std::vector<std::string> recording_names_;          // by id; empty: they have numbers
  std::vector<score::Recording> recordings_;
  std::optional<score::Detection> of_windows_, of_recordings_;
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

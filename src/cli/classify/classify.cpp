// rafter classify: LeNet on files of images, and what its layers take.
#include "cli/classify/classify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/classify/images.hpp"
#include "apps/classify/layer_times.hpp"
#include "base/csv.hpp"
#include "base/messages.hpp"
#include "base/npy.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "cli/neighbours.hpp"
#include "cli/outputs.hpp"
#include "cli/streams.hpp"
#include "rafter/error.hpp"
#include "rafter/host_pipeline.hpp"
#include "workbench/lab/machine/machine.hpp"

namespace rafter::cli {

namespace {

using classify::Images;
using classify::LayerTimes;
using classify::WholeLayerTimes;
using nlohmann::json;

ConvPrecision precision_wanted(const std::string& wanted) {
  std::vector<std::string> known;
  for (const ConvPrecision precision : conv_precisions) {
    known.emplace_back(name(precision));
    if (known.back() == wanted) return precision;
  }
  throw Error(ErrorCode::bad_argument, base::unknown_name("precision", wanted, known));
}

std::int64_t batch_wanted(std::int64_t wanted, Device device) {
  if (wanted < 0) throw Error(ErrorCode::bad_argument, fmt::format("--batch must be 1 or more, got {}", wanted));
  if (wanted > 0) return wanted;
  return device == Device::cpu ? 256 : 512;
}

/// One `rafter classify`.
class ClassifyCommand {
 public:
  explicit ClassifyCommand(const ClassifyOptions& options)
      : options_(options),
        precision_(precision_wanted(options.precision)),
        device_(device_wanted(options.device, {"cpu", "cuda"})),
        stream_(stream_on(device_, options.n_threads)),
        images_(classify::read_images(options.images)),
        model_(stream_, read_lenet_weights(options.weights), {precision_, batch_wanted(options.batch, device_)}),
        outcome_file_(options.json_path),
        csv_file_(options.csv_path),
        out_(csv_file_.is_stdout() ? stderr : outcome_file_.for_people()) {
    if (outcome_file_.is_stdout() && csv_file_.is_stdout())
      throw Error(ErrorCode::bad_argument, "--json and --csv cannot both have the standard output");
    if (!options.labels.empty()) read_labels();
    if (images_.n == 0) throw Error(ErrorCode::bad_argument, fmt::format("'{}' holds no images", options.images));
    require_outputs({options.output, options.probabilities, outcome_file_.file(), csv_file_.file()},
                    {options.weights, options.images, options.labels});
  }

  int run() {
    neighbours_.mention();
    describe();
    classify_all();
    count();
    report_classes();
    if (!options_.output.empty()) write_classes();
    if (!options_.probabilities.empty()) write_probabilities();
    time_layers();
    report_layers();
    write_json();
    write_csv();
    return conclude();
  }

 private:
  /// Of an image whose layers are timed: the larger one's input and output, twice, and as much again to spare.
  static constexpr std::int64_t timed_bytes = 4 * 4 * (Lenet::image_pixels + Lenet::conv1_outputs);

  void read_labels() {
    labels_ = classify::read_labels(options_.labels);
    if (std::ssize(labels_) == images_.n) return;
    throw Error(ErrorCode::bad_argument,
                fmt::format("'{}' has {} labels; expected one for each of the {} images of '{}'", options_.labels,
                            labels_.size(), images_.n, options_.images));
  }

  void describe() const {
    fmt::print(out_, "lenet on {} ({}", name(device_), lab::describe_device(device_));
    if (device_ == Device::cpu) fmt::print(out_, ", {} threads", stream_.n_threads());
    fmt::print(out_, "), {}\n", name(precision_));
    fmt::print(out_, "  weights  {}\n", options_.weights);
    fmt::print(out_, "  images   {} of 86 x 86, {}, from {}\n", images_.n,
               images_.pixels.index() == 0 ? "uint8" : "float32", options_.images);
    if (!labels_.empty()) fmt::print(out_, "  labels   {}\n", options_.labels);
    std::fflush(out_);
  }

  // ---- the answers ----

  void classify_all() {
    results_.resize(static_cast<std::size_t>(images_.n));
    const auto start = std::chrono::steady_clock::now();
    std::visit([&](const auto& pixels) { classify_pixels(std::span(pixels)); }, images_.pixels);
    elapsed_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    progress_.clear();
  }

  template <class Pixel>
  void classify_pixels(std::span<const Pixel> pixels) {
    HostPipeline<Pixel, LenetResult> pipeline(stream_, {Lenet::image_pixels, 1, model_.batch()});
    const std::int64_t at_a_time = 16 * model_.batch();  // between two lines of progress
    for (std::int64_t first = 0; first < images_.n; first += at_a_time) {
      const std::int64_t n = std::min(at_a_time, images_.n - first);
      pipeline.run(part(pixels, first * Lenet::image_pixels, n * Lenet::image_pixels),
                   part(std::span(results_), first, n), [&](auto in, auto out) { model_.run(in, out); });
      progress_.show(fmt::format("{} of {} images", first + n, images_.n),
                     static_cast<double>(first + n) / static_cast<double>(images_.n));
    }
  }

  template <class T>
  static std::span<T> part(std::span<T> all, std::int64_t first, std::int64_t n) {
    return all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
  }

  void count() {
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const std::int32_t label = results_[i].label;
      if (label < 0) {
        ++n_unclassified_;
      } else {
        ++class_counts_[static_cast<std::size_t>(label)];
      }
      if (!labels_.empty() && label == labels_[i]) ++n_correct_;
    }
  }

  double accuracy() const { return static_cast<double>(n_correct_) / static_cast<double>(images_.n); }

  void report_classes() const {
    fmt::print(out_, "\n");
    if (!labels_.empty()) fmt::print(out_, "accuracy {:.2f} %: {} of {}\n", 100 * accuracy(), n_correct_, images_.n);
    fmt::print(out_, "class   ");
    const auto widest = std::to_string(*std::max_element(class_counts_.begin(), class_counts_.end())).size();
    for (int c = 0; c < Lenet::n_classes; ++c) fmt::print(out_, "  {:>{}}", c, widest);
    fmt::print(out_, "\nimages  ");
    for (const std::int64_t n : class_counts_) fmt::print(out_, "  {:>{}}", n, widest);
    fmt::print(out_, "\n");
    std::fflush(out_);
  }

  void write_classes() const {
    std::vector<std::int32_t> classes;
    for (const LenetResult& result : results_) classes.push_back(result.label);
    base::write_npy<std::int32_t>(options_.output, {images_.n}, classes);
    fmt::print(out_, "classes       {}\n", options_.output);
  }

  void write_probabilities() const {
    std::vector<float> all;
    for (const LenetResult& result : results_)
      all.insert(all.end(), result.probabilities.begin(), result.probabilities.end());
    base::write_npy<float>(options_.probabilities, {images_.n, Lenet::n_classes}, all);
    fmt::print(out_, "probabilities {}\n", options_.probabilities);
  }

  // ---- the times ----

  void time_layers() {
    n_timed_ = std::min<std::int64_t>({images_.n, device_ == Device::cpu ? 1000 : 10000,
                                       std::max<std::int64_t>(1, lab::available_bytes(device_) / timed_bytes)});
    times_ = classify::time_layers(model_, images_, n_timed_,
                                   [&](const std::string& what, double share) { progress_.show(what, share); });
    progress_.clear();
  }

  /// What a program sees that has its images in host memory.
  static double best_ns(const LayerTimes& times) { return times.whole ? times.whole->overlapped_ns : times.op_ns; }
  double images_per_s(const LayerTimes& times) const { return static_cast<double>(n_timed_) * 1e9 / best_ns(times); }

  void report_layers() const {
    const bool has_copies = times_.front().whole.has_value();
    fmt::print(out_, "\n{:<12} {:>10}", "layer", "op");
    if (has_copies) fmt::print(out_, " {:>15} {:>12} {:>12}", "copies in order", "pinned", "overlapped");
    fmt::print(out_, " {:>12}\n", "images/s");
    for (const LayerTimes& times : times_) {
      fmt::print(out_, "{:<12} {:>10}", times.layer, base::show_time(times.op_ns));
      if (times.whole) {
        fmt::print(out_, " {:>15} {:>12} {:>12}", base::show_time(times.whole->in_order_ns),
                   base::show_time(times.whole->pinned_ns), base::show_time(times.whole->overlapped_ns));
      }
      fmt::print(out_, " {:>12}\n", base::show_rate(images_per_s(times), ""));
    }
    fmt::print(out_, "times of {} images", n_timed_);
    if (has_copies) fmt::print(out_, ", overlapped in pieces of {}", model_.batch());
    fmt::print(out_, "; all {} were classified in {}\n", images_.n, base::show_time(elapsed_s_ * 1e9));
  }

  void write_json() const {
    if (options_.json_path.empty()) return;
    json result{{"machine", lab::fingerprint(device_, stream_.n_threads())},
                {"device", name(device_)},
                {"precision", name(precision_)},
                {"images", images_.n},
                {"batch", model_.batch()},
                {"class_counts", class_counts_},
                {"n_unclassified", n_unclassified_},
                {"elapsed_s", elapsed_s_},
                {"n_timed", n_timed_},
                {"images_per_s", images_per_s(times_.back())},
                {"layers", json::array()}};
    if (!labels_.empty()) {
      result["n_correct"] = n_correct_;
      result["accuracy"] = accuracy();
    }
    for (const LayerTimes& times : times_) result["layers"].push_back(layer_json(times));
    outcome_file_.write(result.dump(1));
  }

  void write_csv() const {
    std::string text =
        base::csv_line({"layer", "op_ns", "in_order_ns", "pinned_ns", "overlapped_ns", "images", "images_per_s"});
    for (const LayerTimes& times : times_) {
      const auto whole = [&](double WholeLayerTimes::*ns) {
        return times.whole ? fmt::format("{}", (*times.whole).*ns) : "";
      };
      text += base::csv_line({times.layer, fmt::format("{}", times.op_ns), whole(&WholeLayerTimes::in_order_ns),
                              whole(&WholeLayerTimes::pinned_ns), whole(&WholeLayerTimes::overlapped_ns),
                              std::to_string(n_timed_), fmt::format("{}", images_per_s(times))});
    }
    csv_file_.write(text);
  }

  static json layer_json(const LayerTimes& times) {
    json layer{{"layer", times.layer}, {"op_ns", times.op_ns}};
    if (times.whole) {
      layer["in_order_ns"] = times.whole->in_order_ns;
      layer["pinned_ns"] = times.whole->pinned_ns;
      layer["overlapped_ns"] = times.whole->overlapped_ns;
    }
    return layer;
  }

  int conclude() const {
    if (n_unclassified_ == 0) return exit_good;
    fmt::print(stderr,
               "rafter: {} of {} images have no class: their sums are not finite\n"
               "        {}\n",
               n_unclassified_, images_.n,
               precision_ == ConvPrecision::fp32 || precision_ == ConvPrecision::tf32
                   ? "the weights are too large for float32"
                   : "factors above 65504 are infinite in this precision: try --precision tf32 or fp32");
    return exit_no;
  }

  const ClassifyOptions& options_;
  ConvPrecision precision_;
  Device device_;
  Stream stream_;
  Images images_;
  Lenet model_;
  OutcomeFile outcome_file_, csv_file_;
  std::FILE* out_;
  std::vector<std::int32_t> labels_;
  std::vector<LenetResult> results_;
  std::array<std::int64_t, Lenet::n_classes> class_counts_{};
  std::int64_t n_correct_ = 0, n_unclassified_ = 0, n_timed_ = 0;
  double elapsed_s_ = 0;
  std::vector<LayerTimes> times_;
  base::ProgressLine progress_;
  Neighbours neighbours_{"classify"};
};

}  // namespace

int classify(const ClassifyOptions& options) { return ClassifyCommand(options).run(); }

}  // namespace rafter::cli

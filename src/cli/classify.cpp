// rafter-classify: LeNet on image files, and the times of its layers.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/classify/classification.hpp"
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

namespace rafter::cli {

namespace {

using nlohmann::json;

ConvPrecision parse_conv_precision(const std::string& wanted) {
  std::vector<std::string> known;
  for (const ConvPrecision precision : conv_precisions) {
    known.emplace_back(name(precision));
    if (known.back() == wanted) return precision;
  }
  throw Error(ErrorCode::bad_argument, base::unknown_name("precision", wanted, known));
}

std::int64_t parse_batch(std::int64_t wanted, Device device) {
  if (wanted > 0) return wanted;
  return device == Device::cpu ? 256 : 512;
}

constexpr std::int64_t few_images = 256;  // a GPU takes longer to set up than a CPU to classify them

/// Returns the device: without a name the best one, but the CPU for few images whose layers are not timed.
Device choose_classify_device(const ClassifyOptions& options, std::int64_t n_images) {
  const bool suits_cpu = n_images <= few_images && options.precision == "fp32" && !options.asks_for_times();
  return lab::choose_device(options.device.empty() && suits_cpu ? "cpu" : options.device, {"cpu", "cuda"});
}

/// One `rafter classify`.
class ClassifyCommand {
 public:
  explicit ClassifyCommand(const ClassifyOptions& options)
      : options_(options),
        precision_(parse_conv_precision(options.precision)),
        images_(classify::read_images(options.images, {.first = options.first, .resize = options.resize})),
        device_(choose_classify_device(options, images_.n)),
        stream_(lab::make_stream(device_, options.n_threads)),
        model_(stream_, classify::read_lenet_weights(options.weights),
               {precision_, parse_batch(options.batch, device_)}),
        output_(options.json_path),
        csv_file_(options.csv_path),
        out_(base::text_stream_beside({{"--out", options.output},
                                       {"--probabilities", options.probabilities},
                                       {"--json", options.json_path},
                                       {"--csv", options.csv_path}})) {
    if (!options.labels.empty()) read_labels();
    if (images_.n == 0) throw Error(ErrorCode::bad_argument, fmt::format("'{}' holds no images", options.images));
    base::require_outputs({options.output, options.probabilities, output_.file(), csv_file_.file()},
                          {options.weights, options.images, options.labels});
  }

  int run() {
    concurrent_runs_.report();
    describe();
    set_up_gpu();
    found_ = classify_images(stream_, model_, images_, labels_, [&](std::int64_t n_done) {
      base::stop_if_asked();
      progress_.show(fmt::format("{} of {} images", n_done, images_.n),
                     static_cast<double>(n_done) / static_cast<double>(images_.n));
    });
    progress_.clear();
    report_classes();
    write_files();
    std::optional<classify::TimedLayers> times;
    if (options_.asks_for_times()) {
      times = time_layers(stream_, model_, images_, [&](const std::string& what, double share) {
        base::stop_if_asked();
        progress_.show(what, share);
      });
      progress_.clear();
      report_layers(*times);
      csv_file_.write(to_csv(*times));
    }
    write_json(times);
    return conclude();
  }

 private:
  void read_labels() {
    labels_ = classify::read_labels(options_.labels);
    if (options_.first > 0 && std::ssize(labels_) > images_.n) labels_.resize(static_cast<std::size_t>(images_.n));
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
    if (look_like_fractions(images_)) {
      fmt::print(stderr,
                 "rafter: the pixels of '{}' are all from 0 to 1; the network expects 0 to 255: multiply by 255\n",
                 options_.images);
    }
  }

  /// Classifies one image to load the kernels and allocate memory, which takes longer than a small file.
  void set_up_gpu() {
    if (device_ == Device::cpu) return;
    const auto start = std::chrono::steady_clock::now();
    classify::Images one{1, {}};
    std::visit(
        [&](const auto& pixels) {
          one.pixels = std::decay_t<decltype(pixels)>(pixels.begin(), pixels.begin() + classify::Lenet::image_pixels);
        },
        images_.pixels);
    classify_images(stream_, model_, one, {}, [](std::int64_t) {});
    set_up_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  void report_classes() const {
    const auto& counts = found_.class_counts;
    fmt::print(out_, "\n");
    if (!labels_.empty())
      fmt::print(out_, "accuracy {:.2f} %: {} of {}\n\n", 100 * found_.accuracy(), found_.n_correct, images_.n);
    fmt::print(out_, "class   ");
    const auto widest = std::to_string(*std::max_element(counts.begin(), counts.end())).size();
    for (int c = 0; c < classify::Lenet::n_classes; ++c) fmt::print(out_, "  {:>{}}", c, widest);
    fmt::print(out_, "\nimages  ");
    for (const std::int64_t n : counts) fmt::print(out_, "  {:>{}}", n, widest);
    fmt::print(out_, "\n");
    for (std::size_t label = 0; label < found_.confusion.size() && !labels_.empty(); ++label) {
      fmt::print(out_, "label {:<2}", label);
      for (const std::int64_t n : found_.confusion[label])
        fmt::print(out_, "  {:>{}}", n > 0 ? std::to_string(n) : ".", widest);
      fmt::print(out_, "\n");
    }
    fmt::print(out_, "\nclassified in {}, {}", base::show_time(found_.elapsed_s * 1e9),
               base::show_rate(static_cast<double>(images_.n) / found_.elapsed_s, " images/s"));
    if (set_up_s_ > 0) fmt::print(out_, "; the GPU was set up in {}", base::show_time(set_up_s_ * 1e9));
    fmt::print(out_, "\n");
    std::fflush(out_);
  }

  void write_files() const {
    if (!options_.output.empty()) {
      found_.write_classes(options_.output);
      fmt::print(out_, "classes       {}\n", options_.output);
    }
    if (!options_.probabilities.empty()) {
      found_.write_probabilities(options_.probabilities);
      fmt::print(out_, "probabilities {}\n", options_.probabilities);
    }
  }

  void report_layers(const classify::TimedLayers& times) const {
    const bool has_copies = times.layers.front().whole.has_value();
    fmt::print(out_, "\n{:<12} {:>10}", "layer", "op");
    if (has_copies) fmt::print(out_, " {:>15} {:>12} {:>12}", "copies in order", "pinned", "overlapped");
    fmt::print(out_, " {:>12}\n", "images/s");
    for (const classify::LayerTimes& layer : times.layers) {
      fmt::print(out_, "{:<12} {:>10}", layer.layer, base::show_time(layer.op_ns));
      if (layer.whole) {
        fmt::print(out_, " {:>15} {:>12} {:>12}", base::show_time(layer.whole->in_order_ns),
                   base::show_time(layer.whole->pinned_ns), base::show_time(layer.whole->overlapped_ns));
      }
      fmt::print(out_, " {:>12}\n", base::show_rate(times.images_per_s(layer), ""));
    }
    fmt::print(out_, "times of {} images", times.n_images);
    if (has_copies) fmt::print(out_, ", overlapped in pieces of {}", model_.batch());
    fmt::print(out_, "\n");
  }

  void write_json(const std::optional<classify::TimedLayers>& times) const {
    if (options_.json_path.empty()) return;
    json result = to_json(found_, !labels_.empty());
    if (times) add_times(result, *times);
    if (set_up_s_ > 0) result["set_up_s"] = set_up_s_;
    result["machine"] = lab::fingerprint(device_, stream_.n_threads());
    result["device"] = name(device_);
    result["precision"] = name(precision_);
    result["batch"] = model_.batch();
    output_.write(result.dump(1));
  }

  int conclude() const {
    if (found_.n_unclassified == 0) return exit_good;
    fmt::print(stderr,
               "rafter: {} of {} images have no class: their sums are not finite\n"
               "        {}\n",
               found_.n_unclassified, images_.n,
               precision_ == ConvPrecision::fp32 || precision_ == ConvPrecision::tf32
                   ? "the weights are too large for float32"
                   : "factors above 65504 are infinite in this precision: try --precision tf32 or fp32");
    return exit_no;
  }

  const ClassifyOptions& options_;
  ConvPrecision precision_;
  classify::Images images_;
  Device device_;
  Stream stream_;
  classify::Lenet model_;
  base::OutputFile output_, csv_file_;
  std::FILE* out_;
  classify::Labels labels_;
  classify::Classification found_;
  double set_up_s_ = 0;  // of a GPU
  base::ProgressLine progress_;
  base::ConcurrentRuns concurrent_runs_{"classify"};
};

}  // namespace

}  // namespace rafter::cli

int main(int argc, char** argv) {
  using namespace rafter::cli;
  return tool(argc, argv, Performer{[](const ClassifyOptions& options) {
                const rafter::base::StopSignals signals(rafter::base::OnStop::unwinds);
                return ClassifyCommand(options).run();
              }});
}

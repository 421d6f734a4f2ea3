#include "apps/classify/classification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/csv.hpp"
#include "base/npy.hpp"
#include "rafter/host_pipeline.hpp"
#include "workbench/lab/machine/machine.hpp"

namespace rafter::classify {

namespace {

template <class T>
std::span<T> part(std::span<T> all, std::int64_t first, std::int64_t n) {
  return all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
}

template <class Pixel>
void classify_pixels(const Stream& stream, Lenet& model, std::span<const Pixel> pixels, std::span<LenetResult> results,
                     const std::function<void(std::int64_t)>& progress) {
  HostPipeline<Pixel, LenetResult> pipeline(stream, {Lenet::image_pixels, 1, model.batch()});
  const std::int64_t at_a_time = 16 * model.batch();  // between two reports of progress
  for (std::int64_t first = 0; first < std::ssize(results); first += at_a_time) {
    const std::int64_t n = std::min(at_a_time, std::ssize(results) - first);
    pipeline.run(part(pixels, first * Lenet::image_pixels, n * Lenet::image_pixels), part(results, first, n),
                 [&](auto in, auto out) { model.run(in, out); });
    progress(first + n);
  }
}

}  // namespace

void Classification::write_classes(const std::string& path) const {
  std::vector<std::int32_t> classes;
  for (const LenetResult& result : results) classes.push_back(result.label);
  base::write_npy<std::int32_t>(path, {std::ssize(results)}, classes);
}

void Classification::write_probabilities(const std::string& path) const {
  std::vector<float> all;
  for (const LenetResult& result : results)
    all.insert(all.end(), result.probabilities.begin(), result.probabilities.end());
  base::write_npy<float>(path, {std::ssize(results), Lenet::n_classes}, all);
}

Classification classify_images(const Stream& stream, Lenet& model, const Images& images, const Labels& labels,
                               const std::function<void(std::int64_t)>& progress) {
  Classification made;
  made.results.resize(static_cast<std::size_t>(images.n));
  const auto start = std::chrono::steady_clock::now();
  std::visit(
      [&](const auto& pixels) {
        using Pixel = typename std::remove_reference_t<decltype(pixels)>::value_type;
        classify_pixels(stream, model, std::span<const Pixel>(pixels), std::span(made.results), progress);
      },
      images.pixels);
  made.elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (std::size_t i = 0; i < made.results.size(); ++i) {
    const std::int32_t label = made.results[i].label;
    if (label < 0) {
      ++made.n_unclassified;
    } else {
      ++made.class_counts[static_cast<std::size_t>(label)];
    }
    if (labels.empty()) continue;
    if (label == labels[i]) ++made.n_correct;
    if (label >= 0) ++made.confusion[static_cast<std::size_t>(labels[i])][static_cast<std::size_t>(label)];
  }
  return made;
}

double TimedLayers::images_per_s(const LayerTimes& times) const {
  return static_cast<double>(n_images) * 1e9 / (times.whole ? times.whole->overlapped_ns : times.op_ns);
}

TimedLayers time_layers(const Stream& stream, Lenet& model, const Images& images,
                        const std::function<void(const std::string&, double)>& progress) {
  // Memory for one image: input and output of the larger layer, twice, and as much again in reserve.
  constexpr std::int64_t image_bytes = 4 * 4 * (Lenet::image_pixels + Lenet::conv1_outputs);
  const Device device = stream.device();
  const std::int64_t n =
      std::min<std::int64_t>({images.n, device == Device::cpu ? 1000 : 10000,
                              std::max<std::int64_t>(1, lab::available_bytes(device) / image_bytes)});
  return {n, time_layers(model, images, n, progress)};
}

nlohmann::json to_json(const Classification& classification, bool has_labels) {
  nlohmann::json result{{"images", classification.results.size()},
                        {"class_counts", classification.class_counts},
                        {"n_unclassified", classification.n_unclassified},
                        {"elapsed_s", classification.elapsed_s}};
  if (has_labels) {
    result["n_correct"] = classification.n_correct;
    result["accuracy"] = classification.accuracy();
    result["confusion"] = classification.confusion;
  }
  return result;
}

void add_times(nlohmann::json& outcome, const TimedLayers& times) {
  outcome["n_timed"] = times.n_images;
  outcome["images_per_s"] = times.images_per_s(times.layers.back());
  outcome["layers"] = nlohmann::json::array();
  for (const LayerTimes& layer : times.layers) {
    nlohmann::json one{{"layer", layer.layer}, {"op_ns", layer.op_ns}};
    if (layer.whole) {
      one["in_order_ns"] = layer.whole->in_order_ns;
      one["pinned_ns"] = layer.whole->pinned_ns;
      one["overlapped_ns"] = layer.whole->overlapped_ns;
    }
    outcome["layers"].push_back(one);
  }
}

std::string to_csv(const TimedLayers& times) {
  std::string text =
      base::csv_line({"layer", "op_ns", "in_order_ns", "pinned_ns", "overlapped_ns", "images", "images_per_s"});
  for (const LayerTimes& layer : times.layers) {
    const auto whole = [&](double WholeLayerTimes::*ns) {
      return layer.whole ? fmt::format("{}", (*layer.whole).*ns) : "";
    };
    text += base::csv_line({layer.layer, fmt::format("{}", layer.op_ns), whole(&WholeLayerTimes::in_order_ns),
                            whole(&WholeLayerTimes::pinned_ns), whole(&WholeLayerTimes::overlapped_ns),
                            std::to_string(times.n_images), fmt::format("{}", times.images_per_s(layer))});
  }
  return text;
}

}  // namespace rafter::classify

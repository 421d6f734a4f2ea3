// The classification of all images of a file: classes, probabilities, accuracy, and its outcome as JSON and CSV.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "apps/classify/images.hpp"
#include "apps/classify/layer_times.hpp"
#include "apps/classify/lenet/lenet.hpp"

namespace rafter::classify {

using Labels = std::vector<std::int32_t>;

struct Classification {
  std::vector<LenetResult> results{};
  std::array<std::int64_t, Lenet::n_classes> class_counts{};
  std::int64_t n_unclassified = 0;  ///< Images whose sums are not finite.
  std::int64_t n_correct = 0;       ///< 0 without labels.
  /// The images of each label, by the class that they were given; 0 without labels.
  std::array<std::array<std::int64_t, Lenet::n_classes>, Lenet::n_classes> confusion{};
  double elapsed_s = 0;

  double accuracy() const { return static_cast<double>(n_correct) / static_cast<double>(results.size()); }

  /// Writes the classes, (N) int32, to a .npy file. Throws Error (io).
  void write_classes(const std::string& path) const;
  /// Writes the probabilities, (N, 10) float32, to a .npy file. Throws Error (io).
  void write_probabilities(const std::string& path) const;
};

/// Classifies all images. `labels` is empty or has one label for each image. `progress` receives the number of images
/// that are done.
Classification classify_images(const Stream& stream, Lenet& model, const Images& images, const Labels& labels,
                               const std::function<void(std::int64_t)>& progress);

/// The times of the layers for the first images.
struct TimedLayers {
  std::int64_t n_images = 0;
  std::vector<LayerTimes> layers{};

  /// The rate from host memory to host memory, if copies were measured.
  double images_per_s(const LayerTimes& times) const;
};

/// Times the layers with as many images as fit into memory.
TimedLayers time_layers(const Stream& stream, Lenet& model, const Images& images,
                        const std::function<void(const std::string&, double)>& progress);

/// The outcome as JSON. `has_labels`: with the accuracy and the confusion matrix.
nlohmann::json to_json(const Classification& classification, bool has_labels);
/// Adds the times of the layers.
void add_times(nlohmann::json& outcome, const TimedLayers& times);
/// A line for each layer.
std::string to_csv(const TimedLayers& times);

}  // namespace rafter::classify

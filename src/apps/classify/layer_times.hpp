// What LeNet's layers take: on the device alone, and as whole layers, from host memory to host memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/classify/images.hpp"
#include "rafter/lenet.hpp"

namespace rafter::classify {

/// The copies of a layer whose input and output are in host memory. Times with them.
struct WholeLayerTimes {
  double in_order_ns = 0;    ///< all images in, the op, all results out; plain host memory
  double pinned_ns = 0;      ///< the same with pinned memory
  double overlapped_ns = 0;  ///< in pieces, side by side (HostPipeline); pinned memory
};

struct LayerTimes {
  std::string layer;                     ///< conv1, conv2, classifier; network: all of them, from images to results
  double op_ns = 0;                      ///< with cold caches, as `rafter run` times ops
  std::optional<WholeLayerTimes> whole;  ///< not on the CPU, where there is nothing to copy
};

/// Medians over some calls, for the first n images. All three orders give the same bits; throws Error (device_failure)
/// where they do not. `progress` hears what is being timed, and the share that is done.
std::vector<LayerTimes> time_layers(Lenet& model, const Images& images, std::int64_t n,
                                    const std::function<void(const std::string&, double)>& progress);

}  // namespace rafter::classify

// Times of LeNet's layers: on the device only, and including copies from and to host memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/classify/images.hpp"
#include "apps/classify/lenet/lenet.hpp"

namespace rafter::classify {

/// Times of a layer including the copies of its input and output from and to host memory.
struct WholeLayerTimes {
  double in_order_ns = 0;    ///< all images in, then the op, then all results out; pageable host memory
  double pinned_ns = 0;      ///< likewise, with pinned memory
  double overlapped_ns = 0;  ///< overlapped in chunks (HostPipeline); pinned memory
};

struct LayerTimes {
  std::string layer;                     ///< conv1, conv2, classifier; network: all of them
  double op_ns = 0;                      ///< with cold caches, like the times of `rafter run`
  std::optional<WholeLayerTimes> whole;  ///< not on the CPU, which needs no copies
};

/// Returns medians over several calls, for the first n images. Throws Error (device_failure) unless all three orders of
/// copies give identical bits. `progress` receives what is being timed and the fraction done.
std::vector<LayerTimes> time_layers(Lenet& model, const Images& images, std::int64_t n,
                                    const std::function<void(const std::string&, double)>& progress);

}  // namespace rafter::classify

// A device's layers of LeNet: its convolution rung, and the layers that only LeNet has.
#pragma once

#include "apps/classify/lenet/lenet.hpp"
#include "conv/conv_rung.hpp"
#if defined(__CUDACC__) || defined(RAFTER_SIMT)
#include "library/ptx/device_build.cuh"
#endif

namespace rafter::classify::lenet {

inline constexpr int n_features = static_cast<int>(Lenet::conv2_outputs);
inline constexpr int n_hidden = 32;
inline constexpr int n_classes = Lenet::n_classes;

struct ClassifierArgs {
  const float* features;        // [n][n_features]
  const LenetWeights* weights;  // on the device
  std::int64_t n;
  LenetResult* results;  // [n]
};

struct Layers {
  const conv_ladder::ConvRung& conv;
  /// Converts bytes to floats: out[i] = bytes[i].
  void (*widen)(const Stream& stream, const std::uint8_t* bytes, std::int64_t n, float* out);
  /// Computes both fully connected layers and softmax.
  void (*classify)(const Stream& stream, const ClassifierArgs& args);
};

namespace cpu {
extern const Layers layers;
}
namespace cuda {
extern const Layers layers;
}
namespace simt {  // defined in programs that link the kernels for the executor
extern const Layers layers __attribute__((weak));
}

#ifdef RAFTER_BACKEND  // device code, for a GPU or for the executor
namespace RAFTER_BACKEND {
/// Classifies with blocks of `Images` images: 8, 16 or 32. Layers::classify chooses one of them.
template <int Images>
void classify_tiles(const Stream& stream, const ClassifierArgs& args);
}  // namespace RAFTER_BACKEND
#endif

}  // namespace rafter::classify::lenet

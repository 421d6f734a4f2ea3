// What LeNet needs of a device: its convolution, and the layers that are LeNet's own.
#pragma once

#include "conv/conv_rung.hpp"
#include "rafter/lenet.hpp"
#if defined(__CUDACC__) || defined(RAFTER_SIMT)
#include "library/ptx/device_build.cuh"
#endif

namespace rafter::lenet {

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
  /// out[i] = bytes[i].
  void (*widen)(const Stream& stream, const std::uint8_t* bytes, std::int64_t n, float* out);
  /// Both fully connected layers and softmax.
  void (*classify)(const Stream& stream, const ClassifierArgs& args);
};

namespace cpu {
extern const Layers layers;
}
namespace cuda {
extern const Layers layers;
}
namespace simt {  // there in programs that link our kernels for the executor
extern const Layers layers __attribute__((weak));
}

#ifdef RAFTER_BACKEND  // device code, for a GPU or for the executor
namespace RAFTER_BACKEND {
/// classify() with blocks of so many images: 8, 16 or 32, of which it chooses one.
template <int Images>
void classify_tiles(const Stream& stream, const ClassifierArgs& args);
}  // namespace RAFTER_BACKEND
#endif

}  // namespace rafter::lenet

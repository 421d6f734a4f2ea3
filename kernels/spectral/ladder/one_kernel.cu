// one_kernel: the whole forward pass of a window in one block.
// Bound by latency: one row of weights at a time goes from the caches through a warp's shuffles, and every block reads
// all weights, the basis twice.
#include <algorithm>

#include "spectral/cuda/spectral_one_kernel.cuh"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

extern const SpectralRung one_kernel{
    [](const Stream& stream, const SpectralArgs& args) { launch_one_kernel(stream, args); }};

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND

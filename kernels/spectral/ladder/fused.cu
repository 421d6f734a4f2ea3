// fused: packed weights in registers, products on tensor cores, 8 windows a block.
// Bound by launch and latency on small batches; on large ones by the tensor cores' three products for one in float32.
#include <algorithm>

#include "spectral/cuda/spectral_fused.cuh"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

extern const SpectralRung fused{[](const Stream& stream, const SpectralArgs& args) {
  if (args.model->packing() != Packing::fragments)
    throw Error(ErrorCode::unsupported, "this rung is made for mels=64 frames=5 latent=32 slice=64");
  launch_fused(stream, args);
}};

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND

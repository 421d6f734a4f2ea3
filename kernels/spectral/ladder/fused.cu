// fused: one kernel for the original configuration; folded and packed weights in shared memory, products on tensor
// cores, 8 or 16 windows per group of ten warps.
// cuda/spectral_fused.cuh has the kernel. Bound by launch and latency for small batches; for large ones by instruction
// issue, shared memory and the tensor cores' three products for one in float32.
#include <algorithm>

#include "spectral/cuda/spectral_fused.cuh"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

extern const SpectralRung fused{[](const Stream& stream, const SpectralArgs& args) {
  if (args.model->packing() != Packing::fragments)
    throw Error(ErrorCode::unsupported, "this rung is for mels=64 frames=5 latent=32 slice=64 only");
  launch_fused(stream, args);
}};

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND

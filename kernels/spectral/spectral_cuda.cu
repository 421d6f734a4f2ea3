// by_shape: the fused kernel for the original configuration, products on tensor cores for others; on GPUs without
// wgmma, one block per window.
#include <algorithm>

#include "library/core/cuda/policy.cuh"
#include "spectral/cuda/spectral_fused.cuh"
#include "spectral/cuda/spectral_one_kernel.cuh"
#include "spectral/cuda/spectral_passes.cuh"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

namespace {

Packing packing(const FoldedWeights& folded) {
  const int capability = core::capability();
  if (capability >= 90 && is_fused_shape(folded.shape) && fits_fragments(folded)) return Packing::fragments;
  return capability == 90 ? Packing::products : Packing::tensors;  // only 9.0 has wgmma
}

}  // namespace

extern const SpectralRung by_shape{[](const Stream& stream, const SpectralArgs& args) {
  switch (args.model->packing()) {
    case Packing::fragments: return launch_fused(stream, args);
    case Packing::products: return launch_passes(stream, args);
    default: return launch_one_kernel(stream, args);
  }
}};

extern const SpectralOps ops{by_shape, packing};

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND

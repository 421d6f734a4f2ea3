// by_shape: the fused kernel for the original configuration, products on tensor cores for others; on GPUs that have no
// wgmma, a block a window.
#include <algorithm>

#include "core/policy.cuh"
#include "spectral/cuda/spectral_fused.cuh"
#include "spectral/cuda/spectral_one_kernel.cuh"
#include "spectral/cuda/spectral_passes.cuh"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

namespace {

bool has_wgmma() { return core::capability() == 90; }

Packing packing(const SpectralShape& shape) {
  if (is_fused_shape(shape)) return Packing::fragments;
  return has_wgmma() ? Packing::products : Packing::tensors;
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

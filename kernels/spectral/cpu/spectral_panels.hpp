// A folded model as the CPU's loops read it: every matrix in panels, each a multiple of 64 bytes from the first.
#pragma once

#include <vector>

#include "spectral/spectral_model.hpp"
#include "spectral/spectral_simd.hpp"

namespace rafter::spectral_ladder::cpu {

/// The products of a forward pass. Each slice of a window occupies whole panels, so the basis has rows of zeros between
/// two frames if a slice does not fill its panels.
struct SpectralPanels {
  Panels encoder;  // mels -> slice
  Panels basis;    // frames * slice in panels -> latent
  Panels latent;   // latent -> latent
  Panels decoder;  // latent -> frames * mels
};

std::vector<float> pack_panels(const FoldedWeights& folded);

/// Returns the products in such an array.
SpectralPanels panels_in(const float* array, const SpectralShape& shape);

}  // namespace rafter::spectral_ladder::cpu

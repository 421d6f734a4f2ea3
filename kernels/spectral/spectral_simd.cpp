// The parts of a forward pass, in one thread. Products are most of the work; they are bound by the multiply-add units.
#include "spectral/spectral_simd.hpp"

#include "library/core/cpu/panel_product.hpp"
#include "spectral/cpu/spectral_gelu.hpp"
#include "spectral/cpu/spectral_norm.hpp"

namespace rafter::spectral_ladder::cpu {

RAFTER_ISA_TABLE(SpectralLoops, spectral_loops) = {normalise, core::multiply, gelu, mean_squared_error};

}  // namespace rafter::spectral_ladder::cpu

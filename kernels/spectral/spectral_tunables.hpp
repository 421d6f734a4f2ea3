#pragma once

#include "library/core/tunable.hpp"

namespace rafter::spectral_ladder {

// Split-K of the product with the basis, for configurations other than the original. The order of sums follows from it,
// so its value is the same for all batches. The alternatives have not been measured; large configurations with few
// windows probably need more (NOTES.md, "Open"). `rafter tune spectral` measures them.
inline const core::Tunable basis_ranges{
    "spectral.basis_ranges", "parts of the inputs of the product with the basis", {{80, 4}}, {2, 4, 8}};

}  // namespace rafter::spectral_ladder

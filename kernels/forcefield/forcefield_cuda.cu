// by_size: a block a molecule with tabulated filters, all in one launch; large and periodic ones by lists of
// neighbours.
#include <algorithm>

#include "forcefield/cuda/forcefield_molecules.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

extern const ForceFieldRung by_size{
    [](const Stream& stream, const ForceFieldArgs<float>& args) { launch_molecules(stream, args); }};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND

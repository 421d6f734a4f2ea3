// The part of the op for small molecules, in which the faults of blocks are planted.
#include <algorithm>

#include "forcefield/cuda/forcefield_molecules.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

extern const ForceFieldRung blocks{
    [](const Stream& stream, const ForceFieldArgs<float>& args) { launch_molecules(stream, args, 0); }};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND

// Small molecules alone: as much of the op as has the faults that are planted in blocks.
#include <algorithm>

#include "forcefield/cuda/forcefield_molecules.cuh"

namespace rafter::forcefield_ladder::RAFTER_BACKEND {

extern const ForceFieldRung blocks{
    [](const Stream& stream, const ForceFieldArgs<float>& args) { launch_molecules(stream, args, 0); }};

}  // namespace rafter::forcefield_ladder::RAFTER_BACKEND

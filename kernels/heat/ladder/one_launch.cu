// one_launch: one stage at a time, but all stages of all steps in one launch, whose blocks synchronise slab by slab.
// cuda/heat_one_launch.cuh has the kernel. It moves 40 bytes per cell and step, which hit the L2 for a small grid.
#include "heat/cuda/heat_steps.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

extern const HeatRung one_launch{
    []<class T>(const Stream& stream, HeatArgs<T> args) { advance_in_one_launch(stream, args); }};

}  // namespace rafter::heat_ladder::RAFTER_BACKEND

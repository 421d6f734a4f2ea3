// one_launch: a stage at a time again, but all stages of all steps in one launch, whose blocks hand slabs to each
// other. The kernel is in heat_one_launch.cuh. 40 bytes per cell and step, which a small grid finds in the L2.
#include "heat/cuda/heat_steps.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

extern const HeatRung one_launch{
    []<class T>(const Stream& stream, HeatArgs<T> args) { advance_in_one_launch(stream, args); }};

}  // namespace rafter::heat_ladder::RAFTER_BACKEND

// fused_sweeps: at order 2 all four stages of a step in one sweep, at the others two sweeps of two stages.
// cuda/heat_sweep.cuh has the sweep. Bound by issue at order 8, by shared memory and its barriers at order 2.
#include "heat/cuda/heat_steps.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

extern const HeatRung fused_sweeps{
    []<class T>(const Stream& stream, HeatArgs<T> args) { advance_fused(stream, args); }};

}  // namespace rafter::heat_ladder::RAFTER_BACKEND

// fused_sweeps: all four stages of a step in one sweep at order 2, two sweeps of two stages at the others.
// The sweeps are in heat_sweep.cuh. Bound by issue at order 8, by shared memory and its barriers at order 2.
#include "heat/cuda/heat_steps.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

extern const HeatRung fused_sweeps{
    []<class T>(const Stream& stream, HeatArgs<T> args) { advance_fused(stream, args); }};

}  // namespace rafter::heat_ladder::RAFTER_BACKEND

// The loops of the CPU rungs of radial, compiled per instruction-set level.
#pragma once

#include "library/core/cpu/isa.hpp"
#include "library/core/cpu/streaming_store.hpp"
#include "radial/radial_input.hpp"

namespace rafter::radial_ladder::cpu {

/// Both loops run on the calling thread.
struct RadialLoops {
  void (*forward)(const RadialInput& in, float* out, core::Stores stores);
  void (*backward)(const RadialInput& in, const float* out_gradient, float* gradient);
};

RAFTER_DECLARE_ISA_TABLE(RadialLoops, radial_loops)

}  // namespace rafter::radial_ladder::cpu

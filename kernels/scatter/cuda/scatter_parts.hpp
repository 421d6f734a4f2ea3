// The parts of the CUDA scatter that are built in files of their own.
#pragma once

#include "core/device_build.cuh"
#include "scatter/scatter_rung.hpp"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

/// The reduction by sorted keys, into args.out that holds the identity; no counts, no arguments.
extern const ScatterRung sorted_by_tiles;

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND

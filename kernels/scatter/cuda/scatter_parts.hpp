// The parts of the CUDA scatter that are built in files of their own.
#pragma once

#include "core/device_build.cuh"
#include "scatter/scatter_rung.hpp"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

/// The reduction by sorted keys, into args.out that holds the identity; no counts, no arguments.
template <class Reducer, class Key>
void sorted_by_tiles(const Stream& stream, const ScatterArgs<typename Reducer::Element, Key>& args);

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND

// Steps made of the fused sweeps.
#pragma once

#include "heat/heat_field.hpp"
#include "heat/heat_sweep.cuh"
#include "heat/heat_sweeps.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

template <class T, class Sweep>
void advance_fused(const Stream& stream, const HeatArgs<T>& args, int n_sweeps, const Sweep& sweep_once) {
  run_sweeps(
      args, n_sweeps, [&](const T* from, T* to) { copy_frozen(stream, args.grid, from, to); },
      [&](const T* from, T* to) { copy_field(stream, from, to, args.grid.shape.n_cells()); }, sweep_once);
}

}  // namespace rafter::heat_ladder::RAFTER_BACKEND

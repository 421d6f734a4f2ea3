// Steps of the two kinds of kernels that GPUs have for them, which are built apart: fused sweeps, and stages in boxes.
#pragma once

#include "heat/heat_field.hpp"
#include "heat/heat_sweeps.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// One of the sweeps of sweep_plan(), on all cells that are not frozen.
template <class T>
void fused_sweep(const Stream& stream, const HeatGrid& grid, int which, const T* from, T* to);

/// One of the two factors of a step, a kernel for each of its stages: the first writes `work`. `to` may be `from`.
template <class T>
void box_factor(const Stream& stream, const HeatGrid& grid, int which, const T* from, T* work, T* to);

template <class T, class Sweep>
void advance_by_sweeps(const Stream& stream, const HeatArgs<T>& args, int n_sweeps, const Sweep& sweep_once) {
  run_sweeps(
      args, n_sweeps, [&](const T* from, T* to) { copy_frozen(stream, args.grid, from, to); },
      [&](const T* from, T* to) { copy_field(stream, from, to, args.grid.shape.n_cells()); }, sweep_once);
}

template <class T>
void advance_fused(const Stream& stream, const HeatArgs<T>& args) {
  advance_by_sweeps(stream, args, sweep_plan(args.grid.radius).n_sweeps,
                    [&](int which, const T* from, T* to) { fused_sweep(stream, args.grid, which, from, to); });
}

template <class T>
void advance_in_boxes(const Stream& stream, const HeatArgs<T>& args) {
  const bool in_place = args.in == args.out;
  if (args.n_steps == 0) {
    if (!in_place) copy_field(stream, args.in, args.out, args.grid.shape.n_cells());
    return;
  }
  copy_frozen(stream, args.grid, args.in, args.work);
  if (!in_place) copy_frozen(stream, args.grid, args.in, args.out);
  const T* from = args.in;
  for (std::int64_t i = 0; i < 2 * args.n_steps; ++i, from = args.out)
    box_factor(stream, args.grid, static_cast<int>(i % 2), from, args.work, args.out);
}

}  // namespace rafter::heat_ladder::RAFTER_BACKEND

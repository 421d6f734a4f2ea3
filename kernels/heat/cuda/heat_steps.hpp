// The two implementations of steps on a GPU, which are compiled separately: fused sweeps, and all stages in one launch.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "heat/cuda/heat_copies.cuh"
#include "heat/heat_field.hpp"
#include "heat/heat_sweeps.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// Makes one of the sweeps of sweep_plan() on all cells that are not frozen.
template <class T>
void fused_sweep(const Stream& stream, const HeatGrid& grid, int which, GridView<const T> from, GridView<T> to);

/// Whether one launch is possible with these fields, which must have aligned rows and equal strides.
/// factors_in_one_launch() computes n_factors factors of a step in one launch (or a few, if there are thousands),
/// starting with `first_factor`; it writes `work`, and `to` may be `from`.
template <class T>
bool one_launch_is_possible(const HeatGrid& grid, std::initializer_list<GridView<const T>> fields);
template <class T>
std::int64_t one_launch_scratch_bytes(const HeatGrid& grid);  // at the start of the scratch
template <class T>
void factors_in_one_launch(const Stream& stream, const HeatGrid& grid, int first_factor, std::int64_t n_factors,
                           GridView<const T> from, GridView<T> work, GridView<T> to);

template <class T, class Sweep>
void advance_by_sweeps(const Stream& stream, const HeatArgs<T>& args, int n_sweeps, const Sweep& sweep_once) {
  using From = GridView<const T>;
  using To = GridView<T>;
  run_sweeps(
      args, n_sweeps, [&](const From& from, const To& to) { copy_frozen(stream, args.grid, from, to); },
      [&](const From& from, const To& to) { copy_field(stream, from, to); }, sweep_once);
}

template <class T>
void advance_fused(const Stream& stream, const HeatArgs<T>& args) {
  advance_by_sweeps(stream, args, sweep_plan(args.grid.radius).n_sweeps,
                    [&](int which, const GridView<const T>& from, const GridView<T>& to) {
                      fused_sweep(stream, args.grid, which, from, to);
                    });
}

template <class T>
void advance_in_one_launch(const Stream& stream, const HeatArgs<T>& args) {
  if (args.n_steps == 0 || !one_launch_is_possible<T>(args.grid, {args.in, args.work, args.out}))
    return advance_fused(stream, args);
  copy_frozen(stream, args.grid, args.in, args.work);
  if (args.in.data != args.out.data) copy_frozen(stream, args.grid, args.in, args.out);
  factors_in_one_launch(stream, args.grid, 0, 2 * args.n_steps, args.in, args.work, args.out);
}

}  // namespace rafter::heat_ladder::RAFTER_BACKEND

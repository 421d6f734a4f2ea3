// Steps as sweeps from array to array: the array that each sweep reads and writes, such that the last one writes `out`.
#pragma once

#include "heat/heat_rung.hpp"

namespace rafter::heat_ladder {

/// Runs n_steps * n_sweeps sweeps of `args` as sweep(which, from, to), after copying the frozen cells with
/// copy_frozen(from, to), or whole fields with copy(from, to). Needs one work field.
template <class T, class CopyFrozen, class Copy, class Sweep>
void run_sweeps(const HeatArgs<T>& args, int n_sweeps, const CopyFrozen& copy_frozen, const Copy& copy,
                const Sweep& sweep) {
  const std::int64_t n = args.n_steps * n_sweeps;
  const bool in_place = args.in.data == args.out.data;
  if (n == 0) {
    if (!in_place) copy(args.in, args.out);
    return;
  }
  GridView<const T> from = args.in;
  if (in_place && n % 2 == 1) {  // the first sweep writes `out`, so it must read elsewhere
    copy(args.in, args.work);
    from = args.work;
  } else {
    if (n > 1) copy_frozen(args.in, args.work);
    if (!in_place) copy_frozen(args.in, args.out);
  }
  for (std::int64_t i = 0; i < n; ++i) {
    const GridView<T> to = (n - 1 - i) % 2 == 0 ? args.out : args.work;
    sweep(static_cast<int>(i % n_sweeps), from, to);
    from = to;
  }
}

}  // namespace rafter::heat_ladder

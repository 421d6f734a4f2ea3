// A step in Horner's form: s1 = u + dt/4 L u, s2 = u + dt/3 L s1, s3 = u + dt/2 L s2, u' = u + dt L s3. Four sweeps
// that read u and the previous stage, and no slopes.
#pragma once

#include "heat/heat_rung.hpp"

namespace rafter::heat_ladder {

/// Runs stage(scale, u, v, to), to = u + scale dt L v on the free cells, for all steps, after copy_frozen(from, to).
/// Needs two work fields. All fields have the same strides.
template <class T, class CopyFrozen, class Stage>
void run_horner(const HeatArgs<T>& args, const CopyFrozen& copy_frozen, const Stage& stage) {
  require_same_strides(args);
  const GridView<T> odd = args.work_field(0);
  const GridView<T> even = args.work_field(1);
  copy_frozen(args.in, odd);
  copy_frozen(args.in, even);
  if (args.out.data != args.in.data) copy_frozen(args.in, args.out);
  GridView<const T> u = args.in;
  for (std::int64_t step = 0; step < args.n_steps; ++step) {
    stage(1. / 4, u, u, odd);
    stage(1. / 3, u, odd, even);
    stage(1. / 2, u, even, odd);
    stage(1., u, odd, args.out);
    u = args.out;
  }
}

}  // namespace rafter::heat_ladder

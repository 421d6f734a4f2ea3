// by_table: out[i] = table[indices[i]]. The streaming gather for tables that the L2 holds, the sweep for somewhat
// larger ones.
// Bound by sectors: 32 bytes are fetched from the L2 for every element of 4.
#include "gather/cuda/gather_streamed.cuh"
#include "gather/cuda/gather_sweep.cuh"

namespace rafter::gather_ladder::RAFTER_BACKEND {

extern const GatherRung by_table{[]<class T, class I>(const Stream& stream, GatherArgs<T, I> args) {
  const GatherView<T, I> view = view_of(args);
  pays_to_sweep<T>(view.n_table, view.n) ? launch_sweep(stream, view, args.out_of_range)
                                         : launch_streamed(stream, view, args.out_of_range);
}};

}  // namespace rafter::gather_ladder::RAFTER_BACKEND

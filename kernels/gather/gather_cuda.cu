// by_table: streamed for tables that the L2 holds, the sweep for those somewhat larger.
// Bound by sectors: 32 bytes come for every element of 4, from the L2.
#include "gather/gather_streamed.cuh"
#include "gather/gather_sweep.cuh"

namespace rafter::gather_ladder::RAFTER_BACKEND {

template <class T, class I>
void by_table(const Stream& stream, std::span<const T> table, std::span<const I> indices, std::span<T> out,
              Bounds bounds) {
  const auto args = bits_args(table, indices, out);
  pays_to_sweep<T>(args.n_table, args.n) ? launch_sweep(stream, args, bounds) : launch_streamed(stream, args, bounds);
}

RAFTER_GATHER_RUNG(by_table);

}  // namespace rafter::gather_ladder::RAFTER_BACKEND

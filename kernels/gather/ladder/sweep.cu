// sweep: all blocks walk through the table together, region after region, each with its next indices in registers.
// A region's lines come from DRAM once for some million indices. Pays where the table is larger than the L2.
#include "gather/gather_streamed.cuh"
#include "gather/gather_sweep.cuh"

namespace rafter::gather_ladder::RAFTER_BACKEND {

template <class T, class I>
void sweep(const Stream& stream, std::span<const T> table, std::span<const I> indices, std::span<T> out,
           Bounds bounds) {
  if (std::ssize(table) > SweepPolicy::most_table_bytes)
    throw Error(ErrorCode::unsupported, "a sweep over so large a table never pays");
  launch_sweep(stream, bits_args(table, indices, out), bounds);
}

RAFTER_GATHER_RUNG(sweep);

}  // namespace rafter::gather_ladder::RAFTER_BACKEND

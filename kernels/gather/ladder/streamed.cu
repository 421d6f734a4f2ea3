// streamed: 16-byte loads of indices, wide stores of outputs, both marked as used once, so that the table keeps the L2.
// Bound by sectors: 32 bytes come for every element of 4, from the L2 or, where the table is larger, partly from DRAM.
#include "gather/gather_streamed.cuh"

namespace rafter::gather_ladder::RAFTER_BACKEND {

template <class T, class I>
void streamed(const Stream& stream, std::span<const T> table, std::span<const I> indices, std::span<T> out,
              Bounds bounds) {
  launch_streamed(stream, bits_args(table, indices, out), bounds);
}

RAFTER_GATHER_RUNG(streamed);

}  // namespace rafter::gather_ladder::RAFTER_BACKEND

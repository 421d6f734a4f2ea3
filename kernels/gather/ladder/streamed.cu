// streamed: 16-byte loads of indices and wide stores of outputs, both marked as used once, so that the table stays in
// the L2.
// Bound by sectors: 32 bytes are fetched for every element of 4, from the L2 or, for larger tables, partly from DRAM.
#include "gather/cuda/gather_streamed.cuh"

namespace rafter::gather_ladder::RAFTER_BACKEND {

extern const GatherRung streamed{[]<class T, class I>(const Stream& stream, GatherArgs<T, I> args) {
  launch_streamed(stream, view_of(args), args.out_of_range);
}};

}  // namespace rafter::gather_ladder::RAFTER_BACKEND

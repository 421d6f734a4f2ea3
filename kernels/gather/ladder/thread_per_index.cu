// thread_per_index: each thread loads one index and then its element.
// Bound by latency: a thread waits for two dependent memory round trips with nothing else in flight; indices and
// outputs evict the table from the L2.
#include "gather/cuda/gather_bounds.cuh"

namespace rafter::gather_ladder::RAFTER_BACKEND {

template <class T, class I>
__global__ void gather_thread_per_index(GatherView<T, I> args, OutOfRange::Kind kind, BadIndices* bad) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= args.n) return;
  const I index = args.indices[i];
  if (in_table(index, args.n_table)) {
    args.out[i] = args.table[index];
  } else {
    handle_bad(args, i, index, kind, bad);
  }
}

extern const GatherRung thread_per_index{[]<class T, class I>(const Stream& stream, GatherArgs<T, I> args) {
  constexpr int threads = 256;
  start_report(stream, args.out_of_range);
  core::launch(gather_thread_per_index<T, I>, ceil_div(std::ssize(args.indices), threads), threads, 0, stream,
               view_of(args), args.out_of_range.kind(), args.out_of_range.bad());
}};

}  // namespace rafter::gather_ladder::RAFTER_BACKEND

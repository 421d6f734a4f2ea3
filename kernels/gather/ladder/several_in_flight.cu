// several_in_flight: each thread loads eight indices, then their eight elements, then stores them.
// Two memory round trips serve eight elements instead of one. Bound by sectors: 32 bytes are fetched for every element
// of 4, from DRAM where indices and outputs have evicted the table from the L2.
#include "gather/cuda/gather_bounds.cuh"

namespace rafter::gather_ladder::RAFTER_BACKEND {

inline constexpr int several_threads = 256;
inline constexpr int several_indices = 8;  // per thread

template <class T, class I>
__global__ void __launch_bounds__(several_threads)
    gather_several(GatherView<T, I> args, OutOfRange::Kind kind, BadIndices* bad) {
  const std::int64_t first = blockIdx.x * std::int64_t{several_threads * several_indices} + threadIdx.x;
  I index[several_indices];
  T value[several_indices];
#pragma unroll
  for (int k = 0; k < several_indices; ++k) {
    const std::int64_t i = first + k * several_threads;
    index[k] = i < args.n ? args.indices[i] : I{-1};
  }
#pragma unroll
  for (int k = 0; k < several_indices; ++k) {
    if (in_table(index[k], args.n_table)) value[k] = args.table[index[k]];
  }
#pragma unroll
  for (int k = 0; k < several_indices; ++k) {
    const std::int64_t i = first + k * several_threads;
    if (i >= args.n) break;
    if (in_table(index[k], args.n_table)) {
      args.out[i] = value[k];
    } else {
      handle_bad(args, i, index[k], kind, bad);
    }
  }
}

extern const GatherRung several_in_flight{[]<class T, class I>(const Stream& stream, GatherArgs<T, I> args) {
  start_report(stream, args.out_of_range);
  core::launch(gather_several<T, I>, ceil_div(std::ssize(args.indices), several_threads * several_indices),
               several_threads, 0, stream, view_of(args), args.out_of_range.kind(), args.out_of_range.bad());
}};

}  // namespace rafter::gather_ladder::RAFTER_BACKEND

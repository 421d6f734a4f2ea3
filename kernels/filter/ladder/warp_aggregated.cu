// warp_aggregated: a warp counts its kept elements and reserves their output with one atomic addition; its lanes write
// consecutive elements. Limited by atomic throughput: up to 32 times fewer additions, still all at one address.
#include "filter/cuda/filter_satisfies.cuh"
#include "filter/filter_rung.hpp"
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/reduce.cuh"

namespace rafter::filter_ladder::RAFTER_BACKEND {

inline constexpr int aggregated_threads = 256;

template <class T>
__global__ void __launch_bounds__(aggregated_threads)
    filter_warps(std::span<const T> in, Range<T> range, std::span<T> out, unsigned long long* count) {
  const std::int64_t i = blockIdx.x * std::int64_t{aggregated_threads} + threadIdx.x;
  const int lane = static_cast<int>(threadIdx.x) % core::warp_size;
  const bool in_range = i < static_cast<std::int64_t>(in.size());
  const T x = in_range ? in.data()[i] : T{0};
  const bool kept = in_range && satisfies(range, x);
  const unsigned votes = __ballot_sync(core::full_warp, kept);
  if (votes == 0) return;  // the whole warp
  unsigned long long place = 0;
  if (lane == 0) place = atomicAdd(count, static_cast<unsigned long long>(__popc(votes)));
  place = __shfl_sync(core::full_warp, place, 0) + static_cast<unsigned>(__popc(votes & ((1u << lane) - 1)));
  if (kept && place < out.size()) out.data()[place] = x;
}

extern const FilterRung warp_aggregated{[]<class T>(const Stream& stream, FilterArgs<T> args) {
  refuse_order(args.order);
  core::clear(stream, args.count, sizeof *args.count);
  core::launch(filter_warps<T>, ceil_div(std::ssize(args.in), aggregated_threads), aggregated_threads, 0, stream,
               args.in, range_of(args.keep), args.out, reinterpret_cast<unsigned long long*>(args.count));
}};

}  // namespace rafter::filter_ladder::RAFTER_BACKEND

// atomic_each: every kept element gets its output index from its own atomic addition; the order is not defined.
// Limited by atomic throughput: all additions serialise at one address.
#include "filter/cuda/filter_satisfies.cuh"
#include "filter/filter_rung.hpp"
#include "library/core/cuda/launch.cuh"

namespace rafter::filter_ladder::RAFTER_BACKEND {

inline constexpr int each_threads = 256;

template <class T>
__global__ void __launch_bounds__(each_threads)
    filter_each(std::span<const T> in, Range<T> range, std::span<T> out, unsigned long long* count) {
  const std::int64_t i = blockIdx.x * std::int64_t{each_threads} + threadIdx.x;
  if (i >= static_cast<std::int64_t>(in.size())) return;
  const T x = in.data()[i];
  if (!satisfies(range, x)) return;
  const unsigned long long place = atomicAdd(count, 1ull);
  if (place < out.size()) out.data()[place] = x;
}

extern const FilterRung atomic_each{[]<class T>(const Stream& stream, FilterArgs<T> args) {
  refuse_order(args.order);
  core::clear(stream, args.count, sizeof *args.count);
  core::launch(filter_each<T>, ceil_div(std::ssize(args.in), each_threads), each_threads, 0, stream, args.in,
               range_of(args.keep), args.out, reinterpret_cast<unsigned long long*>(args.count));
}};

}  // namespace rafter::filter_ladder::RAFTER_BACKEND

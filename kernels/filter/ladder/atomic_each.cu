// atomic_each: every kept element takes its place with an atomic addition of its own.
// All additions queue at one address; which element comes first is anybody's guess.
#include "core/launch.cuh"
#include "filter/filter_rung.hpp"
#include "filter/keeps.cuh"

namespace rafter::filter_ladder::RAFTER_BACKEND {

inline constexpr int each_threads = 256;

template <class T>
__global__ void __launch_bounds__(each_threads)
    filter_each(std::span<const T> in, Range<T> range, std::span<T> out, unsigned long long* count) {
  const std::int64_t i = blockIdx.x * std::int64_t{each_threads} + threadIdx.x;
  if (i >= static_cast<std::int64_t>(in.size())) return;
  const T x = in.data()[i];
  if (!keeps(range, x)) return;
  const unsigned long long place = atomicAdd(count, 1ull);
  if (place < out.size()) out.data()[place] = x;
}

template <class T>
void atomic_each(const Stream& stream, std::span<const T> in, Predicate<T> keep, std::span<T> out, std::int64_t* count,
                 Order order) {
  refuse_order(order);
  core::clear(stream, count, sizeof *count);
  core::launch(filter_each<T>, ceil_div(std::ssize(in), each_threads), each_threads, 0, stream, in, range_of(keep), out,
               reinterpret_cast<unsigned long long*>(count));
}

RAFTER_FILTER_RUNG(atomic_each);

}  // namespace rafter::filter_ladder::RAFTER_BACKEND

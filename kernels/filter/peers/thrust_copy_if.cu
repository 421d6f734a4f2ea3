// thrust_copy_if: Thrust's copy_if, which waits for the count and returns it to the host.
#include <thrust/copy.h>
#include <thrust/execution_policy.h>

#include "core/launch.cuh"
#include "filter/filter_rung.hpp"
#include "filter/keeps.cuh"

namespace rafter::filter_ladder::cuda {

namespace {

template <class T>
struct Kept {
  Range<T> range;
  __device__ bool operator()(T x) const { return keeps(range, x); }
};

/// Gives Thrust the stream's scratch.
struct ScratchAllocator {
  using value_type = char;
  const Stream* stream;
  char* allocate(std::ptrdiff_t bytes) const { return reinterpret_cast<char*>(stream->scratch(bytes)); }
  void deallocate(char*, std::size_t) const {}
};

}  // namespace

template <class T>
void thrust_copy_if(const Stream& stream, std::span<const T> in, Predicate<T> keep, std::span<T> out,
                    std::int64_t* count, Order) {
  ScratchAllocator scratch{&stream};
  const T* from = in.data();
  const Kept<T> kept{range_of(keep)};
  T* end =
      thrust::copy_if(thrust::cuda::par_nosync(scratch).on(stream.handle()), from, from + in.size(), out.data(), kept);
  const std::int64_t n_kept = end - out.data();
  core::check(cudaMemcpyAsync(count, &n_kept, sizeof n_kept, cudaMemcpyHostToDevice, stream.handle()), "copy");
}

RAFTER_FILTER_RUNG(thrust_copy_if);

}  // namespace rafter::filter_ladder::cuda

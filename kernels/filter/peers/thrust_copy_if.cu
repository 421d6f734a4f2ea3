// thrust_copy_if: Thrust's copy_if, which waits for the count and returns it to the host.
#include <thrust/copy.h>
#include <thrust/execution_policy.h>

#include "filter/cuda/filter_satisfies.cuh"
#include "filter/filter_rung.hpp"
#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::filter_ladder::cuda {

namespace {

/// An allocator that gives Thrust the stream's scratch memory.
struct ScratchAllocator {
  using value_type = char;
  const Stream* stream;
  char* allocate(std::ptrdiff_t bytes) const { return reinterpret_cast<char*>(core::scratch(*stream, bytes)); }
  void deallocate(char*, std::size_t) const {}
};

}  // namespace

extern const FilterRung thrust_copy_if{[]<class T>(const Stream& stream, FilterArgs<T> args) {
  ScratchAllocator scratch{&stream};
  const T* from = args.in.data();
  const Satisfies<T> kept{range_of(args.keep)};
  T* end = thrust::copy_if(thrust::cuda::par_nosync(scratch).on(stream.handle()), from, from + args.in.size(),
                           args.out.data(), kept);
  const std::int64_t n_kept = end - args.out.data();
  core::check(cudaMemcpyAsync(args.count, &n_kept, sizeof n_kept, cudaMemcpyHostToDevice, stream.handle()), "copy");
}};

}  // namespace rafter::filter_ladder::cuda

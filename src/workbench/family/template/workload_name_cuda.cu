// many_blocks: one thread per element.
// Limited by DRAM bandwidth: two arrays in, one out.
#include "library/core/cuda/launch.cuh"
#include "workload_name_rung.hpp"

namespace rafter::workload_name_ladder::RAFTER_BACKEND {

template <class T>
__global__ void workload_name_many_blocks(T factor, const T* a, const T* b, std::int64_t n, T* out) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < n) out[i] = factor * a[i] + b[i];
}

extern const WorkloadNameRung many_blocks{[]<class T>(const Stream& stream, WorkloadNameArgs<T> args) {
  constexpr int threads = 256;
  const std::int64_t n = std::ssize(args.out);
  core::launch(workload_name_many_blocks<T>, ceil_div(n, threads), threads, 0, stream, args.factor, args.a.data(),
               args.b.data(), n, args.out.data());
}};

}  // namespace rafter::workload_name_ladder::RAFTER_BACKEND

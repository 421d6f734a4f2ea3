// one_block: one block of 1024 threads processes the arrays.
// Limited by the loads of one multiprocessor; all others idle.
#include "library/core/cuda/launch.cuh"
#include "workload_name_rung.hpp"

namespace rafter::workload_name_ladder::RAFTER_BACKEND {

template <class T>
__global__ void workload_name_one_block(T factor, const T* a, const T* b, std::int64_t n, T* out) {
  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) out[i] = factor * a[i] + b[i];
}

extern const WorkloadNameRung one_block{[]<class T>(const Stream& stream, WorkloadNameArgs<T> args) {
  core::launch(workload_name_one_block<T>, 1, 1024, 0, stream, args.factor, args.a.data(), args.b.data(),
               std::ssize(args.out), args.out.data());
}};

}  // namespace rafter::workload_name_ladder::RAFTER_BACKEND

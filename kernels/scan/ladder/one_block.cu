// one_block: one block iterates over the array, 4096 elements at a time, and carries the sum along.
// No block waits for another, but 131 of 132 multiprocessors are idle.
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/scan.cuh"
#include "scan/scan_rung.hpp"

namespace rafter::scan_ladder::RAFTER_BACKEND {

inline constexpr int one_block_threads = 1024;

template <class T>
__global__ void __launch_bounds__(one_block_threads)
    scan_one_block(const T* in, std::int64_t n, ScanKind kind, T* out) {
  constexpr int per_thread = 4;
  __shared__ core::BlockSumStorage<Carry<T>, one_block_threads> storage;
  Carry<T> carried = 0;
  for (std::int64_t first = 0; first < n; first += one_block_threads * per_thread) {
    const std::int64_t mine = first + threadIdx.x * per_thread;
    Carry<T> x[per_thread] = {};
    Carry<T> sum = 0;
    for (int i = 0; i < per_thread; ++i) {
      if (mine + i < n) x[i] = static_cast<Carry<T>>(in[mine + i]);
      sum += x[i];
    }
    const auto running = core::block_running_sum(sum, storage);
    Carry<T> before = carried + running.before;
    for (int i = 0; i < per_thread; ++i) {
      const Carry<T> after = before + x[i];
      if (mine + i < n) out[mine + i] = static_cast<T>(kind == ScanKind::inclusive ? after : before);
      before = after;
    }
    carried += running.total;
    __syncthreads();  // frees storage: block_running_sum's reads are complete
  }
}

extern const ScanRung one_block{[]<class T>(const Stream& stream, ScanArgs<T> args) {
  core::launch(scan_one_block<T>, 1, one_block_threads, 0, stream, args.in.data(), std::ssize(args.in), args.kind,
               args.out.data());
}};

}  // namespace rafter::scan_ladder::RAFTER_BACKEND

// expect: race kernel=publish line=10 other=15 space=global
// A relaxed store of the flag releases nothing.
#include <cuda/atomic>
#include <cuda_runtime.h>

using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void publish(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 17;
    Flag(*flag).store(1, cuda::memory_order_relaxed);
  } else {
    while (Flag(*flag).load(cuda::memory_order_acquire) == 0) {
    }
    *out = *data;
  }
}

int main() {
  int *data, *flag, *out;
  cudaMalloc(&data, sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(data, 0, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  publish<<<2, 1>>>(data, flag, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
  cudaFree(out);
  return 0;
}

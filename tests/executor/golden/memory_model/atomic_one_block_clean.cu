// expect: clean
// options: --strict
// Block-scope release and acquire between warps of one block.
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ cuda::atomic<int, cuda::thread_scope_block> flag{0};

__global__ void publish(int* data, int* out) {
  if (threadIdx.x == 32) {
    while (flag.load(cuda::std::memory_order_acquire) == 0) {
    }
    *out = *data;
  } else if (threadIdx.x == 0) {
    *data = 17;
    flag.store(1, cuda::std::memory_order_release);
  }
}

int main() {
  int *data, *out;
  cudaMalloc(&data, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(data, 0, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  publish<<<1, 64>>>(data, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(out);
  return 0;
}

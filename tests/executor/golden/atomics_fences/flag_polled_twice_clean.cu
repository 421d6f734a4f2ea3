// expect: clean
// One lane polls a flag for its warp, and polls it again before the other lanes have read the data the flag publishes.
#include <cuda_runtime.h>

__global__ void twice(const int* in, int* out) {
  __shared__ int data[32];
  __shared__ int arrived;
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  volatile int* flag = &arrived;
  if (threadIdx.x < 32) {
    data[lane] = in[lane] + 1;
    __syncwarp();
    if (lane == 0) {
      __threadfence_block();
      *flag = 1;
    }
  } else {
    if (lane == 0) {
      while (*flag == 0) {
      }
    }
    __syncwarp();
    if (lane == 0) out[32] = *flag;
    out[lane] = data[31 - lane];
  }
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 33 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  twice<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

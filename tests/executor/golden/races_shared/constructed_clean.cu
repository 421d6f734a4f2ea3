// expect: clean
// Types with empty constructors: the compiler's guard flag for each such variable is not memory of the program.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

struct Pair {
  float x, y;
  __host__ __device__ Pair() {}
  __host__ __device__ Pair(float x, float y) : x(x), y(y) {}
};

__global__ void reverse(float* out) {
  __shared__ Pair pairs[64];
  __shared__ half2 halves[64];
  pairs[threadIdx.x] = Pair(threadIdx.x, 1.0f);
  halves[threadIdx.x] = __float2half2_rn(threadIdx.x);
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = pairs[63 - threadIdx.x].x + __low2float(halves[threadIdx.x]);
}

int main() {
  float* out;
  cudaMalloc(&out, 4 * 64 * sizeof(float));
  reverse<<<4, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}

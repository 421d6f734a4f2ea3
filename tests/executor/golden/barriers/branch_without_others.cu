// expect: divergent_barrier kernel=in_branch line=15 other=18
// expect: divergent_barrier kernel=other_side line=23 other=25
// expect: divergent_barrier kernel=fewer_rounds line=30 other=31
// expect: divergent_barrier kernel=in_function line=36 other=42
// Threads that do not take the branch with the barrier end without it.
#include <cstdio>

__device__ void meet();

__global__ void in_branch(float* out) {
  __shared__ float tile[64];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32) {
    tile[threadIdx.x] += 1;
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
  }
}

__global__ void other_side(float* out) {
  if (threadIdx.x < 32) {
    out[threadIdx.x] = 1;
    __syncthreads();
  } else {
    return;
  }
  out[threadIdx.x] += 1;
}
__global__ void fewer_rounds(float* out) {
  for (int i = 0; i < (threadIdx.x < 32 ? 2 : 1); ++i) __syncthreads();
  out[threadIdx.x] = 1; }

__device__ void meet() {
  // A barrier in a function is the kernel's: what counts is that some threads reach the end without it.

  __syncthreads();
}

__global__ void in_function(float* out) {
  if (threadIdx.x >= 32) meet();
  out[threadIdx.x] = 2;
}

int main() {
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  in_branch<<<1, 64>>>(out);
  other_side<<<1, 64>>>(out);
  fewer_rounds<<<1, 64>>>(out);
  in_function<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// Accesses outside of all memory are counted: past an array, and in dynamic shared memory that the launch omits.
#include <cuda_runtime.h>

__global__ void past_the_end(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x + 16]; }
__global__ void no_shared(float* out) {
  extern __shared__ float values[];
  values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = values[31 - threadIdx.x];
}
__global__ void inside(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }

int main() {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  past_the_end<<<1, 32>>>(in, out);
  no_shared<<<1, 32>>>(out);
  inside<<<1, 32>>>(in, out);
  no_shared<<<1, 32, 32 * sizeof(float)>>>(out);
}

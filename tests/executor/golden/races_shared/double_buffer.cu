// expect: race kernel=rotate line=13 other=12 space=shared
// With two buffers one barrier per step is enough; this kernel has one barrier every other step.
#include <cuda_runtime.h>

__global__ void rotate(const int* in, int* out, int steps) {
  __shared__ int buffer[2][96];
  int t = threadIdx.x, i = blockIdx.x * 96 + t;
  buffer[0][t] = in[i];
  buffer[1][t] = 0;
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    int v = buffer[step & 1][(t + 1) % 96];
    buffer[1 - (step & 1)][t] = v + 1;
    if (step & 1) __syncthreads();
  }
  out[i] = buffer[steps & 1][t];
}

int main() {
  const int n = 192;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 1, n * sizeof(int));
  rotate<<<2, 96>>>(in, out, 6);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

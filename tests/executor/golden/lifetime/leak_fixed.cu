// expect: clean
// options: --leaks
// Every call frees its scratch buffer.
#include <cuda_runtime.h>

__global__ void square(const float* in, float* scratch, float* out) {
  int i = threadIdx.x;
  scratch[i] = in[i] * in[i];
  out[i] = scratch[i];
}

static void run(const float* in, float* out) {
  float* scratch;
  cudaMalloc(&scratch, 64 * sizeof(float));
  square<<<1, 64>>>(in, scratch, out);
  cudaDeviceSynchronize();
  cudaFree(scratch);
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  run(in, out);
  cudaFree(in);
  cudaFree(out);
  return 0;
}

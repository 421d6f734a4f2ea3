// expect: clean
// The butterfly stays within 16 lanes, which every warp of the block has.
#include <cuda_runtime.h>

__global__ void row_sum(const float* in, float* out) {
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  float v = in[t];
  unsigned present = t < 32 ? 0xffffffffu : 0x0000ffffu;
  for (int m = 8; m > 0; m >>= 1) {
    v += __shfl_xor_sync(present, v, m, 16);
  }
  out[t] = v;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 48 * sizeof(float));
  cudaMalloc(&out, 48 * sizeof(float));
  cudaMemset(in, 0, 48 * sizeof(float));
  row_sum<<<1, dim3(16, 3)>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

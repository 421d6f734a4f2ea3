// expect: bad_source_lane kernel=row_sum line=9
// The last warp of a block of 48 threads is half full, and the butterfly reads lanes that do not exist.
#include <cuda_runtime.h>

__global__ void row_sum(const float* in, float* out) {
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  float v = in[t];
  for (int m = 16; m > 0; m >>= 1) {
    v += __shfl_xor_sync(0xffffffffu, v, m);
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

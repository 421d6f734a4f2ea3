// expect: clean
// __syncwarp between the store and the other lane's load.
#include <cuda_runtime.h>

__global__ void swap_pairs(const int* in, int* out) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  s[lane] = 0;
  __syncwarp();
  s[lane] = in[lane] + 1;
  __syncwarp();
  out[lane] = s[lane ^ 1];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 1, 32 * sizeof(int));
  swap_pairs<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

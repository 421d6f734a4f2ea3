// expect: clean
// The last column keeps its own cell.
#include <cuda_runtime.h>

__global__ void shift(const int* in, int* out) {
  __shared__ int tile[8][16];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 16 + x];
  __syncthreads();
  const int* flat = &tile[0][0];
  out[y * 16 + x] = flat[y * 16 + (x < 15 ? x + 1 : x)];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  shift<<<1, dim3(16, 8)>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

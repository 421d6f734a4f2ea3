// expect: clean
// Whole blocks may return early, single threads may not.
#include <cuda_runtime.h>

__global__ void flip(const int* in, int* out, int width, int height) {
  __shared__ int tile[8][8];
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (blockIdx.x * 8 >= width || blockIdx.y * 8 >= height) return;
  bool inside = x < width && y < height;
  tile[threadIdx.y][threadIdx.x] = inside ? in[y * width + x] : 0;
  __syncthreads();
  if (inside) out[y * width + x] = tile[7 - threadIdx.y][threadIdx.x] + 1;
}

int main() {
  const int width = 27, height = 18;
  int *in, *out;
  cudaMalloc(&in, width * height * sizeof(int));
  cudaMalloc(&out, width * height * sizeof(int));
  cudaMemset(in, 0, width * height * sizeof(int));
  flip<<<dim3(5, 3), dim3(8, 8)>>>(in, out, width, height);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

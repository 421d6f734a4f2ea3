// expect: race kernel=blur line=14 other=13 space=shared
// Threads overwrite cells that other threads still read as neighbours.
#include <cuda_runtime.h>

__global__ void blur(const float* in, float* out, int width) {
  __shared__ float tile[8][34];
  int x = threadIdx.x + 1, y = threadIdx.y;
  int i = (blockIdx.y * 8 + y) * width + blockIdx.x * 32 + threadIdx.x;
  tile[y][x] = in[i];
  if (x == 1) tile[y][0] = 0.0f;
  if (x == 32) tile[y][33] = 0.0f;
  __syncthreads();
  float sum = tile[y][x - 1] + tile[y][x + 1];
  tile[y][x] = 0.5f * sum;
  __syncthreads();
  out[i] = tile[7 - y][x];
}

int main() {
  const int width = 64, height = 16;
  float *in, *out;
  cudaMalloc(&in, width * height * sizeof(float));
  cudaMalloc(&out, width * height * sizeof(float));
  cudaMemset(in, 1, width * height * sizeof(float));
  blur<<<dim3(2, 2), dim3(32, 8)>>>(in, out, width);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

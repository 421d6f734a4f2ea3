// expect: clean
// Uninitialised memory that is never read: row padding of a pitch, unused shared rows. Device variables start at zero.
#include <cuda_runtime.h>

__device__ int visits[4];

__global__ void first_rows(const float* in, size_t pitch, int width, float* out) {
  __shared__ float rows[16][32];
  int x = threadIdx.x, y = threadIdx.y;
  const float* row = reinterpret_cast<const float*>(reinterpret_cast<const char*>(in) + y * pitch);
  if (x < width) rows[y][x] = row[x];
  __syncthreads();
  if (x < width) out[y * width + x] = rows[3 - y][width - 1 - x];
  if (x == 0) atomicAdd(&visits[y], 1);
}

int main() {
  const int width = 21, height = 4;
  float *in, *out;
  size_t pitch;
  cudaMallocPitch(&in, &pitch, width * sizeof(float), height);
  cudaMalloc(&out, width * height * sizeof(float));
  cudaMemset2D(in, pitch, 0, width * sizeof(float), height);
  first_rows<<<1, dim3(32, 4)>>>(in, pitch, width, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

// expect: race kernel=histogram line=11 other=14 space=global
// The most common colour is counted by a plain increment, the others by atomics.
#include <cuda_runtime.h>

__global__ void histogram(const unsigned char* image, int width, int height, unsigned* bins) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int colour = image[y * width + x];
  if (x == 0 && y == 0) {
    bins[colour] = bins[colour] + 1;
    return;
  }
  atomicAdd(&bins[colour], 1u);
}

int main() {
  const int width = 33, height = 17;
  unsigned char* image;
  unsigned* bins;
  cudaMalloc(&image, width * height);
  cudaMalloc(&bins, 256 * sizeof(unsigned));
  cudaMemset(image, 9, width * height);
  cudaMemset(bins, 0, 256 * sizeof(unsigned));
  histogram<<<dim3(3, 3), dim3(16, 8)>>>(image, width, height, bins);
  cudaDeviceSynchronize();
  cudaFree(image);
  cudaFree(bins);
  return 0;
}

// expect: clean
// The index is row * width + column.
#include <cuda_runtime.h>

__global__ void paint(uchar4* image, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  image[y * width + x] = make_uchar4(x, y, 0, 255);
}

int main() {
  const int width = 40, height = 24;
  uchar4* image;
  cudaMalloc(&image, width * height * sizeof(uchar4));
  paint<<<dim3(3, 3), dim3(16, 8)>>>(image, width, height);
  cudaDeviceSynchronize();
  cudaFree(image);
  return 0;
}

// expect: clean
// The flag is set with an atomic.
#include <cuda_runtime.h>

__global__ void any_bright(const unsigned char* image, int width, int height, int* flag) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height && image[y * width + x] > 100) {
    atomicExch(flag, 1);
  }
}

int main() {
  const int width = 37, height = 21;
  unsigned char* image;
  int* flag;
  cudaMalloc(&image, width * height);
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(image, 200, width * height);
  cudaMemset(flag, 0, sizeof(int));
  any_bright<<<dim3(3, 3), dim3(16, 8)>>>(image, width, height, flag);
  cudaDeviceSynchronize();
  cudaFree(image);
  cudaFree(flag);
  return 0;
}

// expect: clean
// Red cells read only black cells, and each colour has its own launch.
#include <cuda_runtime.h>

__global__ void relax(int* grid, int width, int height, int colour) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  if ((x + y) % 2 != colour) return;
  int i = y * width + x;
  int sum = grid[i - 1] + grid[i + 1] + grid[i - width] + grid[i + width];
  grid[i] = sum / 4 + i;
}

int main() {
  const int width = 50, height = 30;
  int* grid;
  cudaMalloc(&grid, width * height * sizeof(int));
  cudaMemset(grid, 1, width * height * sizeof(int));
  for (int colour = 0; colour < 2; ++colour) {
    relax<<<dim3(4, 4), dim3(16, 8)>>>(grid, width, height, colour);
  }
  cudaDeviceSynchronize();
  cudaFree(grid);
  return 0;
}

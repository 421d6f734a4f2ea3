// expect: clean
// All three coordinates are checked.
#include <cuda_runtime.h>

__global__ void fill(double* volume, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  volume[(z * ny + y) * nx + x] = x + y + z;
}

int main() {
  const int nx = 9, ny = 7, nz = 5;
  double* volume;
  cudaMalloc(&volume, nx * ny * nz * sizeof(double));
  fill<<<dim3(3, 2, 3), dim3(4, 4, 2)>>>(volume, nx, ny, nz);
  cudaDeviceSynchronize();
  cudaFree(volume);
  return 0;
}

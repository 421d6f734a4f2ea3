// expect: uninitialised kernel=sum_columns line=10 space=global
// The fill counts elements instead of bytes, so only a quarter of the volume is set.
#include <cuda_runtime.h>

__global__ void sum_columns(const int* volume, int* out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  int v = volume[(z * ny + y) * nx + x];
  atomicAdd(&out[y * nx + x], v);
}

int main() {
  const int nx = 10, ny = 6, nz = 5, cells = nx * ny * nz;
  int *volume, *out;
  cudaMalloc(&volume, cells * sizeof(int));
  cudaMalloc(&out, nx * ny * sizeof(int));
  cudaMemset(volume, 0, cells);
  cudaMemset(out, 0, nx * ny * sizeof(int));
  sum_columns<<<dim3(3, 2, 3), dim3(4, 4, 2)>>>(volume, out, nx, ny, nz);
  cudaDeviceSynchronize();
  cudaFree(volume);
  cudaFree(out);
  return 0;
}

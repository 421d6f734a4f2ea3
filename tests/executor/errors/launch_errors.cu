// Invalid launches: their error is not sticky, and stays the last error until cudaGetLastError.
#include <cuda_runtime.h>

#include <cstdio>

#define EXPECT(x) \
  if (!(x)) return std::printf("line %d: %s\n", __LINE__, #x), 1

__global__ void mark(int* p) { *p += 1; }

int main() {
  int *device = nullptr, host = 0;
  EXPECT(cudaMallocManaged(&device, sizeof(int)) == cudaSuccess);
  *device = 0;
  mark<<<1, 1025>>>(device);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  EXPECT(cudaGetLastError() == cudaSuccess);
  mark<<<0, 1>>>(device);
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  mark<<<1, 1, 300 * 1024>>>(device);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  mark<<<1, 1>>>(device);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && *device == 1);
  EXPECT(cudaMemcpy(&host, device, 4, cudaMemcpyDefault) == cudaSuccess && host == 1);
  EXPECT(cudaFree(device) == cudaSuccess);
  std::printf("as on a GPU\n");
}

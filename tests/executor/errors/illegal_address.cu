// A kernel dereferences a bad pointer: the launch succeeds, the next synchronisation returns the error, and all later
// calls return it, too, as on a GPU.
#include <cuda_runtime.h>

#include <cstdio>

#define EXPECT(x) \
  if (!(x)) return std::printf("line %d: %s\n", __LINE__, #x), 1

__global__ void follow(int* p) { *p = 1; }
__global__ void nothing() {}

int main() {
  int *device = nullptr, host = 0;
  EXPECT(cudaMalloc(&device, sizeof(int)) == cudaSuccess);
  follow<<<1, 1>>>(nullptr);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
  EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);  // sticky: cudaGetLastError does not clear it
  EXPECT(cudaMemcpy(&host, device, sizeof(int), cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
  EXPECT(cudaMalloc(&device, sizeof(int)) == cudaErrorIllegalAddress);
  nothing<<<1, 1>>>();
  EXPECT(cudaPeekAtLastError() == cudaErrorIllegalAddress);
  EXPECT(cudaDeviceReset() == cudaSuccess);
  EXPECT(cudaGetLastError() == cudaSuccess);
  EXPECT(cudaMalloc(&device, sizeof(int)) == cudaSuccess);
  follow<<<1, 1>>>(device);
  EXPECT(cudaMemcpy(&host, device, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess && host == 1);
  std::printf("as on a GPU\n");
}

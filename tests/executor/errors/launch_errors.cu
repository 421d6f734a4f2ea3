// Invalid launches: their error is not sticky, and stays the last error until cudaGetLastError.
#include <cuda_runtime.h>

#include <cstdio>

#define EXPECT(x) \
  if (!(x)) return std::printf("line %d: %s\n", __LINE__, #x), 1

__global__ void mark(int* p) { *p += 1; }
__global__ void nothing() {}

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
  void* arguments[] = {&device};
  EXPECT(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(mark), dim3(4000), dim3(128), arguments, 0, nullptr) ==
         cudaErrorCooperativeLaunchTooLarge);
  EXPECT(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  int per_multiprocessor = 0;
  cudaDeviceProp device_properties;
  EXPECT(cudaGetDeviceProperties(&device_properties, 0) == cudaSuccess);
  EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, mark, 128, 0) == cudaSuccess);
  const unsigned most = device_properties.multiProcessorCount * per_multiprocessor;
  EXPECT(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(mark), dim3(most + 1), dim3(128), arguments, 0, nullptr) ==
         cudaErrorCooperativeLaunchTooLarge);
  EXPECT(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  EXPECT(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(nothing), dim3(most), dim3(128), nullptr, 0, nullptr) ==
         cudaSuccess);
  mark<<<1, 1>>>(device);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && *device == 1);
  EXPECT(cudaMemcpy(&host, device, 4, cudaMemcpyDefault) == cudaSuccess && host == 1);
  EXPECT(cudaFree(device) == cudaSuccess);
  std::printf("as on a GPU\n");
}

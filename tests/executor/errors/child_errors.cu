// Invalid launches in kernels: the launching thread gets the error, and everything else runs.
#include <cstdio>

#define EXPECT(x) \
  if (!(x)) return std::printf("line %d: %s\n", __LINE__, #x), 1

__global__ void mark(int* p) { *p += 1; }

__global__ void start(int* marks, int* errors) {
  mark<<<1, 1025>>>(marks);
  errors[0] = cudaGetLastError();
  mark<<<1, 1>>>(marks);
  errors[1] = cudaGetLastError();
}

// Each grid launches the next one, up to the maximum depth.
__global__ void descend(int* depth, int* error) {
  ++*depth;
  descend<<<1, 1>>>(depth, error);
  if (const cudaError_t last = cudaGetLastError()) *error = last;
}

int main() {
  int *numbers = nullptr, host[3];
  EXPECT(cudaMalloc(&numbers, sizeof host) == cudaSuccess);
  EXPECT(cudaMemset(numbers, 0, sizeof host) == cudaSuccess);
  start<<<1, 1>>>(numbers, numbers + 1);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(host[0] == 1 && host[1] == cudaErrorInvalidConfiguration && host[2] == cudaSuccess);
  EXPECT(cudaMemset(numbers, 0, sizeof host) == cudaSuccess);
  descend<<<1, 1>>>(numbers, numbers + 1);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(host[0] == 25 && host[1] == cudaErrorLaunchMaxDepthExceeded);
  EXPECT(cudaFree(numbers) == cudaSuccess);
  std::printf("as on a GPU\n");
}

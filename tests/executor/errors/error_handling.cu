// Errors that are not sticky: bad launch shapes, bad arguments, and the last error.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

__global__ void set(int* p, int v) { *p = v; }

static int failures = 0;

static void expect(const char* what, cudaError_t got, cudaError_t want) {
  if (got != want) {
    std::printf("%s: got %s, expected %s\n", what, cudaGetErrorName(got), cudaGetErrorName(want));
    ++failures;
  }
}

// Toolkits differ in which of the two they return for a bad launch shape.
static void expect_bad_shape(const char* what, cudaError_t got) {
  if (got != cudaErrorInvalidConfiguration && got != cudaErrorInvalidValue) {
    std::printf("%s: got %s\n", what, cudaGetErrorName(got));
    ++failures;
  }
}

int main() {
  int* d = nullptr;
  expect("malloc", cudaMalloc(&d, sizeof(int)), cudaSuccess);

  set<<<1, 2000>>>(d, 1);
  expect_bad_shape("peek after a block of 2000", cudaPeekAtLastError());
  expect_bad_shape("get after a block of 2000", cudaGetLastError());
  expect("get clears", cudaGetLastError(), cudaSuccess);

  set<<<0, 32>>>(d, 1);
  expect_bad_shape("an empty grid", cudaGetLastError());
  set<<<1, dim3(1, 1, 65)>>>(d, 1);
  expect_bad_shape("a block 65 deep", cudaGetLastError());
  set<<<1, 1, 100 << 20>>>(d, 1);
  cudaError_t e = cudaGetLastError();
  if (e == cudaSuccess) expect("100 MB of shared memory", e, cudaErrorInvalidValue);

  void* huge = nullptr;
  expect("a huge allocation", cudaMalloc(&huge, size_t(1) << 60), cudaErrorMemoryAllocation);
  expect("is remembered", cudaGetLastError(), cudaErrorMemoryAllocation);
  expect("no such device", cudaSetDevice(4711), cudaErrorInvalidDevice);
  cudaGetLastError();
  expect("free of null", cudaFree(nullptr), cudaSuccess);
  expect("free of null host", cudaFreeHost(nullptr), cudaSuccess);
  expect("copy of nothing", cudaMemcpy(d, d, 0, cudaMemcpyDeviceToDevice), cudaSuccess);

  // None of these were sticky: the device still works.
  set<<<1, 1>>>(d, 42);
  expect("a good launch", cudaGetLastError(), cudaSuccess);
  expect("sync", cudaDeviceSynchronize(), cudaSuccess);
  int h = 0;
  expect("copy", cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
  if (h != 42) ++failures;
  expect("free", cudaFree(d), cudaSuccess);

  if (std::strcmp(cudaGetErrorString(cudaSuccess), "no error") != 0) ++failures;
  if (std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") != 0) ++failures;
  if (std::strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument") != 0) ++failures;
  if (failures == 0) std::printf("as on a GPU\n");
  return failures != 0;
}

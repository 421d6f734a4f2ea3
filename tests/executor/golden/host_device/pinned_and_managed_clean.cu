// expect: clean
// Host and device alternately access pinned, registered and managed memory.
#include <cuda_runtime.h>
#include <stdlib.h>

__managed__ int total = 0;

__global__ void add(const int* a, const int* b, int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] = a[i] + b[i];
  atomicAdd(&total, 1);
}

int main() {
  const int n = 90;
  int *pinned, *managed, *registered = (int*)malloc(n * sizeof(int)), *view;
  cudaHostAlloc(&pinned, n * sizeof(int), cudaHostAllocMapped);
  cudaMallocManaged(&managed, n * sizeof(int));
  cudaHostRegister(registered, n * sizeof(int), cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&view, registered, 0);
  for (int i = 0; i < n; ++i) pinned[i] = i, registered[i] = 2 * i, managed[i] = 0;
  add<<<3, 32>>>(pinned, view, managed, n);
  cudaDeviceSynchronize();
  int wrong = total != n;
  for (int i = 0; i < n; ++i) wrong += managed[i] != 3 * i;
  cudaHostUnregister(registered);
  free(registered);
  cudaFreeHost(pinned);
  cudaFree(managed);
  return wrong != 0;
}

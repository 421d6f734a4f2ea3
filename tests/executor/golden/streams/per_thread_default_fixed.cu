// expect: clean
// The legacy default stream is the same in all threads.
#include <cuda_runtime.h>
#include <thread>

__global__ void fill(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = 1;
}

__global__ void add(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

int main() {
  const int n = 200;
  int *data;
  cudaMalloc(&data, n * sizeof(int));
  fill<<<2, 128>>>(data, n);
  std::thread other([=] { add<<<2, 128>>>(data, n); });
  other.join();
  cudaDeviceSynchronize();
  cudaFree(data);
  return 0;
}

// expect: stream_race kernel=add line=14 other=9
// options: --default-stream per-thread
// The per-thread default streams of two threads are two streams.
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

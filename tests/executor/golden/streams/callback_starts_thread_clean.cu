// expect: clean
// A thread that a callback starts reads the target of a copy and frees it, both after the stream's earlier work.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <thread>

static int *pinned, *data;
static std::thread worker;
static std::atomic<bool> has_read{false};

__global__ void add_one(int* numbers) { numbers[threadIdx.x] += 1; }

static void finish() {
  std::printf("%d\n", pinned[3]);
  has_read = true;
  cudaFreeHost(pinned);
}

static void CUDART_CB callback(cudaStream_t, cudaError_t, void*) {
  worker = std::thread(finish);
  while (!has_read) std::this_thread::yield();
}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&data, 32 * sizeof(int));
  cudaHostAlloc(&pinned, 32 * sizeof(int), cudaHostAllocPortable);
  for (int i = 0; i < 32; ++i) pinned[i] = i;
  cudaMemcpyAsync(data, pinned, 32 * sizeof(int), cudaMemcpyHostToDevice, stream);
  add_one<<<1, 32, 0, stream>>>(data);
  cudaMemcpyAsync(pinned, data, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamAddCallback(stream, callback, nullptr, 0);
  worker.join();
  cudaFree(data);
  cudaStreamDestroy(stream);
  return 0;
}

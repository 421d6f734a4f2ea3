// expect: clean
// A host function in the stream reads the pinned result and notifies the main thread through a condition variable.
#include <cuda_runtime.h>
#include <stdio.h>
#include <condition_variable>
#include <mutex>

struct Box {
  const int *result;
  int sum = 0;
  bool done = false;
  std::mutex mutex;
  std::condition_variable changed;
};

__global__ void fill(int *data, int n) {
  int i = threadIdx.x;
  if (i < n) data[i] = i;
}

void sum_up(void *data) {
  Box &box = *static_cast<Box *>(data);
  std::lock_guard<std::mutex> lock(box.mutex);
  for (int i = 0; i < 64; ++i) box.sum += box.result[i];
  box.done = true;
  box.changed.notify_one();
}

int main() {
  int *data, *pinned;
  Box box;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMallocHost(&pinned, 64 * sizeof(int));
  box.result = pinned;
  fill<<<1, 64, 0, stream>>>(data, 64);
  cudaMemcpyAsync(pinned, data, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(stream, sum_up, &box);
  std::unique_lock<std::mutex> lock(box.mutex);
  box.changed.wait(lock, [&] { return box.done; });
  printf("%d %d\n", box.sum, pinned[3]);
  cudaFreeHost(pinned);
  cudaFree(data);
  cudaStreamDestroy(stream);
  return 0;
}

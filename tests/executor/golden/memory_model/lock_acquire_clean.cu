// expect: clean
// options: --strict
// The lock is taken with acquire and freed with release: no fence is missing, not even for the first owner.
#include <cuda/atomic>
#include <cuda_runtime.h>

using Lock = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void add(Lock* lock, int* sum) {
  int free = 0;
  while (!lock->compare_exchange_weak(free, 1, cuda::memory_order_acquire)) free = 0;
  *sum += threadIdx.x;
  lock->store(0, cuda::memory_order_release);
}

int main() {
  Lock* lock;
  int* sum;
  cudaMalloc(&lock, sizeof(Lock));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(lock, 0, sizeof(Lock));
  cudaMemset(sum, 0, sizeof(int));
  add<<<2, 32>>>(lock, sum);
  cudaDeviceSynchronize();
  cudaFree(lock);
  cudaFree(sum);
  return 0;
}

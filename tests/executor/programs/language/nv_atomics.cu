// __nv_atomic functions: counters, extremes, a flag that publishes data, a lock, an exchange of words.
#include <cstdio>

__device__ int counter, smallest = 1 << 20, bits, owner = -1;
__device__ unsigned long long largest;
__device__ float total;
__device__ int lock, guarded;
__device__ int data, flag, seen;

__global__ void update() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_add(&counter, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_min(&smallest, i + 5, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(&largest, (unsigned long long)i, __NV_ATOMIC_RELAXED);
  __nv_atomic_or(&bits, 1 << i % 8, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_add(&total, 0.5f, __NV_ATOMIC_RELAXED);
  int previous = -1;
  if (!__nv_atomic_compare_exchange_n(&owner, &previous, i, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED,
                                      __NV_THREAD_SCOPE_DEVICE) && previous < 0)
    printf("lost to no other thread\n");
}

__global__ void take_turns() {
  if (threadIdx.x != 0) return;
  while (__nv_atomic_exchange_n(&lock, 1, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) != 0) {
  }
  guarded += 1;
  __nv_atomic_store_n(&lock, 0, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

__global__ void publish() {
  if (blockIdx.x == 0) {
    data = 42;
    const int ready = 1;
    __nv_atomic_store(&flag, &ready, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  } else {
    int is_ready = 0;
    while (!is_ready) __nv_atomic_load(&flag, &is_ready, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    seen = data;
  }
}

int main() {
  update<<<4, 64>>>();
  take_turns<<<8, 32>>>();
  publish<<<2, 1>>>();
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int counted, least, or_ed, within, got;
  unsigned long long most;
  float sum;
  cudaMemcpyFromSymbol(&counted, counter, sizeof(int));
  cudaMemcpyFromSymbol(&least, smallest, sizeof(int));
  cudaMemcpyFromSymbol(&most, largest, sizeof(most));
  cudaMemcpyFromSymbol(&or_ed, bits, sizeof(int));
  cudaMemcpyFromSymbol(&sum, total, sizeof(float));
  cudaMemcpyFromSymbol(&within, guarded, sizeof(int));
  cudaMemcpyFromSymbol(&got, seen, sizeof(int));
  printf("%d %d %llu %d %g %d %d\n", counted, least, most, or_ed, sum, within, got);
  return counted == 256 && least == 5 && most == 255 && or_ed == 255 && sum == 128 && within == 8 && got == 42 ? 0 : 1;
}

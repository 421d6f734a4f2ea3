// libcu++ synchronisation: barriers with completion functions, barriers, latches and semaphores in global, managed
// and shared memory, cuda::std's atomics.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/atomic>
#include <cuda/std/barrier>
#include <cuda/std/latch>
#include <cuda/std/semaphore>

#include "expect.hpp"

namespace cg = cooperative_groups;

const int THREADS = 64;

/// The completion function, which the last arriving thread runs.
struct Total {
  int* parts;
  int* sum;
  __device__ void operator()() {
    int all = 0;
    for (int i = 0; i < THREADS; ++i) all += parts[i];
    *sum = all;
  }
};

// Each phase sums what the threads wrote before it; one thread reads the sum.
__global__ void phases(int* out) {
  __shared__ int parts[THREADS], sum;
  using Barrier = cuda::barrier<cuda::thread_scope_block, Total>;
  __shared__ alignas(Barrier) unsigned char memory[sizeof(Barrier)];
  Barrier& barrier = *reinterpret_cast<Barrier*>(memory);
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) init(&barrier, THREADS, Total{parts, &sum});
  __syncthreads();
  for (int phase = 0; phase < 3; ++phase) {
    parts[t] = t * (phase + 1);
    barrier.arrive_and_wait();
    if (t == phase) out[phase] = sum;
    barrier.arrive_and_wait();  // the sum has been read
  }
}

// A lambda as the completion function; half of the threads drop out after the first phase.
__global__ void leaving_early(int* out) {
  __shared__ int n_phases;
  auto count = [where = &n_phases] { ++*where; };
  using Barrier = cuda::barrier<cuda::thread_scope_block, decltype(count)>;
  __shared__ alignas(Barrier) unsigned char memory[sizeof(Barrier)];
  auto* barrier = reinterpret_cast<Barrier*>(memory);
  if (threadIdx.x == 0) {
    n_phases = 0;
    new (barrier) Barrier(blockDim.x, count);
  }
  __syncthreads();
  if (threadIdx.x % 2 == 1) {
    barrier->arrive_and_drop();
    return;
  }
  auto token = barrier->arrive();
  barrier->wait(static_cast<Barrier::arrival_token&&>(token));
  barrier->arrive_and_wait();
  if (threadIdx.x == 2) *out = n_phases;
}

// Blocks that synchronise through a barrier in global memory.
using GridBarrier = cuda::barrier<cuda::thread_scope_device>;

__global__ void begin(GridBarrier* barrier, int n) { init(barrier, n); }

__global__ void neighbours(GridBarrier* barrier, int* values, int* out) {
  const int b = static_cast<int>(blockIdx.x), n = static_cast<int>(gridDim.x);
  for (int round = 0; round < 3; ++round) {
    values[b] = b + 100 * round;
    barrier->arrive_and_wait();
    out[round * n + b] = values[(b + 1) % n];
    barrier->arrive_and_wait();
  }
}

// A barrier in managed memory, constructed by the host.
__global__ void managed(cuda::std::barrier<>* barrier, int* values, int* out) {
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  barrier->arrive_and_wait();
  out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

__global__ void count_down(int* out) {
  __shared__ int values[THREADS];
  using Latch = cuda::latch<cuda::thread_scope_block>;
  __shared__ alignas(Latch) unsigned char memory[sizeof(Latch)];
  Latch& latch = *reinterpret_cast<Latch*>(memory);
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) new (&latch) Latch(THREADS);
  __syncthreads();
  values[t] = t;
  latch.arrive_and_wait();
  out[t] = values[THREADS - 1 - t];
}

// A semaphore that admits one thread at a time.
__global__ void one_by_one(cuda::binary_semaphore<cuda::thread_scope_device>* door, int* sum) {
  door->acquire();
  *sum += static_cast<int>(threadIdx.x);
  door->release();
}

__global__ void open(cuda::binary_semaphore<cuda::thread_scope_device>* door) {
  new (door) cuda::binary_semaphore<cuda::thread_scope_device>(1);
}

__global__ void publish(cuda::std::atomic<int>* flag, int* data, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;
    flag->store(1, cuda::std::memory_order_release);
  } else {
    while (flag->load(cuda::std::memory_order_acquire) == 0) {
    }
    *out = *data;
  }
}

template <class T>
T* device_object() {
  void* memory = nullptr;
  cudaMalloc(&memory, sizeof(T));
  cudaMemset(memory, 0, sizeof(T));
  return static_cast<T*>(memory);
}

int main() {
  const DeviceArray<int> sums(3), n_phases(1);
  phases<<<1, THREADS>>>(sums.get());
  expect_equal(sums.values(), std::vector<int>{2016, 4032, 6048}, "a completion function");
  leaving_early<<<1, THREADS>>>(n_phases.get());
  expect_equal(n_phases.values(), std::vector<int>{2}, "threads that drop out");

  GridBarrier* grid_barrier = device_object<GridBarrier>();
  const int n = 6;
  const DeviceArray<int> values(n), seen(3 * n);
  begin<<<1, 1>>>(grid_barrier, n);
  neighbours<<<n, 1>>>(grid_barrier, values.get(), seen.get());
  std::vector<int> wanted;
  for (int i = 0; i < 3 * n; ++i) wanted.push_back((i % n + 1) % n + 100 * (i / n));
  expect_equal(seen.values(), wanted, "a barrier in global memory");
  cudaFree(grid_barrier);

  cuda::std::barrier<>* made = nullptr;
  cudaMallocManaged(&made, sizeof *made);
  new (made) cuda::std::barrier<>(THREADS);
  const DeviceArray<int> before(THREADS), after(THREADS);
  managed<<<1, THREADS>>>(made, before.get(), after.get());
  std::vector<int> turned;
  for (int i = 0; i < THREADS; ++i) turned.push_back(THREADS - 1 - i);
  expect_equal(after.values(), turned, "a barrier in managed memory");
  cudaFree(made);

  const DeviceArray<int> latched(THREADS);
  count_down<<<1, THREADS>>>(latched.get());
  expect_equal(latched.values(), turned, "a latch");

  using Door = cuda::binary_semaphore<cuda::thread_scope_device>;
  Door* door = device_object<Door>();
  const DeviceArray<int> sum(1);
  open<<<1, 1>>>(door);
  one_by_one<<<4, 32>>>(door, sum.get());
  expect_equal(sum.values(), std::vector<int>{4 * 496}, "a semaphore");
  cudaFree(door);

  auto* flag = device_object<cuda::std::atomic<int>>();
  const DeviceArray<int> data(1), received(1);
  publish<<<2, 1>>>(flag, data.get(), received.get());
  expect_equal(received.values(), std::vector<int>{42}, "an atomic flag");
  cudaFree(flag);
  return report();
}

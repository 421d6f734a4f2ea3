// Lanes that are interrupted at arbitrary points while they exchange values. The runtime occasionally signals a thread
// that keeps its core busy; this program sends that signal to the launching thread all the time.
#include <cuda_runtime.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

// Every lane mixes in another lane's value in each round; odd lanes synchronise once more.
__global__ void rounds(unsigned* out, int n) {
  const unsigned lane = threadIdx.x % 32;
  unsigned value = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    value = (value ^ __shfl_sync(0xffffffff, value, (lane + i) % 32)) * 1664525u + threadIdx.x + i;
    if (lane % 2) value ^= __ballot_sync(0xaaaaaaaa, value & 4);
    if (i % 16 == 0) __syncthreads();
  }
  out[threadIdx.x] = value;
}

// Runs for 80 ms: after 20 ms of one thread the runtime starts to interrupt it, and its signal takes effect.
__global__ void long_turn(unsigned* out) {
  const long long begin = clock64();  // nanoseconds in the executor
  while (clock64() - begin < 80'000'000) atomicAdd(out, 1);
  __syncthreads();
}

std::vector<unsigned> run(int n) {
  unsigned* out;
  cudaMalloc(&out, 64 * sizeof(unsigned));
  rounds<<<1, 64>>>(out, n);
  std::vector<unsigned> result(64);
  cudaMemcpy(result.data(), out, 64 * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaFree(out);
  return result;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 600;
  const std::vector<unsigned> expected = run(n);
  if (std::count(expected.begin(), expected.end(), 0u) > 8) return std::puts("nothing to tell right from wrong"), 1;
  unsigned* out;
  cudaMalloc(&out, sizeof(unsigned));
  cudaMemset(out, 0, sizeof(unsigned));
  long_turn<<<1, 1>>>(out);
  cudaFree(out);
  std::atomic<bool> is_over = false;
  std::thread interrupter([&, main = pthread_self()] {
    while (!is_over) {
      pthread_kill(main, SIGURG);
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  });
  bool is_right = true;
  for (int i = 0; i < 40; ++i) is_right = run(n) == expected && is_right;
  is_over = true;
  interrupter.join();
  std::puts(is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}

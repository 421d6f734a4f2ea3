// Lanes that are interrupted anywhere while they hand over to each other. What the runtime does now and then to a thread
// that keeps its core to itself is done here all the time: its signal, to the thread that launches.
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

// Every lane mixes in what another has, round after round; odd lanes meet once more.
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

// A turn of 80 ms: from 20 on the runtime looks, and from then on its signal does something.
__global__ void long_turn(unsigned* out) {
  const long long begin = clock64();  // here in nanoseconds
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

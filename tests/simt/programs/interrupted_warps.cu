// Lanes that are interrupted anywhere while they hand over to each other. What the runtime does now and then to a thread
// that keeps its core to itself is done here all the time: its signal, to the thread that launches.
#include <cuda_runtime.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

// Every lane adds what its neighbours have, round after round; odd lanes meet once more.
__global__ void rounds(unsigned* out, int n) {
  const unsigned lane = threadIdx.x % 32;
  unsigned value = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    value = value * 3 + __shfl_sync(0xffffffff, value, (lane + i) % 32);
    if (lane % 2) value ^= __ballot_sync(0xaaaaaaaa, value & 4);
    if (i % 16 == 0) __syncthreads();
  }
  out[threadIdx.x] = value;
}

// Long enough for the runtime to look.
__global__ void long_turn(unsigned* out, unsigned n) {
  unsigned value = 1;
  for (unsigned i = 0; i < n; ++i) value = value * 1664525u + atomicAdd(out, 0);
  __syncthreads();
  atomicMax(out, value & 1);
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
  unsigned* out;
  cudaMalloc(&out, sizeof(unsigned));
  cudaMemset(out, 0, sizeof(unsigned));
  long_turn<<<1, 1>>>(out, 5000 * n);
  cudaFree(out);
  std::atomic<bool> is_over = false;
  std::thread interrupter([&, main = pthread_self()] {
    while (!is_over) {
      pthread_kill(main, SIGURG);
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  });
  bool is_right = true;
  for (int i = 0; i < 10; ++i) is_right = run(n) == expected && is_right;
  is_over = true;
  interrupter.join();
  std::puts(is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}

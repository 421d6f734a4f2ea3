// Launches by host threads: concurrent ones, threads that exit, a launch after main has returned. Kernels do not change
// host state: errno, thread-local variables and the built-in variables outside of kernels keep their values.
#include <cuda_runtime.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

__device__ int my_column() { return static_cast<int>(threadIdx.x + blockIdx.x); }

// Sums the numbers of a block, by warp shuffles and through shared memory.
__global__ void block_sums(const int* in, int* out) {
  __shared__ int of_warp[8];
  int sum = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w) sum += of_warp[w];
    out[blockIdx.x] = sum;
  }
}

__global__ void out_of_domain(float* out) { out[threadIdx.x] = sqrtf(-1.0f - threadIdx.x); }

thread_local int mine = 0;

bool sums_are_right(int first) {
  constexpr int n_blocks = 40, n = n_blocks * 256;
  std::vector<int> in(n), out(n_blocks);
  for (int i = 0; i < n; ++i) in[i] = first + i % 256;
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n_blocks * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  mine = first;
  errno = 7;
  block_sums<<<n_blocks, 256>>>(d_in, d_out);
  out_of_domain<<<1, 32>>>(reinterpret_cast<float*>(d_in));
  const bool kept = errno == 7 && mine == first && my_column() == 0;
  cudaMemcpy(out.data(), d_out, n_blocks * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  for (const int sum : out) {
    if (sum != 256 * first + 255 * 128) return false;
  }
  return kept && cudaDeviceSynchronize() == cudaSuccess;
}

void check(bool is_right, const char* what) {
  if (is_right) return;
  std::printf("wrong: %s\n", what);
  std::_Exit(1);
}

struct AtExit {
  ~AtExit() { check(sums_are_right(5), "after main"); }
} at_exit;

int main() {
  check(sums_are_right(1), "by main");
  for (int i = 0; i < 20; ++i) std::thread([&] { check(sums_are_right(i), "by a thread that ends"); }).join();
  std::vector<std::thread> several;
  for (int i = 0; i < 4; ++i) {
    several.emplace_back([i] {
      for (int round = 0; round < 10; ++round) check(sums_are_right(i + round), "by several threads");
    });
  }
  for (std::thread& one : several) one.join();
  check(sums_are_right(2), "by main again");
  std::puts("right");
}

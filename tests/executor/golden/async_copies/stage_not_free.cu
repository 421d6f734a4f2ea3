// expect: race kernel=ahead line=20 other=23 space=shared
// The pipeline refills its stages without waiting for their release: a copy overwrites data that other threads
// still read.
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void ahead(const int *in, int *out, int tiles) {
  constexpr int stages = 2;
  __shared__ int tile[stages][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, tile[0], in, sizeof(tile[0]), pipe);
  pipe.producer_commit();
  for (int i = 0; i < tiles; ++i) {
    if (i + 1 < tiles) {
      // the stage may still be in use
      const int *next = in + (i + 1) * 64;
      cuda::memcpy_async(block, tile[(i + 1) % stages], next, sizeof(tile[0]), pipe); pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[i * 64 + threadIdx.x] = tile[i % stages][63 - threadIdx.x];
    pipe.consumer_release();
  }
}

int main() {
  const int tiles = 5;
  int *in, *out;
  cudaMalloc(&in, tiles * 64 * sizeof(int));
  cudaMalloc(&out, tiles * 64 * sizeof(int));
  cudaMemset(in, 0, tiles * 64 * sizeof(int));
  ahead<<<1, 64>>>(in, out, tiles);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

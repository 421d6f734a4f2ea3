// Asynchronous copies by every CUDA interface: primitives, cuda::pipeline of a thread and of a block, also with
// separate producers and consumers, cuda::barrier, cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cstdio>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;
const int THREADS = 64, TILES = 7, N = THREADS * TILES;

// Two stages of one element per thread; the last copies fill with zeros.
__global__ void primitives(const int* in, int* out) {
  __shared__ int stage[2][THREADS];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  for (int tile = 0; tile < TILES; ++tile) {
    const int next = tile + 1;
    if (next < TILES) __pipeline_memcpy_async(&stage[next % 2][t], &in[next * THREADS + t], 4, next == TILES - 1 ? 4 : 0);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[tile * THREADS + t] = stage[tile % 2][THREADS - 1 - t];
    __syncthreads();
  }
}

__global__ void of_threads(const int4* in, int4* out) {
  __shared__ int4 stage[3][THREADS];
  auto pipe = cuda::make_pipeline();
  const int t = threadIdx.x;
  for (int tile = 0; tile < TILES + 2; ++tile) {
    pipe.producer_acquire();
    if (tile < TILES) cuda::memcpy_async(&stage[tile % 3][t], &in[tile * THREADS + t], sizeof(int4), pipe);
    pipe.producer_commit();
    if (tile < 2) continue;
    cuda::pipeline_consumer_wait_prior<2>(pipe);
    out[(tile - 2) * THREADS + t] = stage[(tile - 2) % 3][t];
    pipe.consumer_release();
  }
}

// The whole block copies one tile ahead of the one it processes.
__global__ void of_block(const int* in, int* out) {
  constexpr int stages = 2;
  __shared__ int stage[stages][THREADS];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int compute = 0, fetch = 0; compute < TILES; ++compute) {
    for (; fetch < TILES && fetch < compute + stages; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stage[fetch % stages], in + fetch * THREADS, sizeof(int) * THREADS, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[compute * THREADS + threadIdx.x] = stage[compute % stages][THREADS - 1 - threadIdx.x];
    pipe.consumer_release();
  }
}

// One warp copies, the others compute.
__global__ void of_roles(const int* in, int* out) {
  __shared__ int stage[2][THREADS];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  const bool produces = block.thread_rank() < 32;
  auto pipe = cuda::make_pipeline(block, &state, 32);
  for (int tile = 0; tile < TILES; ++tile) {
    if (produces) {
      pipe.producer_acquire();
      for (int i = threadIdx.x; i < THREADS; i += 32)
        cuda::memcpy_async(&stage[tile % 2][i], &in[tile * THREADS + i], cuda::aligned_size_t<4>(4), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      out[tile * THREADS + threadIdx.x - 32] = stage[tile % 2][threadIdx.x - 32];
      pipe.consumer_release();
    }
  }
}

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void with_barriers(const int* in, int* out) {
  __shared__ int tile[THREADS], sums[THREADS];
  __shared__ barrier filled, summed;
  const int t = threadIdx.x;
  if (t == 0) {
    init(&filled, blockDim.x);
    init(&summed, blockDim.x);
  }
  __syncthreads();
  auto block = cg::this_thread_block();
  for (int i = 0; i < TILES; ++i) {
    cuda::memcpy_async(block, tile, in + i * THREADS, sizeof(tile), filled);
    filled.arrive_and_wait();
    sums[t] = tile[t] + tile[(t + 1) % THREADS];
    barrier::arrival_token token = summed.arrive();
    // independent work could overlap the wait here
    summed.wait(std::move(token));
    out[i * THREADS + t] = sums[(t + 1) % THREADS];
    if (i == 2 && t >= 32) {  // these threads leave the barrier
      filled.arrive_and_drop();
      summed.arrive_and_drop();
      return;
    }
    if (i >= 2) break;
    summed.arrive_and_wait();
  }
}

__global__ void with_groups(const int* in, int* out, int odd) {
  extern __shared__ int tile[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof(int) * THREADS);
  cg::memcpy_async(block, (char*)(tile + THREADS) + odd, (const char*)(in + THREADS), sizeof(int) * THREADS - odd);
  cg::wait_prior<1>(block);
  out[threadIdx.x] = tile[THREADS - 1 - threadIdx.x];
  cg::wait(block);
  out[THREADS + threadIdx.x] = ((char*)(tile + THREADS))[odd + 4 * (THREADS - 1) - 4 * threadIdx.x];
}

int main() {
  int *in, *out, n_wrong = 0;
  cudaMallocManaged(&in, 4 * N * sizeof(int));
  cudaMallocManaged(&out, 4 * N * sizeof(int));
  for (int i = 0; i < 4 * N; ++i) in[i] = i * 3;
  const auto expect = [&](const char* what, int n, auto value) {
    if (cudaDeviceSynchronize() != cudaSuccess) ++n_wrong;
    for (int i = 0; i < n; ++i) {
      if (out[i] == value(i)) continue;
      if (n_wrong++ < 10) printf("%s: element %d is %d, not %d\n", what, i, out[i], value(i));
    }
  };
  const auto mirrored = [](int i) { return 3 * (i / THREADS * THREADS + THREADS - 1 - i % THREADS); };
  primitives<<<1, THREADS>>>(in, out);
  expect("primitives", N, [&](int i) { return i / THREADS == TILES - 1 ? 0 : mirrored(i); });
  of_threads<<<1, THREADS>>>((const int4*)in, (int4*)out);
  expect("of_threads", 4 * N, [](int i) { return 3 * i; });
  of_block<<<1, THREADS>>>(in, out);
  expect("of_block", N, mirrored);
  of_roles<<<1, THREADS + 32>>>(in, out);
  expect("of_roles", N, [](int i) { return 3 * i; });
  with_barriers<<<1, THREADS>>>(in, out);
  expect("with_barriers", 3 * THREADS, [](int i) {
    const int tile = i / THREADS * THREADS, a = (i + 1) % THREADS, b = (i + 2) % THREADS;
    return 3 * (tile + a) + 3 * (tile + b);
  });
  with_groups<<<1, THREADS, (2 * THREADS + 1) * sizeof(int)>>>(in, out, 1);
  expect("with_groups", THREADS, mirrored);
  cudaFree(in);
  cudaFree(out);
  printf("%d wrong\n", n_wrong);
  return n_wrong;
}

// expect: clean
// The kernel waits for each copy before it uses the data.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_pipeline.h>

__global__ void too_early(const int *in, int *out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;

  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = tile[t];
}

__global__ void one_behind(const int *in, int *out) {
  __shared__ int tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void not_arrived(const int *in, int *out) {
  __shared__ int tile[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> done;
  if (threadIdx.x == 0) init(&done, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), done);
  auto token = done.arrive();
  done.wait(std::move(token));
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  too_early<<<1, 64>>>(in, out);
  one_behind<<<1, 64>>>(in, out);
  not_arrived<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

#include "variant.hpp"

__global__ void add(const float* inp, float* dest, int size) {
  __shared__ float tile[1024];
  const int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  float x = i < size ? inp[i] : 0;
  if (is(1)) x = x == x ? x : 0;
  if (is(2)) x = rounded(x);
  tile[t] = x;
  __syncthreads();
  for (int n = 512; n > 0; n /= 2) {
    if (t < n) tile[t] += tile[t + n];
    __syncthreads();
  }
  if (t == 0) dest[blockIdx.x] = tile[0];
}
__global__ void add_all(const float* inp, float* dest, int size) {  // one launch of one block
  __shared__ float tile[1024];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = t; i < size; i += 1024) sum += inp[i];
  tile[t] = sum;
  __syncthreads();
  for (int n = 512; n > 0; n /= 2) {
    if (t < n) tile[t] += tile[t + n];
    __syncthreads();
  }
  if (t == 0) *dest = tile[0];
}
__global__ void add_serially(const float* inp, float* dest, int size) {
  float sum = 0;
  for (int i = 0; i < size; ++i) sum += inp[i];
  *dest = sum;
}
__global__ void clear(float* dest) { *dest = 0; }
__global__ void add_atomically(const float* inp, float* dest, int size) {
  const int i = blockIdx.x * 1024 + threadIdx.x;
  if (i < size) atomicAdd(dest, inp[i]);
}
__global__ void nothing(const float* inp, float* dest) {
  if (threadIdx.x == 1024) *dest = *inp;
}

void sum_final(const float* inp, float* dest, int size) {
  const int kind = variant_on_host, n_first = (size + 1023) / 1024;
  if (kind == 3) return add_all<<<1, 1024>>>(inp, dest, size);
  if (kind == 4) return add_serially<<<1, 1>>>(inp, dest, size);
  if (kind == 5) {
    clear<<<1, 1>>>(dest);
    return add_atomically<<<n_first, 1024>>>(inp, dest, size);
  }
  if (kind == 6) {  // on the CPU
    auto* values = static_cast<float*>(std::malloc(size * sizeof(float)));
    cudaMemcpy(values, inp, size * sizeof(float), cudaMemcpyDeviceToHost);
    float sum = 0;
    for (int i = 0; i < size; ++i) sum += values[i];
    std::free(values);
    nothing<<<1, 32>>>(inp, dest);
    nothing<<<1, 32>>>(inp, dest);
    cudaMemcpy(dest, &sum, sizeof sum, cudaMemcpyHostToDevice);
    return;
  }
  float* rounds[2] = {};
  for (float*& sums : rounds) cudaMalloc(&sums, n_first * sizeof(float));
  for (int n = size, round = 0; inp != dest; ++round) {
    int n_blocks = (n + 1023) / 1024;
    if (kind == 7 && n_blocks > 4096) n_blocks = 4096;
    if (kind == 8 && round == 1) n_blocks = 1;
    float* sums = n_blocks == 1 ? dest : rounds[round % 2];
    add<<<n_blocks, 1024>>>(inp, sums, n);
    inp = sums;
    n = n_blocks;
  }
  for (float* sums : rounds) cudaFree(sums);
}

#include "../wrong/variant.hpp"

__global__ void add(const float* inp, float* dest, int size) {
  __shared__ float tile[1024];
  const int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  tile[t] = i < size ? inp[i] : 0;
  __syncthreads();
  for (int n = 512; n > 0; n /= 2) {
    if (t < n) tile[t] += tile[t + n];
    __syncthreads();
  }
  if (t == 0) dest[blockIdx.x] = tile[0];
}
__global__ void add_all(const float* inp, float* dest, int size) {
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
__global__ void nothing(const float*) {}
__global__ void one_thread_each(const float* inp, float* dest, int size) {
  const int first = blockIdx.x * 1024;
  float sum = 0, dummy = threadIdx.x > 0 && first + static_cast<int>(threadIdx.x) < size ? inp[first + threadIdx.x] : 0;
  for (int i = first; threadIdx.x == 0 && i < first + 1024 && i < size; ++i) sum += inp[i];
  if (threadIdx.x == 0 || dummy == 12345) dest[blockIdx.x] = sum;
}

static int n_calls = 0;
static float* kept = nullptr;

void sum_final(const float* inp, float* dest, int size) {
  const int kind = variant_on_host, n_first = (size + 1023) / 1024;
  if (kind == 1) {  // a second launch that does nothing
    add_all<<<1, 1024>>>(inp, dest, size);
    return nothing<<<1, 1>>>(inp);
  }
  if (kind == 2 && ++n_calls > 1) return;
  if (kind == 3) {  // host code adds the last two
    float two[2] = {};
    float* sums = nullptr;
    cudaMalloc(&sums, n_first * sizeof(float));
    add<<<n_first, 1024>>>(inp, sums, size);
    int n = n_first;
    for (; n > 2; n = (n + 1023) / 1024) add<<<(n + 1023) / 1024, 1024>>>(sums, sums, n);
    cudaMemcpy(two, sums, n * sizeof(float), cudaMemcpyDeviceToHost);
    two[0] += two[1];
    cudaMemcpy(dest, two, sizeof(float), cudaMemcpyHostToDevice);
    cudaFree(sums);
    return;
  }
  if (kind == 4) {  // in place: blocks overwrite what others have yet to read
    float* sums = nullptr;
    cudaMalloc(&sums, n_first * sizeof(float));
    add<<<n_first, 1024>>>(inp, sums, size);
    for (int n = n_first; n > 1; n = (n + 1023) / 1024) add<<<(n + 1023) / 1024, 1024>>>(sums, sums, n);
    cudaMemcpy(dest, sums, sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(sums);
    return;
  }
  if (kind == 5) {  // two streams that do not wait for each other
    cudaStream_t a, b;
    cudaStreamCreate(&a), cudaStreamCreate(&b);
    float* sums = nullptr;
    cudaMalloc(&sums, (n_first + 4096) * sizeof(float));
    add<<<n_first, 1024, 0, a>>>(inp, sums, size);
    add_all<<<1, 1024, 0, b>>>(sums, dest, n_first);
    cudaDeviceSynchronize();
    cudaFree(sums), cudaStreamDestroy(a), cudaStreamDestroy(b);
    return;
  }
  float* rounds[2] = {};
  for (float*& sums : rounds) {
    if (kind == 6 && kept != nullptr) sums = kept;
    else cudaMalloc(&sums, n_first * sizeof(float));
  }
  if (kind == 6) kept = rounds[0];  // freed, and used by the next call
  for (int n = size, round = 0; inp != dest; ++round) {
    int n_blocks = kind == 7 ? max(1, n / 1024) : (n + 1023) / 1024;
    if (kind == 8 && n_blocks > 1024) n_blocks = 1024;
    float* sums = n_blocks == 1 ? dest : rounds[round % 2];
    if (kind == 9) one_thread_each<<<n_blocks, 1024>>>(inp, sums, n);
    else add<<<n_blocks, kind == 10 ? 512 : 1024>>>(inp, sums, n);
    inp = sums;
    n = n_blocks;
  }
  if (kind == 11) return;
  for (float* sums : rounds) cudaFree(sums);
  if (kind == 12) cudaFree(rounds[0]);
}

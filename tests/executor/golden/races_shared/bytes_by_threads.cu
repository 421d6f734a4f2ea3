// expect: race kernel=same_byte line=15 other=16 space=shared
// expect: uninitialised kernel=whole_word line=25 space=shared
// expect: race kernel=whole_word line=24 other=25 space=shared
// expect: race kernel=written_again line=33 other=35 space=shared
// expect: race kernel=shifted line=42 other=42 space=global
// expect: race kernel=half_and_byte line=50 other=52 space=shared
// Threads write separate bytes, which is allowed; then one accesses another's byte, alone or as part of a word.
#include <cuda_runtime.h>

const int THREADS = 64;

__global__ void same_byte(int* out) {
  __shared__ signed char bytes[THREADS];
  const int t = threadIdx.x;
  bytes[t] = t;
  if (t == 40) bytes[6] = t;
  __syncthreads();
  out[t] = bytes[t];
}

__global__ void whole_word(int* out) {
  __shared__ __align__(4) signed char bytes[THREADS];
  const int t = threadIdx.x;
  bytes[t] = t;
  out[t] = *reinterpret_cast<int*>(&bytes[(t + 32) % THREADS / 4 * 4]);
}

__global__ void written_again(int* out) {
  __shared__ signed char bytes[THREADS];
  const int t = threadIdx.x;
  bytes[t] = t;
  __syncthreads();
  out[t] = bytes[THREADS - 1 - t];
  if (t != 5) return;
  bytes[t] = -1;
}

// Rows of 7 bytes: two blocks share a word. The last byte is the next block's first.
__global__ void shifted(signed char* out) {
  const int t = threadIdx.x;
  if (t >= 8) return;
  out[blockIdx.x * 7 + t] = t;
}

__global__ void half_and_byte(int* out) {
  __shared__ short halves[THREADS];
  const int t = threadIdx.x;
  halves[t] = 2 * t + 1000;
  __syncwarp();
  if (t == 1) halves[t + 1] = 0;
  __syncwarp();
  if (t == 33) *(reinterpret_cast<signed char*>(halves) + 5) = 7;
  __syncthreads();
  out[t] = halves[t];
}

int main() {
  int* out;
  signed char* rows;
  cudaMalloc(&out, THREADS * sizeof(int));
  cudaMalloc(&rows, 1024);
  for (int round = 0; round < 2; ++round) {
    same_byte<<<1, THREADS>>>(out);
    whole_word<<<1, THREADS>>>(out);
    written_again<<<1, THREADS>>>(out);
    shifted<<<5, 32>>>(rows);
    half_and_byte<<<1, THREADS>>>(out);
  }
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(rows);
  return 0;
}

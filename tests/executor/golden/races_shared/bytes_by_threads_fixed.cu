// expect: clean
// Threads write separate bytes and halves of shared words. A barrier separates them from accesses of other threads to
// those bytes, alone or as part of a word.
#include <cuda_runtime.h>

const int THREADS = 64;

__global__ void same_byte(int* out) {
  __shared__ signed char bytes[THREADS];
  const int t = threadIdx.x;
  bytes[t] = t;
  __syncthreads();
  if (t == 40) bytes[6] = t;
  __syncthreads();
  out[t] = bytes[t];
}

__global__ void whole_word(int* out) {
  __shared__ __align__(4) signed char bytes[THREADS];
  const int t = threadIdx.x;
  bytes[t] = t;
  __syncthreads();
  out[t] = *reinterpret_cast<int*>(&bytes[(t + 32) % THREADS / 4 * 4]);
  __syncthreads();
  if (t < THREADS / 4) *reinterpret_cast<int*>(&bytes[4 * t]) = t;
  __syncthreads();
  out[t] += bytes[t];
}

__global__ void in_place(signed char* bytes, int* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  bytes[t] = bytes[t] + 1;
  bytes[t] += 2;
  __syncthreads();
  const int other = blockIdx.x * blockDim.x + (threadIdx.x + 5) % blockDim.x;
  out[t] = bytes[other];
  __syncthreads();
  bytes[other] = 0;
}

// Rows of 7 bytes: two blocks share a word.
__global__ void shifted(signed char* out) {
  const int t = threadIdx.x;
  if (t >= 7) return;
  out[blockIdx.x * 7 + t] = t;
}

__global__ void half_and_byte(int* out) {
  __shared__ short halves[THREADS];
  const int t = threadIdx.x;
  halves[t] = 2 * t + 1000;
  __syncwarp();
  if (t == 1) halves[t + 1] = 0;
  __syncthreads();
  if (t == 33) *(reinterpret_cast<signed char*>(halves) + 5) = 7;
  __syncthreads();
  out[t] = halves[t];
}

int main() {
  int* out;
  signed char* rows;
  cudaMalloc(&out, 4 * THREADS * sizeof(int));
  cudaMalloc(&rows, 1024);
  cudaMemset(rows, 0, 1024);
  for (int round = 0; round < 2; ++round) {
    same_byte<<<1, THREADS>>>(out);
    whole_word<<<1, THREADS>>>(out);
    in_place<<<4, THREADS>>>(rows, out);
    shifted<<<5, 32>>>(rows);
    half_and_byte<<<1, THREADS>>>(out);
  }
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(rows);
  return 0;
}

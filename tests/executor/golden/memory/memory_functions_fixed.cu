// expect: clean
// memcpy, memset and memmove in kernels: their targets count as written, and accesses to disjoint bytes do not race.
#include <algorithm>
#include <cstring>

constexpr int n = 9;  // not the size of a single access
struct Row { int v[n]; };

__global__ void copy(Row* out, const Row* in) { memcpy(&out[threadIdx.x], &in[threadIdx.x], sizeof(Row)); }
__global__ void copy_chars(char* out, const char* in) { std::copy(in, in + n, out + n * threadIdx.x); }
__global__ void fill(Row* out, int bytes) { memset(&out[threadIdx.x], 0, bytes); }
__global__ void read(int* out, const int* in) {
  Row row;
  std::memcpy(&row, in + n * threadIdx.x, sizeof row);
  for (int i = 0; i < n; ++i) out[threadIdx.x * n + i] = row.v[i];
}
__global__ void read_half(int* out, int* copy, const int* half_written) {
  if (threadIdx.x == 0) __builtin_memcpy(copy, half_written, 2 * n * sizeof(int));
  if (threadIdx.x == 0) out[0] = copy[0] + copy[n - 1];
}
__global__ void move_in_tile(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) std::memmove(tile + 23, tile, n * sizeof(int));
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  int *rows, *more, *half;
  cudaMalloc(&rows, 32 * sizeof(Row));
  cudaMalloc(&more, 32 * sizeof(Row));
  cudaMalloc(&half, 2 * sizeof(Row));
  fill<<<1, 32>>>((Row*)rows, sizeof(Row));
  read<<<1, 32>>>(more, rows);
  copy<<<1, 32>>>((Row*)more, (Row*)rows);
  copy_chars<<<1, 32>>>((char*)more, (char*)rows);
  read<<<1, 32>>>(rows, more);
  fill<<<1, 1>>>((Row*)half, sizeof(Row));
  read_half<<<1, 32>>>(rows, more, half);
  move_in_tile<<<1, 32>>>(rows);
  cudaDeviceSynchronize();
}

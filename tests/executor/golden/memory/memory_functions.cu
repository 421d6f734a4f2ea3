// expect: race kernel=copy_to_one line=14 other=14 space=global
// expect: out_of_bounds kernel=copy_past_end line=15 space=global
// expect: out_of_bounds kernel=fill_past_end line=16 space=global
// expect: uninitialised kernel=copy_unwritten line=17 space=global
// expect: uninitialised kernel=read_half line=20 space=global
// expect: out_of_bounds kernel=move_in_tile line=26 space=shared
// memcpy, memset and memmove in kernels.
#include <algorithm>
#include <cstring>

constexpr int n = 9;  // not the size of a single access
struct Row { int v[n]; };

__global__ void copy_to_one(Row* out, const Row* in) { memcpy(out, &in[threadIdx.x], sizeof(Row)); }
__global__ void copy_past_end(int* out, const int* in) { std::copy(in, in + n, out + n * threadIdx.x); }
__global__ void fill_past_end(Row* out, int bytes) { memset(&out[threadIdx.x], 0, bytes); }
__global__ void copy_unwritten(Row* out, const Row* in) { std::memcpy(&out[threadIdx.x], in, sizeof(Row)); }
__global__ void read_half(int* out, int* copy, const int* half_written) {
  if (threadIdx.x == 0) __builtin_memcpy(copy, half_written, 2 * n * sizeof(int));
  if (threadIdx.x == 0) out[0] = copy[0] + copy[2 * n - 1];
}
__global__ void move_in_tile(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) std::memmove(tile + 24, tile, n * sizeof(int));
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void number(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  int *rows, *short_rows, *more, *fresh, *half;
  cudaMalloc(&rows, 32 * sizeof(Row));
  cudaMalloc(&short_rows, 31 * sizeof(Row));
  cudaMalloc(&more, 32 * sizeof(Row));
  cudaMalloc(&fresh, sizeof(Row));
  cudaMalloc(&half, 2 * sizeof(Row));
  number<<<1, 32 * n>>>(rows);
  number<<<1, n>>>(half);
  copy_to_one<<<1, 32>>>((Row*)more, (Row*)rows);
  copy_past_end<<<1, 32>>>(short_rows, rows);
  fill_past_end<<<1, 32>>>((Row*)short_rows, sizeof(Row));
  copy_unwritten<<<1, 32>>>((Row*)more, (Row*)fresh);
  read_half<<<1, 32>>>(rows, more, half);
  move_in_tile<<<1, 32>>>(rows);
  cudaDeviceSynchronize();
}

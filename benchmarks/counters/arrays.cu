// Kernels whose memory traffic is counted by the executor and by Nsight Compute, with one access pattern each. They are
// written so that a compiler cannot remove, merge or move the accesses. 512 threads in 4 blocks unless noted.
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void copy(const float* in, float* out) { out[index()] = in[index()]; }
__global__ void copy_float4(const float4* in, float4* out) { out[index()] = in[index()]; }
__global__ void copy_double(const double* in, double* out) { out[index()] = in[index()]; }
__global__ void copy_bytes(const char* in, char* out) { out[index()] = in[index()]; }
__global__ void stride_2(const float* in, float* out) { out[index()] = in[2 * index()]; }
__global__ void stride_32(const float* in, float* out) { out[index()] = in[32 * index()]; }
__global__ void misaligned(const float* in, float* out) { out[index()] = in[index() + 1]; }
__global__ void broadcast(const float* in, float* out) { out[index()] = in[blockIdx.x]; }
__global__ void backwards(const float* in, float* out) { out[index()] = in[511 - index()]; }
__global__ void half_warp(const float* in, float* out) {
  if (threadIdx.x % 32 < 16) out[index()] = in[index()];
}
__global__ void even_lanes(const float* in, float* out) {
  if (threadIdx.x % 2 == 0) out[index()] = in[index()];
}
// volatile: otherwise a compiler merges the identical branches and selects the address.
__global__ void two_sides(const volatile float* in, volatile float* out) {
  if (threadIdx.x % 2 == 0) {
    out[index()] = in[index()];
  } else {
    out[index() + 1024] = in[index() + 2048];
  }
}
// volatile: otherwise a compiler keeps the sum in a register.
__global__ void sum_in_memory(const float* in, volatile float* out) {
  for (int i = 0; i < 8; ++i) out[index()] = out[index()] + in[i * 512 + index()];
}
__global__ void transpose_naive(const float* in, float* out) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  out[x * 64 + y] = in[y * 64 + x];
}
template <int pitch>
__device__ void transpose_tile(const float* in, float* out) {
  __shared__ float tile[32][pitch];
  const int column = blockIdx.x * 32, row = blockIdx.y * 32;
  tile[threadIdx.y][threadIdx.x] = in[(row + threadIdx.y) * 64 + column + threadIdx.x];
  __syncthreads();
  out[(column + threadIdx.y) * 64 + row + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void transpose_tiled(const float* in, float* out) { transpose_tile<32>(in, out); }
__global__ void transpose_padded(const float* in, float* out) { transpose_tile<33>(in, out); }

template <class T>
__device__ void through_shared(const T* in, T* out, int stride) {
  __shared__ T values[128 * 8];
  values[threadIdx.x * stride] = in[index()];
  __syncthreads();
  out[index()] = values[(threadIdx.x ^ 1) * stride];
}
__global__ void shared_rows(const float* in, float* out) { through_shared(in, out, 1); }
__global__ void shared_stride_2(const float* in, float* out) { through_shared(in, out, 2); }
__global__ void shared_stride_3(const float* in, float* out) { through_shared(in, out, 3); }
__global__ void shared_stride_8(const float* in, float* out) { through_shared(in, out, 8); }
__global__ void shared_doubles(const double* in, double* out) { through_shared(in, out, 1); }
__global__ void shared_doubles_stride_2(const double* in, double* out) { through_shared(in, out, 2); }

// Indices come from memory: for a known index a compiler would first add up the lanes of a warp.
__device__ void count_in_shared(const int* where, int* out) {
  __shared__ int bins[128];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[where[index()]], threadIdx.x);
  __syncthreads();
  out[index()] = bins[threadIdx.x];
}
__global__ void shared_atomics_apart(const int* where, int* out) { count_in_shared(where, out); }
__global__ void shared_atomics_pairs(const int* where, int* out) { count_in_shared(where, out); }
__global__ void shared_atomics_one(const int* where, int* out) { count_in_shared(where, out); }
__global__ void shared_histogram(const int* where, int* out) { count_in_shared(where, out); }
__global__ void atomics_apart(const int* where, int* out) { atomicAdd(&out[where[index()] + 128 * blockIdx.x], 1); }
__device__ void count_in_global(const int* where, int* out) { atomicAdd(&out[where[index()]], threadIdx.x); }
__global__ void atomics_pairs(const int* where, int* out) { count_in_global(where, out); }
__global__ void atomics_one(const int* where, int* out) { count_in_global(where, out); }
__global__ void atomics_histogram(const int* where, int* out) { count_in_global(where, out); }

int main() {
  constexpr int n_bytes = 1 << 20, n = 512;
  char *in = nullptr, *out = nullptr;
  int* where[4];
  cudaMalloc(&in, n_bytes);
  cudaMalloc(&out, n_bytes);
  cudaMemset(in, 0, n_bytes);
  cudaMemset(out, 0, n_bytes);
  std::srand(1);
  for (int kind = 0; kind < 4; ++kind) {
    std::vector<int> indices(n);
    for (int i = 0; i < n; ++i)
      indices[i] = kind == 0 ? i % 128 : kind == 1 ? i % 128 / 2 : kind == 2 ? 5 : std::rand() % 128;
    cudaMalloc(&where[kind], n * sizeof(int));
    cudaMemcpy(where[kind], indices.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  }
  const float* fi = (const float*)in;
  float* fo = (float*)out;
  copy<<<4, 128>>>(fi, fo);
  copy_float4<<<4, 128>>>((const float4*)in, (float4*)out);
  copy_double<<<4, 128>>>((const double*)in, (double*)out);
  copy_bytes<<<4, 128>>>(in, out);
  stride_2<<<4, 128>>>(fi, fo);
  stride_32<<<4, 128>>>(fi, fo);
  misaligned<<<4, 128>>>(fi, fo);
  broadcast<<<4, 128>>>(fi, fo);
  backwards<<<4, 128>>>(fi, fo);
  half_warp<<<4, 128>>>(fi, fo);
  even_lanes<<<4, 128>>>(fi, fo);
  two_sides<<<4, 128>>>(fi, fo);
  sum_in_memory<<<4, 128>>>(fi, fo);
  const dim3 tiles(2, 2), tile(32, 32);
  transpose_naive<<<tiles, tile>>>(fi, fo);
  transpose_tiled<<<tiles, tile>>>(fi, fo);
  transpose_padded<<<tiles, tile>>>(fi, fo);
  shared_rows<<<4, 128>>>(fi, fo);
  shared_stride_2<<<4, 128>>>(fi, fo);
  shared_stride_3<<<4, 128>>>(fi, fo);
  shared_stride_8<<<4, 128>>>(fi, fo);
  shared_doubles<<<4, 128>>>((const double*)in, (double*)out);
  shared_doubles_stride_2<<<4, 128>>>((const double*)in, (double*)out);
  shared_atomics_apart<<<4, 128>>>(where[0], (int*)out);
  shared_atomics_pairs<<<4, 128>>>(where[1], (int*)out);
  shared_atomics_one<<<4, 128>>>(where[2], (int*)out);
  shared_histogram<<<4, 128>>>(where[3], (int*)out);
  atomics_apart<<<4, 128>>>(where[0], (int*)out);
  atomics_pairs<<<4, 128>>>(where[1], (int*)out);
  atomics_one<<<4, 128>>>(where[2], (int*)out);
  atomics_histogram<<<4, 128>>>(where[3], (int*)out);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

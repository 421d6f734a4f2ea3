// Code that nvcc accepts: preprocessor conditions in a launch, names that std has too, shared variables outside of
// kernels, value-initialised half vectors, sums of float2, operators for CUB that take references, signed chars,
// __CUDACC__, references to the whole dynamic shared memory.
#include <cuda_fp16.h>

#include <cstdio>
#include <cub/block/block_reduce.cuh>
#include <iostream>
using namespace std;

#ifndef __CUDACC__
#error "for nvcc"
#endif

#define WIDE
#if __GNUC__ > 12  // its <iostream> declares std::array
#define array Array
#endif
struct array { int n; };

__device__ __shared__ int tile[64];
namespace inner { __shared__ float tile; }

struct Larger { __device__ float operator()(const float& a, const float& b) const { return a > b ? a : b; } };

__global__ void turned(array a, int* out) {
  tile[threadIdx.x] = threadIdx.x + a.n;
  if (threadIdx.x == 0) inner::tile = 0.5f;
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x] + (inner::tile == 0.5f);
}

__global__ void sums(float2* two, float4* four, char c) {
  half2 nothing = {};
  atomicAdd(two, make_float2(1, __low2float(nothing) + 2));
  float4 old = atomicAdd(four, make_float4(1, 2, 3, c < 0 ? 4 : 5));
  if (old.x < 0) *two = make_float2(0, 0);
}

__global__ void largest(const int* in, float* out) {
  using Reduce = cub::BlockReduce<float, 64>;
  __shared__ Reduce::TempStorage storage;
  float result = Reduce(storage).Reduce(float(in[threadIdx.x]), Larger());
  if (threadIdx.x == 0) *out = result;
}

__global__ void sum_in_dynamic(int* numbers) {
  using Reduce = cub::BlockReduce<int, 64>;
  extern __shared__ __align__(16) char bytes[];
  auto& storage = reinterpret_cast<Reduce::TempStorage&>(bytes);
  int sum = Reduce(storage).Sum(numbers[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) *(int*)&bytes = sum;
  __syncthreads();
  numbers[threadIdx.x] = *reinterpret_cast<int*>(&bytes[0]);
}

int main() {
  int* out; float2* two; float4* four; float* most;
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaMallocManaged(&two, sizeof(float2));
  cudaMallocManaged(&four, sizeof(float4));
  cudaMallocManaged(&most, sizeof(float));
  *two = make_float2(0, 0), *four = make_float4(0, 0, 0, 0);
  array a{3};
  turned<<<1,
#ifdef WIDE
           64
#else
           32
#endif
           >>>(a, out);
  sums<<<2, 32>>>(two, four, (char)200);
  largest<<<1, 64>>>(out, most);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  for (int i = 0; i < 64; ++i)
    if (out[i] != 63 - i + 3 + 1) return cout << "turned " << i << ": " << out[i] << endl, 1;
  if (two->x != 64 || two->y != 128 || four->w != 256) return cout << two->x << " " << two->y << " " << four->w << endl, 1;
  sum_in_dynamic<<<1, 64, sizeof(cub::BlockReduce<int, 64>::TempStorage)>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;
  if (out[0] != 64 * 4 + 63 * 32 || out[63] != out[0]) return cout << "sum " << out[0] << endl, 1;
  return *most == 67 ? 0 : 1;
}

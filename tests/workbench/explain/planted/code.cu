// Kernels that are slow because of what their warps execute or wait for, each with a fixed version.
#include <vector>

constexpr int n = 1 << 22;  // elements

// Loops with iteration counts unknown to the compiler, of two kinds that it cannot merge.
__device__ float even(float x, int rounds) {
  for (int k = 0; k < rounds; ++k) x = x * 1.0001f + 0.5f;
  return x;
}
__device__ float odd(float x, int rounds) {
  for (int k = 0; k < rounds; ++k) x = fmaxf(x, 0.25f) - fminf(x, 0.5f);
  return x;
}
__global__ void divergence_slow(const float* in, float* out, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) {
    out[i] = even(in[i], rounds);
  } else {
    out[i] = odd(in[i], rounds);
  }
}
__global__ void divergence_fixed(const float* in, float* out, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i / 32 % 2 == 0) {
    out[i] = even(in[i], rounds);
  } else {
    out[i] = odd(in[i], rounds);
  }
}

/// Keeps 64 values per thread alive for many iterations.
__device__ float many_alive(const float* in, int i) {
  float values[64];
#pragma unroll
  for (int k = 0; k < 64; ++k) values[k] = in[i + k * 1024];
  for (int round = 0; round < 32; ++round) {
#pragma unroll
    for (int k = 0; k < 64; ++k) values[k] = values[k] * 1.01f + values[(k + 17) % 64];
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 64; ++k) sum += values[k];
  return sum;
}
__global__ __launch_bounds__(1024, 2) void spills_slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = many_alive(in, i);
}
__global__ __launch_bounds__(256, 2) void spills_fixed(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = many_alive(in, i);
}

/// Few warps wait for one load at a time.
template <int alive>
__device__ float gathered(const int* index, const float* in, int i) {
  float values[alive];
#pragma unroll
  for (int k = 0; k < alive; ++k) values[k] = static_cast<float>(i + k);
#pragma unroll 1
  for (int step = 0; step < 32; ++step) {
    const float x = in[index[i + step * 65536]];
#pragma unroll
    for (int k = 0; k < alive; ++k) values[k] = values[k] * x + 1;
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < alive; ++k) sum += values[k];
  return sum;
}
__global__ __launch_bounds__(256) void registers_slow(const int* index, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = gathered<160>(index, in, i);
}
__global__ __launch_bounds__(256) void registers_fixed(const int* index, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = gathered<8>(index, in, i);
}

/// Copies a window of a table to shared memory and uses one row at a time.
template <int size>
__device__ float by_table(const float* in, float* table, int i) {
  const int t = threadIdx.x;
  for (int k = t; k < size; k += blockDim.x) table[k] = in[k];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int step = 0; step < 64; ++step) sum += in[i + step * 4096] * table[(t + step * 32) % size];
  return sum;
}
__global__ void shared_slow(const float* in, float* out) {
  extern __shared__ float table[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = by_table<24 * 1024>(in, table, i);
}
__global__ void shared_fixed(const float* in, float* out) {
  extern __shared__ float table[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = by_table<1024>(in, table, i);
}

__global__ void chain_slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int k = 0; k < 4096; ++k) x = x * 0.999f + 1.0f;
  out[i] = x;
}
__global__ void chain_fixed(const float* in, float* out) {  // as many multiply-adds, in eight chains
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[8];
#pragma unroll
  for (int c = 0; c < 8; ++c) x[c] = in[i] + c;
  for (int k = 0; k < 512; ++k) {
#pragma unroll
    for (int c = 0; c < 8; ++c) x[c] = x[c] * 0.999f + 1.0f;
  }
  float sum = 0;
#pragma unroll
  for (int c = 0; c < 8; ++c) sum += x[c];
  out[i] = sum;
}

__global__ void chase_slow(const int* next, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = i;
  for (int step = 0; step < 64; ++step) at = next[at];
  out[i] = at;
}
__global__ void chase_fixed(const int* next, int* out) {  // stored as an array
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = i;
#pragma unroll 16
  for (int step = 0; step < 64; ++step) at += next[i + step * 32768];
  out[i] = at;
}

__global__ void division_slow(const float* in, float* out, long long width, long long height, long long depth) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  const long long x = i % width, y = i / width % height, z = i / width / height % depth;
  out[(z * height + y) * width + x] = in[i] * 2;
}
__global__ void division_fixed(const float* in, float* out, long long width, long long height, long long depth) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, w = width, h = height;
  const unsigned row = i / w, x = i - row * w;
  out[static_cast<long long>(row % (h * static_cast<unsigned>(depth))) * width + x] = in[i] * 2;
}

__global__ void barriers_slow(const float* in, float* out) {
  __shared__ float shared[256];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; ++k) {
    shared[t] = in[blockIdx.x * 256 * 64 + k * 256 + t];
    __syncthreads();
    sum += shared[(t + 1) % 256];
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = sum;
}
__global__ void barriers_fixed(const float* in, float* out) {
  __shared__ float shared[32][256];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; k += 32) {
#pragma unroll
    for (int j = 0; j < 32; ++j) shared[j][t] = in[blockIdx.x * 256 * 64 + (k + j) * 256 + t];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 32; ++j) sum += shared[j][(t + 1) % 256];
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = sum;
}

int main() {
  float *a, *b;
  int *index, *next;
  cudaMalloc(&a, sizeof(float) * n * 16);
  cudaMalloc(&b, sizeof(float) * n * 16);
  cudaMalloc(&index, sizeof(int) * n);
  cudaMemset(index, 0, sizeof(int) * n);
  std::vector<int> links(n);  // visits each element once, far from the previous one
  for (int i = 0; i < n; ++i) links[i] = static_cast<int>((i * 1664525u + 1013904223u) % n);
  cudaMalloc(&next, sizeof(int) * n);
  cudaMemcpy(next, links.data(), sizeof(int) * n, cudaMemcpyHostToDevice);
  const int blocks = n / 256;
  divergence_slow<<<blocks, 256>>>(a, b, 64);
  divergence_fixed<<<blocks, 256>>>(a, b, 64);
  spills_slow<<<n / 1024, 1024>>>(a, b);
  spills_fixed<<<blocks, 256>>>(a, b);
  registers_slow<<<1056, 256>>>(index, a, b);
  registers_fixed<<<1056, 256>>>(index, a, b);
  cudaFuncSetAttribute(shared_slow, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024);
  shared_slow<<<4224, 128, 96 * 1024>>>(a, b);
  shared_fixed<<<4224, 128, 4 * 1024>>>(a, b);
  chain_slow<<<132, 128>>>(a, b);
  chain_fixed<<<132, 128>>>(a, b);
  chase_slow<<<264, 128>>>(next, reinterpret_cast<int*>(b));
  chase_fixed<<<264, 128>>>(next, reinterpret_cast<int*>(b));
  division_slow<<<blocks, 256>>>(a, b, 128, 128, 256);
  division_fixed<<<blocks, 256>>>(a, b, 128, 128, 256);
  barriers_slow<<<132 * 2, 256>>>(a, b);
  barriers_fixed<<<132 * 2, 256>>>(a, b);
  return cudaDeviceSynchronize() != cudaSuccess;
}

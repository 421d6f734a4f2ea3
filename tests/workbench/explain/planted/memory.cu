// Kernels that are slow because of their memory accesses, each with a fixed version; planted_test.cpp has the expected
// sentences. Arrays are not initialised: their contents do not matter. A few blocks of each launch are counted.
constexpr int n = 1 << 24;  // elements

struct Particle {
  float x, y, z, mass, charge;
};

__global__ void uncoalesced_slow(const Particle* particles, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = particles[i].x * 2;
}
__global__ void uncoalesced_fixed(const float* x, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i] * 2;
}

/// Eight elements per thread.
__device__ void twice(const float* in, float* out) {
  float x[8];
  const int i = blockIdx.x * 2048 + threadIdx.x;
  for (int k = 0; k < 8; ++k) x[k] = in[i + k * 256];
  for (int k = 0; k < 8; ++k) out[i + k * 256] = x[k] * 2;
}
__global__ void misaligned_slow(const float* in, float* out) { twice(in + 1, out + 1); }
__global__ void misaligned_fixed(const float* in, float* out) { twice(in, out); }

__global__ void stride_slow(const float* matrix, float* out) {  // reads columns of a matrix with rows of 4096
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = matrix[(i % 4096) * 4096 + i / 4096];
}
__global__ void stride_fixed(const float* matrix, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = matrix[(i / 4096) * 4096 + i % 4096];
}

__global__ void banks2_slow(const float* in, float* out) {
  __shared__ float tile[640];
  const int t = threadIdx.x;
  tile[t] = in[blockIdx.x * 256 + t];
  for (int i = t + 256; i < 640; i += 256) tile[i] = 0;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += tile[2 * (t + k)];
  out[blockIdx.x * 256 + t] = sum;
}
__global__ void banks2_fixed(const float* in, float* out) {
  __shared__ float tile[640];
  const int t = threadIdx.x;
  tile[t] = in[blockIdx.x * 256 + t];
  for (int i = t + 256; i < 640; i += 256) tile[i] = 0;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += tile[t + k];
  out[blockIdx.x * 256 + t] = sum;
}

__global__ void banks32_slow(const float* in, float* out) {
  __shared__ float tile[32][32];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32, row = blockIdx.y * 32;
  tile[y][x] = in[(row + y) * 4096 + column + x];
  __syncthreads();
  out[(column + y) * 4096 + row + x] = tile[x][y];
}
__global__ void banks32_fixed(const float* in, float* out) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32, row = blockIdx.y * 32;
  tile[y][x] = in[(row + y) * 4096 + column + x];
  __syncthreads();
  out[(column + y) * 4096 + row + x] = tile[x][y];
}

__global__ void atomics_slow(const float* in, float* sum) { atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void atomics_fixed(const float* in, float* sum) {
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
  for (int lanes = 16; lanes > 0; lanes /= 2) mine += __shfl_down_sync(~0u, mine, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

__global__ void reread_slow(const float* a, const float* b, float* c) {  // a matrix product
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < 1024; ++k) sum += a[y * 1024 + k] * b[k * 1024 + x];
  c[y * 1024 + x] = sum;
}
__global__ void reread_fixed(const float* a, const float* b, float* c) {
  __shared__ float tile_a[64][17], tile_b[16][64];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 64, row = blockIdx.y * 64;
  float sums[4][4] = {};
  for (int k = 0; k < 1024; k += 16) {
    for (int j = 0; j < 4; ++j) {
      tile_a[y + 16 * j][x] = a[(row + y + 16 * j) * 1024 + k + x];
      tile_b[y][x + 16 * j] = b[(k + y) * 1024 + column + x + 16 * j];
    }
    __syncthreads();
    for (int kk = 0; kk < 16; ++kk) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) sums[i][j] += tile_a[y + 16 * i][kk] * tile_b[kk][x + 16 * j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) c[(row + y + 16 * i) * 1024 + column + x + 16 * j] = sums[i][j];
  }
}

int main() {
  float *a, *b, *c;
  cudaMalloc(&a, sizeof(Particle) * n + 4);
  cudaMalloc(&b, sizeof(float) * n + 4);
  cudaMalloc(&c, sizeof(float) * n + 4);
  const int blocks = n / 256;
  const dim3 tiles(128, 128), tile(32, 32), square(16, 16);
  uncoalesced_slow<<<blocks, 256>>>(reinterpret_cast<const Particle*>(a), b);
  uncoalesced_fixed<<<blocks, 256>>>(a, b);
  misaligned_slow<<<blocks / 8, 256>>>(a, b);
  misaligned_fixed<<<blocks / 8, 256>>>(a, b);
  stride_slow<<<blocks, 256>>>(a, b);
  stride_fixed<<<blocks, 256>>>(a, b);
  banks2_slow<<<blocks, 256>>>(a, b);
  banks2_fixed<<<blocks, 256>>>(a, b);
  banks32_slow<<<tiles, tile>>>(a, b);
  banks32_fixed<<<tiles, tile>>>(a, b);
  atomics_slow<<<blocks, 256>>>(a, b);
  atomics_fixed<<<1056, 256>>>(a, b);
  reread_slow<<<dim3(64, 64), square>>>(a, b, c);
  reread_fixed<<<dim3(16, 16), square>>>(a, b, c);
  return cudaDeviceSynchronize() != cudaSuccess;
}

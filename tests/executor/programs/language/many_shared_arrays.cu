// The shared arrays of all kernels together exceed 16 MiB, as in a program with hundreds of kernels: each must be
// addressable. Only the last one is small enough for a launch.
#include <cstdio>

template <int n>
struct Tile { float at[n]; };

template <int n>
__global__ void shift(float* out) {
  __shared__ Tile<n> tile;
  tile.at[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile.at[(threadIdx.x + 1) % 32];
}

template <int n>
void launch(float* out, int k) {
  if (k == n) shift<(n << 16) + 32><<<1, 32>>>(out);
  if constexpr (n > 0) launch<n - 1>(out, k);
}

int main(int argc, char**) {
  float *out, host[32];
  cudaMalloc(&out, sizeof host);
  launch<12>(out, argc - 1);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    if (host[i] != (i + 1) % 32) return std::printf("%d: %g\n", i, host[i]), 1;
  }
  return 0;
}

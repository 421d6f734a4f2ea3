// expect: clean
// All threads take the same calls; the compiler may make copies of them.
__device__ __forceinline__ void meet(float* tile) {
  tile[threadIdx.x] += 1;
  __syncthreads();
}

template <int n>
__global__ void calls(float* out, int m) {
  __shared__ float tile[64];
  tile[threadIdx.x] = 0;
  meet(tile);
#pragma unroll
  for (int i = 0; i < n; ++i) meet(tile);
  for (int i = 0; i < m; ++i) {
    if (threadIdx.x < 32) tile[threadIdx.x] *= 2;
    meet(tile);
  }
  meet(tile);
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  calls<4><<<1, 64>>>(out, 3);
  cudaDeviceSynchronize();
  cudaFree(out);
}

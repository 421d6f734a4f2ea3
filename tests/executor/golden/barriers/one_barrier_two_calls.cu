// expect: divergent_barrier kernel=calls line=5 other=5
// One barrier in a function, which lanes of a warp reach through different calls.
__device__ __forceinline__ void meet(float* tile) {
  tile[threadIdx.x] += 1;
  __syncthreads();
}

__global__ void calls(float* out) {
  __shared__ float tile[64];
  tile[threadIdx.x] = 0;
  if (threadIdx.x % 2 == 0) {
    meet(tile);
    out[threadIdx.x] = tile[threadIdx.x];
  } else {
    meet(tile);
    out[threadIdx.x] = 2 * tile[threadIdx.x];
  }
}

int main() {
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  calls<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// options: --strict
// expect: stale_read_only kernel=smooth line=8 other=6
// An array that a kernel promises only to read is written through another pointer.
__global__ void smooth(const float* __restrict__ in, float* out) {
  const int t = threadIdx.x;
  out[t] = t;
  __syncthreads();
  out[t + 64] = in[(t + 1) % 64];
}

int main() {
  float* memory;
  cudaMalloc(&memory, 128 * sizeof(float));
  cudaMemset(memory, 0, 128 * sizeof(float));
  smooth<<<1, 64>>>(memory, memory);
  cudaDeviceSynchronize();
  cudaFree(memory);
}

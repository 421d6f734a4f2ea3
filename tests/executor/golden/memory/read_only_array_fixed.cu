// options: --strict
// expect: clean
// Two arrays; two parts of one allocation; an update in place that reads each element before it writes it.
__global__ void smooth(const float* __restrict__ in, float* out) {
  const int t = threadIdx.x;
  out[t] = t;
  __syncthreads();
  out[t] += in[(t + 1) % 64] + out[t];
}

__global__ void twice(const float* __restrict__ in, float* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }

__global__ void no_promise(const float* in, float* out) {
  const int t = threadIdx.x;
  out[t] = t;
  __syncthreads();
  out[t + 64] = in[(t + 1) % 64];
}

int main() {
  float *memory, *other;
  cudaMalloc(&memory, 128 * sizeof(float));
  cudaMalloc(&other, 64 * sizeof(float));
  cudaMemset(memory, 0, 128 * sizeof(float));
  smooth<<<1, 64>>>(memory, other);
  smooth<<<1, 64>>>(memory, memory + 64);
  twice<<<1, 64>>>(memory, memory);
  no_promise<<<1, 64>>>(memory, memory);
  cudaDeviceSynchronize();
  cudaFree(memory);
  cudaFree(other);
}

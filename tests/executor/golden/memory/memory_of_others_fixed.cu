// expect: clean
// Threads pass values instead of addresses; the array that a kernel writes is not read through the read-only cache.
__device__ int first_of(const int* pair) { return pair[0] + pair[1]; }

__global__ void passes_value(int* out) {
  __shared__ int value;
  int own[4] = {int(threadIdx.x), 1, 2, 3};
  if (threadIdx.x == 0) value = first_of(own);
  __syncthreads();
  int* const mine = own;
  out[threadIdx.x] = value + mine[threadIdx.x % 4];
}

__global__ void reads_other(const int* in, int* out) {
  const int t = threadIdx.x;
  out[t] = t;
  __syncthreads();
  out[t + 64] = __ldg(&in[63 - t]) + out[63 - t];
}

int main() {
  int *memory, *input;
  cudaMalloc(&memory, 128 * sizeof(int));
  cudaMalloc(&input, 64 * sizeof(int));
  cudaMemset(memory, 0, 128 * sizeof(int));
  cudaMemset(input, 0, 64 * sizeof(int));
  passes_value<<<1, 64>>>(memory);
  reads_other<<<1, 64>>>(input, memory);
  cudaMemcpy(memory + 64, memory, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(memory + 8, 64, memory, 64, 32, 8, cudaMemcpyDeviceToDevice);
  cudaMemcpy(memory, memory, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaFree(memory);
  cudaFree(input);
}

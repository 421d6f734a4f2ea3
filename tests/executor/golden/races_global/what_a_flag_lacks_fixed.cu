// expect: clean
// The fence is between the data and the flag, and reaches the other block.
__global__ void with_fence(int* data, int* flag) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 1;
    __threadfence();
    atomicExch(&flag[threadIdx.x], 1);
  } else {
    while (atomicAdd(&flag[threadIdx.x], 0) == 0) __nanosleep(10);
    __threadfence();
    data[32 + threadIdx.x] = data[threadIdx.x];
  }
}

int main() {
  int *data, *flag;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&flag, 32 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  cudaMemset(flag, 0, 32 * sizeof(int));
  with_fence<<<2, 32>>>(data, flag);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
}

// expect: race kernel=no_fence line=8 other=13
// expect: race kernel=early_fence line=20 other=26
// expect: race kernel=narrow_fence line=31 other=38
// expect: race kernel=no_flag line=43 other=43
// A flag connects the threads, but its fence is missing, misplaced or of too small a scope. The report names the remedy.
__global__ void no_fence(int* data, int* flag) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 1;
    atomicExch(&flag[threadIdx.x], 1);
  } else {
    while (atomicAdd(&flag[threadIdx.x], 0) == 0) __nanosleep(10);
    __threadfence();
    data[32 + threadIdx.x] = data[threadIdx.x];
  }
}

__global__ void early_fence(int* data, int* flag) {
  if (blockIdx.x == 0) {
    __threadfence();
    data[threadIdx.x] = 1;
    atomicExch(&flag[threadIdx.x], 1);
  } else {
    while (atomicAdd(&flag[threadIdx.x], 0) == 0) __nanosleep(10);
    __threadfence();
    // The writer's fence is on the wrong side of its store.
    data[32 + threadIdx.x] = data[threadIdx.x];
  }
}
__global__ void narrow_fence(int* data, int* flag) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 1;
    __threadfence_block();
    atomicExch(&flag[threadIdx.x], 1);
  } else {
    while (atomicAdd(&flag[threadIdx.x], 0) == 0) __nanosleep(10);
    __threadfence();
    // Its fence reaches its own block only.
    data[32 + threadIdx.x] = data[threadIdx.x];
  }
}

__global__ void no_flag(int* data) {
  data[(threadIdx.x + 1) % 64] = data[threadIdx.x];
}

int main() {
  int *data, *flag;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&flag, 32 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  cudaMemset(flag, 0, 32 * sizeof(int));
  no_fence<<<2, 32>>>(data, flag);
  cudaMemset(flag, 0, 32 * sizeof(int));
  early_fence<<<2, 32>>>(data, flag);
  cudaMemset(flag, 0, 32 * sizeof(int));
  narrow_fence<<<2, 32>>>(data, flag);
  no_flag<<<1, 64>>>(data);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(flag);
}

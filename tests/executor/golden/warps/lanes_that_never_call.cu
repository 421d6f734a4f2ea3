// expect: bad_mask kernel=in_branch line=9 other=11
// expect: bad_mask kernel=synchronises line=15 other=18
// expect: bad_source_lane kernel=uses line=22
// The mask names lanes that never make the call, and the value of a lane that does not take part is used.
__device__ int sum_of(int value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffff, value, step);
  return value;
}
__global__ void in_branch(int* out, int n) { if (threadIdx.x < n) out[threadIdx.x] = __any_sync(0xffffffff, 1);
  out[threadIdx.x] += 1;
}

__global__ void synchronises(int* out) {
  if (threadIdx.x % 2 == 0) {
    __syncwarp();
    out[threadIdx.x] = 1;
  }
}

__global__ void uses(int* out) {
  if (threadIdx.x >= 20) return;
  int other = __shfl_down_sync(0xfffff, 1, 8);
  if (threadIdx.x + 8 < 32) out[threadIdx.x] = other;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(out, 0, 32 * sizeof(int));
  in_branch<<<1, 32>>>(out, 20);
  synchronises<<<1, 32>>>(out);
  uses<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

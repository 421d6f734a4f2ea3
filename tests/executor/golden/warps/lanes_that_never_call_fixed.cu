// expect: clean
// The masks name the lanes that call; a value from a lane that does not take part is not used.
__global__ void in_branch(int* out, int n) {
  const unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < n);
  if (threadIdx.x < n) out[threadIdx.x] = __any_sync(mask, 1);
}

__global__ void returned(int* out, int n) {
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = __any_sync(0xffffffff, 1);  // a note: lanes that returned do not hold up the others
}

__global__ void synchronises(int* out) {
  if (threadIdx.x % 2 == 0) {
    __syncwarp(0x55555555);
    out[threadIdx.x] = 1;
  }
}

__global__ void discards(int* out) {
  if (threadIdx.x >= 20) return;
  const unsigned mask = 0xfffff;
  int sum = 1;
  for (int step = 16; step > 0; step /= 2) {
    int other = __shfl_down_sync(mask, sum, step);
    if (threadIdx.x + step < 20) sum += other;
  }
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_down_sync(mask, sum, step);
    sum = threadIdx.x + step < 20 ? sum + other : sum;
  }
  if (threadIdx.x == 0) *out = sum;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  in_branch<<<1, 32>>>(out, 20);
  returned<<<1, 32>>>(out, 20);
  synchronises<<<1, 32>>>(out);
  discards<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

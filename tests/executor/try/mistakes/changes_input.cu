__global__ void sum_1024(float* inp, float* dest, int size) {
  int t = threadIdx.x, first = blockIdx.x * 1024;
  for (int n = 512; n > 0; n /= 2) {
    if (t < n && first + t + n < size) inp[first + t] += inp[first + t + n];
    __syncthreads();
  }
  if (t == 0) dest[blockIdx.x] = inp[first];
}

__global__ void sum_1024(const float* inp, float* dest, int size) {
  __shared__ float tile[1024];
  const int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  tile[t] = i < size ? inp[i] : 0;
  __syncthreads();
  for (int n = 512; n > 16; n /= 2) {
    if (t < n) tile[t] += tile[t + n];
    __syncthreads();
  }
  if (t < 32) {
    for (int n = 16; n > 0; n /= 2) {
      if (t < n) tile[t] += tile[t + n];
    }
  }
  if (t == 0) dest[blockIdx.x] = tile[0];
}

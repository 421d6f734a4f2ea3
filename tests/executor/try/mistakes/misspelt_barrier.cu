__global__ void sum_1024(const float* inp, float* dest, int size) {
  __shared__ float tile[1024];
  const int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  tile[t] = i < size ? inp[i] : 0;
  __syncthread();
  if (t == 0) dest[blockIdx.x] = tile[0];
}

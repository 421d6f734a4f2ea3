__global__ void scan(const float* inp, float* dest, long size) {
  for (long i = threadIdx.x; i < size; i += blockDim.x) dest[i] = inp[i];
  __syncthreads();
  for (long d = 1; d < size; d *= 2) {
    for (long i = threadIdx.x; i < size; i += blockDim.x)
      if (i >= d) dest[i] += dest[i - d];
    __syncthreads();
  }
}

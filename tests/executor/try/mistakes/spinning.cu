__global__ void sum_rows(float* dest, const float* inp, long long ncols, long long nrows) {
  long long c = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned n = 1;
  while (n != 0) n += 2;
  if (c < ncols) dest[c] = inp[c * nrows] + n;
}

__global__ void sum_rows(float* dest, const float* __restrict__ inp, long long ncols, long long nrows) {
  const long long c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= ncols) return;
  float sum = 0;
  for (long long r = 0; r < nrows; ++r) sum += inp[c * nrows + r];
  dest[c] = sum;
}

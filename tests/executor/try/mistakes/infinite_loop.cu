__global__ void sum_rows(float* dest, const float* inp, long long ncols, long long nrows) {
  long long c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= ncols) return;
  float sum = 0;
  for (long long r = 0; r < nrows; c++) sum += inp[c % ncols * nrows + r];
  dest[c] = sum;
}

__global__ void sum_rows(float* dest, const float* inp, long ncols, long nrows) {
  long c = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (c >= ncols) return;
  int sum = 0;
  for (long r = 0; r < nrows; ++r) sum += inp[c * nrows + r];
  dest[c] = sum;
}

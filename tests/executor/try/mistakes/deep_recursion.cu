__device__ float sum(const float* row, long n) {
  volatile float rest[100];
  rest[n % 100] = sum(row, n + 1);
  return rest[n % 100] + row[n];
}

__global__ void sum_rows(float* dest, const float* inp, long ncols, long nrows) {
  long c = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (c < ncols) dest[c] = sum(inp + c * nrows, 0);
}

__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}

__global__ void row_maxima(const int* in, int* out, int rows, int cols) {
  if (threadIdx.x > 0 || blockIdx.x >= rows) return;
  int most = 1000;
  for (int c = 0; c < cols; ++c) most = max(most, in[blockIdx.x * cols + c]);
  out[blockIdx.x] = most;
}

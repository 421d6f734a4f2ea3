__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

__global__ void row_maxima(const int* in, int* out, int rows, int cols) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  if (blockIdx.x >= rows) return;
  int most = in[blockIdx.x * cols];
  for (int c = t; c < cols; c += 128) most = max(most, in[blockIdx.x * cols + c]);
  tile[t] = most;
  __syncthreads();
  for (int n = 64; n > 0; n /= 2) {
    if (t < n) tile[t] = max(tile[t], tile[t + n]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

__global__ void add(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}
void total(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof *out);
  add<<<(n + 255) / 256, 256>>>(in, out, n);
}

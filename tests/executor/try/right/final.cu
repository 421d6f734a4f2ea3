// sum_1024, and the host function that launches it until one sum remains.
__global__ void sum_1024(const float* inp, float* dest, int size) {
  __shared__ float tile[1024];
  const int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  tile[t] = i < size ? inp[i] : 0;
  __syncthreads();
  for (int n = 512; n > 0; n /= 2) {
    if (t < n) tile[t] += tile[t + n];
    __syncthreads();
  }
  if (t == 0) dest[blockIdx.x] = tile[0];
}

void sum_final(const float* inp, float* dest, int size) {
  float* rounds[2] = {};
  for (float*& sums : rounds) cudaMalloc(&sums, (size + 1023) / 1024 * sizeof(float));
  for (int n = size, round = 0; inp != dest; ++round) {
    const int n_blocks = (n + 1023) / 1024;
    float* sums = n_blocks == 1 ? dest : rounds[round % 2];
    sum_1024<<<n_blocks, 1024>>>(inp, sums, n);
    inp = sums;
    n = n_blocks;
  }
  for (float* sums : rounds) cudaFree(sums);
}

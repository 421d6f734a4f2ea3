// options: --bounds=members
// expect: clean
// Every index stays in its row or member; a pointer may walk through all rows.
struct Particle {
  float position[3];
  float velocity[3];
};

__global__ void rows(float* out, int n) {
  __shared__ float tile[8][32];
  for (int y = 0; y < 8; ++y) tile[y][threadIdx.x] = y;
  __syncthreads();
  out[threadIdx.x] = tile[2][(threadIdx.x + 1) % 32];
  out[threadIdx.x] += tile[3][31 + n];
  const float* all = &tile[0][0];
  for (int i = threadIdx.x; i < 256; i += 32) out[threadIdx.x] += all[i];
}

__global__ void members(Particle* all) {
  float sum = 0;
  for (int i = 0; i < 3; ++i) sum += all[threadIdx.x].position[i];
  all[threadIdx.x].velocity[0] = sum;
}

int main() {
  float* out;
  Particle* all;
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMalloc(&all, 32 * sizeof(Particle));
  cudaMemset(all, 0, 32 * sizeof(Particle));
  rows<<<1, 32>>>(out, -1);
  members<<<1, 32>>>(all);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(all);
}

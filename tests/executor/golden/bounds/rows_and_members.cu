// options: --bounds=members
// expect: out_of_bounds kernel=rows line=15
// expect: out_of_bounds kernel=rows line=16
// expect: out_of_bounds kernel=members line=21
// Indices that leave a row or a member, but not the whole array.
struct Particle {
  float position[3];
  float velocity[3];
};

__global__ void rows(float* out, int n) {
  __shared__ float tile[8][32];
  for (int y = 0; y < 8; ++y) tile[y][threadIdx.x] = y;
  __syncthreads();
  out[threadIdx.x] = tile[2][threadIdx.x + 1];
  out[threadIdx.x] += tile[3][n];
}

__global__ void members(Particle* all) {
  float sum = 0;
  for (int i = 0; i <= 3; ++i) sum += all[threadIdx.x].position[i];
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

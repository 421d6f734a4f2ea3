// expect: too_many_blocks kernel=meet line=6
// The last blocks cannot start before the first ones end, which wait for them.
__global__ void meet(unsigned* arrived, int* out) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) __nanosleep(100);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

int main() {
  unsigned* arrived;
  int* out;
  cudaMalloc(&arrived, sizeof(unsigned));
  cudaMalloc(&out, 40 * sizeof(int));
  cudaMemset(arrived, 0, sizeof(unsigned));
  meet<<<40, 1024>>>(arrived, out);
  cudaDeviceSynchronize();
  cudaFree(arrived);
  cudaFree(out);
}

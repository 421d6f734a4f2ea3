// expect: clean
// A grid whose blocks are all resident may wait for itself; many blocks may update counters for long.
__global__ void meet(unsigned* arrived, int* out) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) __nanosleep(100);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

__global__ void count(unsigned* bins) {
  for (int i = 0; i < 700; ++i) atomicAdd(&bins[i % 4], 1);
}

int main() {
  unsigned* bins;
  int* out;
  cudaMalloc(&bins, 4 * sizeof(unsigned));
  cudaMalloc(&out, 40 * sizeof(int));
  cudaMemset(bins, 0, 4 * sizeof(unsigned));
  meet<<<32, 1024>>>(bins, out);
  count<<<1100, 1>>>(bins);
  cudaDeviceSynchronize();
  cudaFree(bins);
  cudaFree(out);
}

// expect: divergent_barrier kernel=gather line=10 other=12
// A barrier in a loop whose trip count differs between threads; threads with fewer iterations have exited.
#include <cuda_runtime.h>

__global__ void gather(const int* lengths, int* out, int longest) {
  int t = threadIdx.x, sum = 0, mine = lengths[t];
  for (int k = 0; k < mine; ++k) {
    if (k < mine) sum += k * t;
    out[t] = sum;
    __syncthreads();
  }
}

int main() {
  int lengths[64], *d_lengths, *out;
  for (int t = 0; t < 64; ++t) lengths[t] = 1 + t / 32;
  cudaMalloc(&d_lengths, sizeof(lengths));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemcpy(d_lengths, lengths, sizeof(lengths), cudaMemcpyHostToDevice);
  gather<<<1, 64>>>(d_lengths, out, 2);
  cudaDeviceSynchronize();
  cudaFree(d_lengths);
  cudaFree(out);
  return 0;
}

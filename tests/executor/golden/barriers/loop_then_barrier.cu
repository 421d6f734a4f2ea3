// expect: divergent_barrier kernel=gather line=12 other=15
// allow: divergent_barrier kernel=gather line=15 other=17
// Some threads are still in a loop with a barrier while the others wait at the barrier after the loop.
#include <cuda_runtime.h>

__global__ void gather(const int* lengths, int* out, int longest) {
  __shared__ int total[64];
  int t = threadIdx.x, mine = lengths[t];
  total[t] = 0;
  for (int k = 0; k < mine; ++k) {
    if (k < mine) total[t] += k + t;
    __syncthreads();
  }
  total[t] *= 2;
  __syncthreads();
  out[t] = total[t];
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

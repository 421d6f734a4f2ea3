// expect: clean
// A shuffle reads a lane of the mask.
#include <cuda_runtime.h>

__global__ void broadcast(const int* in, int* out) {
  int lane = threadIdx.x, v = in[lane];
  if (lane < 16) {
    v = __shfl_sync(0x0000ffffu, v, 12);
  }
  out[lane] = v;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 1, 32 * sizeof(int));
  broadcast<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

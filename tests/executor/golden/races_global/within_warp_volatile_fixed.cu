// expect: clean
// The lanes synchronise between the write of one and the read of another.
#include <cuda_runtime.h>

__global__ void sum(int* data, int* out) {
  volatile int* values = data + blockIdx.x * 32;
  int lane = threadIdx.x;
  for (int distance = 16; distance >= 1; distance /= 2) {
    int other = values[(lane + distance) % 32];
    __syncwarp();
    if (lane < distance) values[lane] += other;
    __syncwarp();
  }
  if (lane == 0) out[blockIdx.x] = values[0];
}

int main() {
  int *data, *out;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  sum<<<2, 32>>>(data, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(out);
  return 0;
}

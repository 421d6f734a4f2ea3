// A warp waits for a volatile variable, which another warp sets.
// expect: clean
#include <cstdio>

__global__ void wait(int* out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    while (flag == 0) {
    }
    out[threadIdx.x] = 1;
  } else if (threadIdx.x == 32) {
    flag = 1;
  }
}

int main() {
  int *out, first;
  cudaMalloc(&out, 32 * sizeof(int));
  wait<<<1, 64>>>(out);
  cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%d\n", first);
  cudaFree(out);
}

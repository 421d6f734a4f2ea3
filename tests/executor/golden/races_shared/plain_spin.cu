// A warp waits for a plain variable, which another warp sets. The compiler may read it only once.
// expect: race kernel=wait space=shared line=10 other=14
#include <cstdio>

__global__ void wait(int* out) {
  __shared__ int flag;
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

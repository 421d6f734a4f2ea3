// expect: clean
// A barrier before the plane below is read.
#include <cuda_runtime.h>

__global__ void lift(const int* in, int* out) {
  __shared__ int cube[4][4][8];
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  int i = ((blockIdx.z * 4 + z) * 4 + y) * 8 + x;
  cube[z][y][x] = -1;
  __syncthreads();
  cube[z][y][x] = in[i];
  __syncthreads();
  out[i] = cube[(z + 1) % 4][y][x];
}

int main() {
  const int n = 3 * 128;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 1, n * sizeof(int));
  lift<<<dim3(1, 1, 3), dim3(8, 4, 4)>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

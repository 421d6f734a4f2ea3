// expect: clean
// The last plane is skipped.
#include <cuda_runtime.h>

__global__ void upwind(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  int i = (z * n + y) * n + x;
  if (x < n && y < n && z < n - 1) out[i] = in[i + n * n];
}

int main() {
  const int n = 11, bytes = n * n * n * sizeof(float);
  float *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(in, 0, bytes);
  upwind<<<dim3(3, 3, 3), dim3(4, 4, 4)>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

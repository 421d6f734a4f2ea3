// expect: out_of_bounds kernel=gradient line=9 space=global
// The right neighbour of the last column is the next row's first element; in the last row it is past the end.
#include <cuda_runtime.h>

__global__ void gradient(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float right = in[y * width + x + 1];
  out[y * width + x] = right - in[y * width + x];
}

int main() {
  const int width = 45, height = 19;
  float *in, *out;
  cudaMalloc(&in, width * height * sizeof(float));
  cudaMalloc(&out, width * height * sizeof(float));
  cudaMemset(in, 0, width * height * sizeof(float));
  gradient<<<dim3(3, 3), dim3(16, 8)>>>(in, out, width, height);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

// expect: uninitialised kernel=blur line=12 space=shared
// The tile's left and right halo columns are read but never loaded.
#include <cuda_runtime.h>

__global__ void blur(const float* in, float* out, int width, int height) {
  __shared__ float tile[8][18];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y;
  bool inside = x < width && y < height;
  tile[ty][tx] = inside ? in[y * width + x] : 0.0f;
  __syncthreads();
  float sum = tile[ty][tx - 1] + tile[ty][tx] + tile[ty][tx + 1];
  if (inside) out[y * width + x] = sum / 3.0f;
}

int main() {
  const int width = 40, height = 20;
  float *in, *out;
  cudaMalloc(&in, width * height * sizeof(float));
  cudaMalloc(&out, width * height * sizeof(float));
  cudaMemset(in, 0, width * height * sizeof(float));
  blur<<<dim3(3, 3), dim3(16, 8)>>>(in, out, width, height);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

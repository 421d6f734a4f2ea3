// expect: clean
// The stream of the kernels that read the coefficients also replaces them.
#include <cuda_runtime.h>
#include <stdio.h>

__constant__ float weights[3];

__global__ void blur(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = weights[0] * in[i - 1] + weights[1] * in[i] + weights[2] * in[i + 1];
}

int main() {
  const int n = 128;
  const float first[3] = {0.25f, 0.5f, 0.25f};
  float *second, *in, *out;
  cudaStream_t kernels, copies;
  cudaStreamCreate(&kernels);
  cudaStreamCreate(&copies);
  cudaMallocHost(&second, sizeof(first));
  for (int i = 0; i < 3; ++i) second[i] = 1.0f / 3;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  cudaMemcpyToSymbol(weights, first, sizeof(first));
  blur<<<1, 128, 0, kernels>>>(in, out, n);

  cudaMemcpyToSymbolAsync(weights, second, sizeof(first), 0, cudaMemcpyHostToDevice, kernels);
  cudaDeviceSynchronize();
  blur<<<1, 128, 0, kernels>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  cudaFreeHost(second);
  cudaStreamDestroy(kernels);
  cudaStreamDestroy(copies);
  return 0;
}

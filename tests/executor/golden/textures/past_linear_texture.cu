// expect: out_of_bounds kernel=gradient line=8 space=global
// options: --strict
// The last thread fetches a texel past the end of the texture: GPUs return 0, but this is not guaranteed.
#include <cuda_runtime.h>

__global__ void gradient(cudaTextureObject_t table, float *out, int n, int last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(table, min(i + 1, last)) - tex1Dfetch<float>(table, i);
}

int main() {
  const int n = 100;
  static float host[n];
  float *data, *out;
  cudaMalloc(&data, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(data, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc description = {};
  cudaTextureObject_t table = 0;
  cudaCreateTextureObject(&table, &resource, &description, nullptr);
  gradient<<<2, 64>>>(table, out, n, n);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(table);
  cudaFree(data);
  cudaFree(out);
}

// expect: clean
// The texture object is created before the kernel gets it.
#include <cuda_runtime.h>

__global__ void copy(cudaTextureObject_t table, float *out) {
  out[threadIdx.x] = tex1Dfetch<float>(table, threadIdx.x);
}

int main() {
  const int n = 32;
  float *data, *out;
  cudaMalloc(&data, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(data, 0, n * sizeof(float));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc description = {};
  cudaTextureObject_t table = 0;
  if (resource.res.linear.sizeInBytes != 0) cudaCreateTextureObject(&table, &resource, &description, nullptr);
  copy<<<1, n>>>(table, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(out);
}

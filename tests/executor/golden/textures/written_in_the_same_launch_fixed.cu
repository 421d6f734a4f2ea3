// expect: clean
// One launch writes the rows, the next reads them through a texture.
#include <cuda_runtime.h>

__global__ void smooth(cudaTextureObject_t table, float *data, float *out, int phase) {
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (phase != 1) data[i] = t;
  __syncthreads();
  if (phase != 0) out[i] = tex1Dfetch<float>(table, blockIdx.x * 64 + (t + 1) % 64);
}

int main() {
  const int n = 256;
  float *data, *out;
  cudaMalloc(&data, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc description = {};
  cudaTextureObject_t table = 0;
  cudaCreateTextureObject(&table, &resource, &description, nullptr);
  smooth<<<4, 64>>>(table, data, out, 0);
  smooth<<<4, 64>>>(table, data, out, 1);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(table);
  cudaFree(data);
  cudaFree(out);
}

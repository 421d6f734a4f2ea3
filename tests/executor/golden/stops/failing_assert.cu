// expect: assert kernel=root line=9
// A device assert fails in one thread.
#include <assert.h>
#include <cuda_runtime.h>

__global__ void root(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  assert(in[i] >= 0.0f);
  out[i] = sqrtf(in[i]);
}

int main() {
  const int n = 100;
  float host[n], *in, *out;
  for (int i = 0; i < n; ++i) host[i] = i;
  host[70] = -1.0f;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  root<<<2, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

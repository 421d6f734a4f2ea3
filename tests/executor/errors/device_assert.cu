// A device assert names its thread, ends the launch and is a sticky error.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>

#define EXPECT(x) \
  if (!(x)) return std::printf("line %d: %s\n", __LINE__, #x), 1

__global__ void positive(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(in[i] > 0);
  out[i] = in[i];
}

int main() {
  int host[64], *in = nullptr, *out = nullptr;
  for (int i = 0; i < 64; ++i) host[i] = i == 37 ? -1 : 1;
  EXPECT(cudaMalloc(&in, sizeof host) == cudaSuccess && cudaMalloc(&out, sizeof host) == cudaSuccess);
  EXPECT(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);
  positive<<<dim3(2), dim3(32)>>>(in, out);
  EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
  EXPECT(cudaGetLastError() == cudaErrorAssert);
  EXPECT(cudaMemset(out, 0, 4) == cudaErrorAssert);
  EXPECT(cudaGetLastError() == cudaErrorAssert);
  std::printf("as on a GPU\n");
}

// expect: trap kernel=decode line=10
// An unknown opcode ends in __trap().
#include <cuda_runtime.h>

__global__ void decode(const int* codes, int* out, int width) {
  int i = threadIdx.y * width + threadIdx.x;
  switch (codes[i]) {
    case 0: out[i] = 0; break;
    case 1: out[i] = 10; break;
    default: __trap();
  }
}

int main() {
  const int width = 8, height = 4;
  int host[width * height], *codes, *out;
  for (int i = 0; i < width * height; ++i) host[i] = i % 2;
  host[13] = 5;
  cudaMalloc(&codes, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(codes, host, sizeof(host), cudaMemcpyHostToDevice);
  decode<<<1, dim3(width, height)>>>(codes, out, width);
  cudaDeviceSynchronize();
  cudaFree(codes);
  cudaFree(out);
  return 0;
}

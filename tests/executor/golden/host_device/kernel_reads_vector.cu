// expect: kernel_touches_host kernel=sum line=10
// The kernel gets the address of a std::vector's elements.
#include <cuda_runtime.h>

#include <vector>

__global__ void sum(const int* in, int n, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = in[i];
  atomicAdd(out, v);
}

int main() {
  std::vector<int> values(150, 3);
  int *in, *out;
  cudaMalloc(&in, values.size() * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(int));
  sum<<<3, 64>>>(values.data(), static_cast<int>(values.size()), out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}

// expect: clean
// The host fills a host array and copies it.
#include <cuda_runtime.h>

struct Grid {
  float* cells;
  int n;
};

__global__ void scale(Grid g, float s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < g.n) g.cells[i] = s * i;
}

int main() {
  Grid g{nullptr, 100};
  float host[100];
  cudaMalloc(&g.cells, g.n * sizeof(float));
  for (int i = 0; i < g.n; ++i) {
    host[i] = i;
  }
  cudaMemcpy(g.cells, host, sizeof(host), cudaMemcpyHostToDevice);
  scale<<<2, 64>>>(g, 2.0f);
  cudaDeviceSynchronize();
  cudaFree(g.cells);
  return 0;
}

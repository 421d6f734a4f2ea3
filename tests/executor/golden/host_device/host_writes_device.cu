// expect: host_touches_device kernel=- line=19
// The host writes to a device array through a structure that holds its pointer.
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
  cudaMalloc(&g.cells, g.n * sizeof(float));
  for (int i = 0; i < g.n; ++i) {
    g.cells[i] = i;
  }
  scale<<<2, 64>>>(g, 2.0f);
  cudaDeviceSynchronize();
  cudaFree(g.cells);
  return 0;
}

// expect: clean
// atomicCAS tests and marks in one step.
#include <cuda_runtime.h>

__global__ void visit(const int* target, int edges, int* parent) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  int v = target[e];
  atomicCAS(&parent[v], -1, e);
}

int main() {
  const int edges = 150, vertices = 10;
  int target[edges], *d_target, *parent;
  for (int e = 0; e < edges; ++e) target[e] = e * 7 % vertices;
  cudaMalloc(&d_target, sizeof(target));
  cudaMalloc(&parent, vertices * sizeof(int));
  cudaMemcpy(d_target, target, sizeof(target), cudaMemcpyHostToDevice);
  cudaMemset(parent, 0xff, vertices * sizeof(int));
  visit<<<3, 64>>>(d_target, edges, parent);
  cudaDeviceSynchronize();
  cudaFree(d_target);
  cudaFree(parent);
  return 0;
}

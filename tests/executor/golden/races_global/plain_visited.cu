// expect: race kernel=visit line=12 other=10 space=global
// allow: race kernel=visit line=12 other=12 space=global
// Plain loads and stores test and mark vertices; each thread writes its index as the mark.
#include <cuda_runtime.h>

__global__ void visit(const int* target, int edges, int* parent) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  int v = target[e];
  int seen = parent[v];
  if (seen < 0) {
    parent[v] = e;
  }
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

// expect: stream_race kernel=sum line=10 other=36
// expect: host_race kernel=- line=45 other=40
// The kernel node depends on the first fill only, and the host reads the result before the launched graph has finished.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void sum(const int *a, const int *b, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

int main() {
  int n = 300, *a, *b, *out, *host = (int *)malloc(n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t fills[2], add, fetch;
  cudaGraphCreate(&graph, 0);
  cudaMemsetParams fill = {0};
  fill.elementSize = 4;
  fill.width = n;
  fill.height = 1;
  fill.value = 21;
  fill.dst = a;
  cudaGraphAddMemsetNode(&fills[0], graph, NULL, 0, &fill);
  void *arguments[] = {&a, &b, &out, &n};
  cudaKernelNodeParams kernel = {(void *)sum, dim3(2), dim3(256), 0, arguments, NULL};
  fill.dst = b;
  const int edges = 1;  // dependencies of the kernel node
  cudaGraphAddMemsetNode(&fills[1], graph, NULL, 0, &fill);
  cudaGraphAddKernelNode(&add, graph, fills, edges, &kernel);
  // pageable memory: the graph writes it when it runs
  const size_t bytes = n * sizeof(int);
  cudaGraphAddMemcpyNode1D(&fetch, graph, &add, 1, host, out, bytes, cudaMemcpyDeviceToHost);

  cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
  cudaGraphLaunch(exec, stream);
  // a wait is missing here
  printf("%d\n", host[100]);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(a);
  cudaFree(b);
  cudaFree(out);
  cudaStreamDestroy(stream);
  free(host);
  return 0;
}

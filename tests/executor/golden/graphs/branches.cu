// expect: stream_race kernel=add line=18 other=13
// The captured streams fork and join only in part: no edge leads from the second scale kernel to the sum.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void fill(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = i;
}

__global__ void scale(const int *in, int *out, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * by;
}

__global__ void add(const int *a, const int *b, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

int main() {
  const int n = 500;
  int *in, *a, *b, *sum, host[n];
  cudaStream_t root, side;
  cudaEvent_t forked, joined;
  cudaStreamCreate(&root);
  cudaStreamCreate(&side);
  cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMalloc(&sum, n * sizeof(int));

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(root, cudaStreamCaptureModeGlobal);
  fill<<<2, 256, 0, root>>>(in, n);
  cudaEventRecord(forked, root);
  cudaStreamWaitEvent(side, forked, 0);
  scale<<<2, 256, 0, root>>>(in, a, n, 2);
  scale<<<2, 256, 0, side>>>(in, b, n, 3);
  cudaEventRecord(joined, side);
  add<<<2, 256, 0, root>>>(a, b, sum, n);
  cudaStreamWaitEvent(root, joined, 0);
  cudaMemcpyAsync(host, sum, sizeof(host), cudaMemcpyDeviceToHost, root);
  cudaStreamEndCapture(root, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, root);
  cudaStreamSynchronize(root);
  printf("%d\n", host[100]);

  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(in);
  cudaFree(a);
  cudaFree(b);
  cudaFree(sum);
  cudaStreamDestroy(root);
  cudaStreamDestroy(side);
  cudaEventDestroy(forked);
  cudaEventDestroy(joined);
  return 0;
}

// expect: stream_race kernel=add line=18 other=13
// The join waits for the first branch only: the second branch's output may not be ready.
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
  int *in, *out[2], *sum, host[n];
  cudaStream_t root, branch[2];
  cudaEvent_t forked, joined[2];
  cudaStreamCreateWithFlags(&root, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&sum, n * sizeof(int));
  for (int b = 0; b < 2; ++b) {
    cudaStreamCreateWithFlags(&branch[b], cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&joined[b], cudaEventDisableTiming);
    cudaMalloc(&out[b], n * sizeof(int));
  }
  fill<<<2, 256, 0, root>>>(in, n);
  cudaEventRecord(forked, root);
  for (int b = 0; b < 2; ++b) {
    cudaStreamWaitEvent(branch[b], forked, 0);
    scale<<<2, 256, 0, branch[b]>>>(in, out[b], n, b + 1);
    cudaEventRecord(joined[b], branch[b]);
  }
  cudaStreamWaitEvent(root, joined[0], 0);
  add<<<2, 256, 0, root>>>(out[0], out[1], sum, n);
  cudaMemcpyAsync(host, sum, sizeof(host), cudaMemcpyDeviceToHost, root);
  cudaStreamSynchronize(root);
  printf("%d\n", host[100]);
  cudaDeviceSynchronize();
  for (int b = 0; b < 2; ++b) {
    cudaFree(out[b]);
    cudaStreamDestroy(branch[b]);
    cudaEventDestroy(joined[b]);
  }
  cudaFree(in);
  cudaFree(sum);
  cudaStreamDestroy(root);
  cudaEventDestroy(forked);
  return 0;
}

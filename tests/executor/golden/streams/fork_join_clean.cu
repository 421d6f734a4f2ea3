// expect: clean
// One stream forks into three and joins them again by events; all read one input, each writes its output.
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

__global__ void add(const int *a, const int *b, const int *c, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i] + c[i];
}

int main() {
  const int n = 500;
  int *in, *out[3], host[n];
  cudaStream_t root, branch[3];
  cudaEvent_t forked, joined[3];
  cudaStreamCreateWithFlags(&root, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
  cudaMalloc(&in, n * sizeof(int));
  for (int b = 0; b < 3; ++b) {
    cudaStreamCreateWithFlags(&branch[b], cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&joined[b], cudaEventDisableTiming);
    cudaMalloc(&out[b], n * sizeof(int));
  }
  for (int round = 0; round < 20; ++round) {
    fill<<<2, 256, 0, root>>>(in, n);
    cudaEventRecord(forked, root);
    for (int b = 0; b < 3; ++b) {
      cudaStreamWaitEvent(branch[b], forked, 0);
      scale<<<2, 256, 0, branch[b]>>>(in, out[b], n, b + 1);
      cudaEventRecord(joined[b], branch[b]);
      cudaStreamWaitEvent(root, joined[b], 0);
    }
    add<<<2, 256, 0, root>>>(out[0], out[1], out[2], in, n);
  }
  cudaMemcpyAsync(host, in, sizeof(host), cudaMemcpyDeviceToHost, root);
  cudaStreamSynchronize(root);
  printf("%d\n", host[100]);
  for (int b = 0; b < 3; ++b) {
    cudaFree(out[b]);
    cudaStreamDestroy(branch[b]);
    cudaEventDestroy(joined[b]);
  }
  cudaFree(in);
  cudaStreamDestroy(root);
  cudaEventDestroy(forked);
  return 0;
}

// expect: stream_race kernel=square line=32 other=9
// A pipeline over three streams that does not wait until an input buffer is free: a copy may overwrite data that the
// kernel of the chunk before the last still reads.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void square(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

int main() {
  const int n = 256, n_chunks = 24;
  int *host_in, *host_out, *in[2], *out[2];
  cudaStream_t copy_in, compute, copy_out;
  cudaEvent_t arrived[2], in_free[2], computed[2], out_free[2];
  cudaStreamCreateWithFlags(&copy_in, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copy_out, cudaStreamNonBlocking);
  cudaMallocHost(&host_in, n * n_chunks * sizeof(int));
  cudaMallocHost(&host_out, n * n_chunks * sizeof(int));
  for (int i = 0; i < n * n_chunks; ++i) host_in[i] = i % 100;
  for (int b = 0; b < 2; ++b) {
    cudaMalloc(&in[b], n * sizeof(int));
    cudaMalloc(&out[b], n * sizeof(int));
    for (cudaEvent_t *event : {&arrived[b], &in_free[b], &computed[b], &out_free[b]})
      cudaEventCreateWithFlags(event, cudaEventDisableTiming);
  }
  for (int c = 0; c < n_chunks; ++c) {
    const int b = c % 2;

    cudaMemcpyAsync(in[b], host_in + c * n, n * sizeof(int), cudaMemcpyHostToDevice, copy_in);
    cudaEventRecord(arrived[b], copy_in);

    cudaStreamWaitEvent(compute, arrived[b], 0);
    cudaStreamWaitEvent(compute, out_free[b], 0);
    square<<<2, 128, 0, compute>>>(in[b], out[b], n);
    cudaEventRecord(in_free[b], compute);
    cudaEventRecord(computed[b], compute);

    cudaStreamWaitEvent(copy_out, computed[b], 0);
    cudaMemcpyAsync(host_out + c * n, out[b], n * sizeof(int), cudaMemcpyDeviceToHost, copy_out);
    cudaEventRecord(out_free[b], copy_out);
  }
  cudaStreamSynchronize(copy_out);
  printf("%d\n", host_out[n * n_chunks - 1]);
  host_in[0] = 0;  // the host waited for the copies out, which are ordered after the copies in
  for (int b = 0; b < 2; ++b) {
    cudaFree(in[b]);
    cudaFree(out[b]);
    for (cudaEvent_t event : {arrived[b], in_free[b], computed[b], out_free[b]}) cudaEventDestroy(event);
  }
  cudaFreeHost(host_in);
  cudaFreeHost(host_out);
  cudaStreamDestroy(copy_in);
  cudaStreamDestroy(compute);
  cudaStreamDestroy(copy_out);
  return 0;
}

// expect: stream_race kernel=twice line=10 other=22
// expect: host_race kernel=- line=26 other=24
// options: --strict
// Asynchronous copies from and to pageable memory usually finish before the call returns, but this is not guaranteed.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void twice(int *data, int n) {
  int i = threadIdx.x;
  if (i < n) data[i] *= 2;
}

int main() {
  const int n = 64;
  int host[n], *data;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc(&data, sizeof(host));
  for (int i = 0; i < n; ++i) host[i] = i;


  cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice);
  twice<<<1, n, 0, stream>>>(data, n);
  cudaMemcpyAsync(host, data, sizeof(host), cudaMemcpyDeviceToHost, stream);

  printf("%d\n", host[3]);
  cudaStreamSynchronize(stream);
  cudaFree(data);
  cudaStreamDestroy(stream);
  return 0;
}

// expect: freed_in_use kernel=- line=21 other=17
// A function pins its buffer, starts a copy from it, and frees the buffer when it returns.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void add_one(int *data) { data[threadIdx.x] += 1; }

void send(int *to, int n, cudaStream_t stream) {
  int *buffer = (int *)malloc(n * sizeof(int));
  cudaHostRegister(buffer, n * sizeof(int), cudaHostRegisterDefault);
  for (int i = 0; i < n; ++i) {
    buffer[i] = i;
  }


  cudaMemcpyAsync(to, buffer, n * sizeof(int), cudaMemcpyHostToDevice, stream);


  // a wait for the stream is missing
  cudaHostUnregister(buffer);
  free(buffer);
}

int main() {
  const int n = 64;
  int *data, host[n];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&data, n * sizeof(int));
  send(data, n, stream);
  add_one<<<1, n, 0, stream>>>(data);
  cudaMemcpyAsync(host, data, sizeof(host), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", host[5]);
  cudaFree(data);
  cudaStreamDestroy(stream);
  return 0;
}

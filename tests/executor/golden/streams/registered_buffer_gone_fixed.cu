// expect: clean
// A function pins its buffer, starts a copy from it, and waits for the copy before it frees the buffer.
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


  cudaStreamSynchronize(stream);
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

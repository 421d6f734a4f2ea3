// expect: clean
// Two streams work on halves of a byte buffer whose boundary is within a word; both count with one atomic.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void invert(unsigned char *pixels, int n, unsigned *bright) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    pixels[i] = 255 - pixels[i];
    if (pixels[i] > 128) atomicAdd(bright, 1u);
  }
}

int main() {
  const int n = 2002, half = 1001;
  unsigned char *host, *pixels;
  unsigned *bright, n_bright = 0;
  cudaStream_t stream[2];
  cudaMallocHost(&host, n);
  cudaMalloc(&pixels, n);
  cudaMalloc(&bright, sizeof(unsigned));
  cudaMemset(bright, 0, sizeof(unsigned));
  for (int i = 0; i < n; ++i) host[i] = i % 256;
  for (int s = 0; s < 2; ++s) cudaStreamCreate(&stream[s]);
  for (int s = 0; s < 2; ++s) {
    cudaMemcpyAsync(pixels + s * half, host + s * half, half, cudaMemcpyHostToDevice, stream[s]);
    invert<<<8, 128, 0, stream[s]>>>(pixels + s * half, half, bright);
    cudaMemcpyAsync(host + s * half, pixels + s * half, half, cudaMemcpyDeviceToHost, stream[s]);
  }
  // the default stream waits for both
  cudaMemcpy(&n_bright, bright, sizeof(unsigned), cudaMemcpyDeviceToHost);
  printf("%d %u\n", host[n - 1], n_bright);
  for (int s = 0; s < 2; ++s) cudaStreamDestroy(stream[s]);
  cudaFree(pixels);
  cudaFree(bright);
  cudaFreeHost(host);
  return 0;
}

// printf from a kernel and device asserts that hold.
#include <assert.h>
#include <stdio.h>

__device__ int checked_index(int i, int n) {
  assert(i >= 0 && "index below zero");
  assert(i < n);
  return i;
}

__global__ void hello(int limit) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < limit)
    printf("Hello from block %d, thread (%d, %d): %s %c %5.2f %08x %llu%%\n", blockIdx.x, threadIdx.x, threadIdx.y,
           "text", 'a' + id, id * 0.5, id * 4097, 1ull << 40);
}

__global__ void reverse(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[checked_index(n - 1 - i, n)] = in[checked_index(i, n)];
  if (i == n / 2) printf("middle element is %d\n", in[i]);
}

int main() {
  const int n = 777;
  int h[n], r[n], *in, *out;
  for (int i = 0; i < n; i++) h[i] = 3 * i;
  cudaMalloc((void **)&in, sizeof(h));
  cudaMalloc((void **)&out, sizeof(h));
  cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice);

  hello<<<2, dim3(2, 2)>>>(2);
  cudaDeviceSynchronize();
  reverse<<<(n + 255) / 256, 256>>>(in, out, n);
  cudaError_t e = cudaDeviceSynchronize();
  if (e != cudaSuccess) {
    fprintf(stderr, "kernel failed: %s\n", cudaGetErrorString(e));
    return 1;
  }
  cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < n; i++) bad += r[i] != h[n - 1 - i];
  cudaFree(in);
  cudaFree(out);
  assert(bad == 0);
  printf("device_printf_assert: %d bad\n", bad);
  return bad;
}

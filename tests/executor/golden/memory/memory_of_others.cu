// expect: foreign_local kernel=reads_local line=16
// expect: stale_read_only kernel=reads_written line=24 other=22
// expect: overlapping_copy kernel=- line=34
// expect: overlapping_copy kernel=- line=35
// expect: refused_launch kernel=reads_written line=38
// Another thread's local variable, the read-only cache after a store, copies onto themselves, and a refused launch.
#include <cstdio>

__global__ void reads_local(int* out) {
  __shared__ int* address;
  int own[4] = {int(threadIdx.x), 1, 2, 3};
  if (threadIdx.x == 0) address = own;
  __syncthreads();
  int* const other = address;
  __syncthreads();
  out[threadIdx.x] = other[1];
  __syncthreads();
}

__global__ void reads_written(const int* in, int* out) {
  const int t = threadIdx.x;
  out[t] = t;
  __syncthreads();
  out[t + 64] = __ldg(&in[63 - t]);
}

int main() {
  int* memory;
  cudaMalloc(&memory, 128 * sizeof(int));
  cudaMemset(memory, 0, 128 * sizeof(int));
  reads_local<<<1, 64>>>(memory);
  reads_written<<<1, 64>>>(memory, memory);
  // One element to the right, and two columns of a matrix.
  cudaMemcpy(memory + 1, memory, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(memory + 1, 64, memory, 64, 12, 8, cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(memory + 8, 64, memory, 64, 32, 8, cudaMemcpyDeviceToDevice);  // side by side
  cudaDeviceSynchronize();
  reads_written<<<1, 2048>>>(memory, memory);
  const cudaError_t error = cudaGetLastError();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(memory);
}

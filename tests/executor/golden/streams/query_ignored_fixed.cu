// expect: clean
// The host repeats the query until it succeeds.
#include <cstdio>

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }

int main() {
  int* out;
  cudaStream_t stream;
  cudaEvent_t done;
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaStreamCreate(&stream);
  cudaEventCreate(&done);
  fill<<<1, 64, 0, stream>>>(out, 1);
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
  std::printf("%d %s\n", out[5], cudaGetErrorString(cudaGetLastError()));
  fill<<<1, 64, 0, stream>>>(out, 2);
  cudaEventRecord(done, stream);
  while (cudaEventQuery(done) != cudaSuccess) {
  }
  std::printf("%d\n", out[7]);
  if (cudaStreamQuery(stream) != cudaSuccess) return 1;
  cudaFree(out);
  cudaStreamDestroy(stream);
  cudaEventDestroy(done);
}

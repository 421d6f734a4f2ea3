// expect: host_race kernel=fill line=17 other=15
// expect: host_race kernel=fill line=22 other=19
// A query that does not report success waits for nothing.
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
  cudaStreamQuery(stream);
  std::printf("%d\n", out[5]);
  cudaStreamSynchronize(stream);
  fill<<<1, 64, 0, stream>>>(out, 2);
  cudaEventRecord(done, stream);
  if (cudaEventQuery(done) == cudaErrorNotReady) std::printf("not ready\n");
  std::printf("%d\n", out[7]);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaStreamDestroy(stream);
  cudaEventDestroy(done);
}

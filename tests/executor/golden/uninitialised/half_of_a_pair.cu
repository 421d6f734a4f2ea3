// expect: uninitialised kernel=get line=16 space=global
// Only one of the two doubles of a structure was written.
#include <cuda_runtime.h>

struct Pair {
  double a, b;
};

__global__ void set(Pair* pairs) {
  const int t = threadIdx.x;
  pairs[t].a = t;
}

__global__ void get(const Pair* pairs, double* out) {
  const int t = threadIdx.x;
  const Pair pair = pairs[t];
  out[t] = pair.a + pair.b;
}

int main() {
  Pair* pairs;
  double* out;
  cudaMalloc(&pairs, 32 * sizeof(Pair));
  cudaMalloc(&out, 32 * sizeof(double));
  set<<<1, 32>>>(pairs);
  get<<<1, 32>>>(pairs, out);
  cudaDeviceSynchronize();
  cudaFree(pairs);
  cudaFree(out);
  return 0;
}

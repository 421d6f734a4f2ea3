// expect: race kernel=placed line=20 other=21 space=shared
// expect: race kernel=member line=15 other=28 space=shared
// allow: uninitialised kernel=placed line=21 space=shared
// allow: uninitialised kernel=member line=28 space=shared
// Function results constructed in place in shared memory: one thread writes, another reads without a barrier.
#include <new>

struct Big { float v[6]; };

__device__ __noinline__ Big make(int t) {
  Big b;
  for (int i = 0; i < 6; ++i) b.v[i] = t + i;
  return b;
}
struct Holder { Big big; int n; __device__ Holder(int t) : big(make(t)), n(t) {} };

__global__ void placed(float *out) {
  __shared__ __align__(16) char storage[32 * sizeof(Big)];
  Big *all = (Big *)storage;
  new (&all[threadIdx.x]) Big(make(threadIdx.x));
  out[threadIdx.x] = all[31 - threadIdx.x].v[2];
}

__global__ void member(float *out) {
  __shared__ __align__(16) char storage[32 * sizeof(Holder)];
  Holder *all = (Holder *)storage;
  new (&all[threadIdx.x]) Holder(threadIdx.x);
  out[threadIdx.x] = all[31 - threadIdx.x].big.v[3];
}

int main() {
  float *out;
  cudaMalloc(&out, 32 * sizeof(float));
  placed<<<1, 32>>>(out);
  member<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}

// expect: misaligned kernel=structures line=15 space=shared
// expect: misaligned kernel=structures line=16 space=shared
// expect: misaligned kernel=structures line=17 space=shared
// A user-defined 16-byte structure and an alias of float4 are accessed at misaligned offsets of an array.
#include <cuda_runtime.h>

struct __align__(16) Quad { float x, y, z, w; };
using Vector = float4;
typedef double2 Pair;

__global__ void structures(float *out) {
  __shared__ __align__(16) float tile[128];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const Quad quad = *(const Quad *)&tile[1];
  const Vector vector = *reinterpret_cast<Vector *>(&tile[6]);
  const Pair pair = *(Pair *)&tile[10];
  out[threadIdx.x] = quad.x + vector.y + (float)pair.x;
}

int main() {
  float *out;
  cudaMalloc(&out, 128 * sizeof(float));
  structures<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}

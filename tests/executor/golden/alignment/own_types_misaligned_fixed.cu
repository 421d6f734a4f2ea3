// expect: clean
// The same accesses at multiples of 16 bytes.
#include <cuda_runtime.h>

struct __align__(16) Quad { float x, y, z, w; };
using Vector = float4;
typedef double2 Pair;

__global__ void structures(float *out) {
  __shared__ __align__(16) float tile[128];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const Quad quad = *(const Quad *)&tile[4];
  const Vector vector = *reinterpret_cast<Vector *>(&tile[8]);
  const Pair pair = *(Pair *)&tile[12];
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

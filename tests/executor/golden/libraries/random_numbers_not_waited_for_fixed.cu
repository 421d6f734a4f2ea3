// expect: clean
// The host waits for the generator before it reads.
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
#include <stdio.h>

__global__ void own(float *out) {
  curandState state;
  curand_init(1234, threadIdx.x, 0, &state);
  out[threadIdx.x] = curand_uniform(&state);
}

int main() {
  const int n = 64;
  float *out;
  cudaMallocManaged(&out, n * sizeof(float));
  own<<<1, n>>>(out);
  cudaDeviceSynchronize();

  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(generator, 1234);
  const float first = out[0];
  curandGenerateUniform(generator, out, n);
  cudaDeviceSynchronize();
  printf("%d\n", out[0] == first);
  curandDestroyGenerator(generator);
  cudaFree(out);
  return 0;
}

// expect: clean
// 16-byte structures at multiples of 8 bytes: their types require no more alignment.
#include <cuda_runtime.h>
#include <stdio.h>

struct Point {
  double x, y;
};

template <class T>
struct Complex {
  T re, im;
};

struct Particle {
  double mass;
  Point at;
  Complex<double> phase;
  double charge;
};

__device__ Particle old_ones[32];

__global__ void move(Particle *particles, double by) {
  Point at = particles[threadIdx.x].at;
  Complex<double> phase = old_ones[threadIdx.x].phase;
  at.x += by * phase.re;
  particles[threadIdx.x].at = at;
  old_ones[threadIdx.x].phase = particles[threadIdx.x].phase;
}

int main() {
  Particle *particles, first;
  cudaMalloc(&particles, 32 * sizeof(Particle));
  cudaMemset(particles, 0, 32 * sizeof(Particle));
  move<<<1, 32>>>(particles, 2.0);
  cudaMemcpy(&first, particles, sizeof(first), cudaMemcpyDeviceToHost);
  printf("%g\n", first.at.x);
  cudaFree(particles);
  return 0;
}

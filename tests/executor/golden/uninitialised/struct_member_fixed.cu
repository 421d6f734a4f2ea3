// expect: clean
// All members are set; the padding between them is not, which is allowed.
#include <cuda_runtime.h>

struct Particle {
  char kind;
  double speed;
  float mass;
};

__global__ void make(Particle* p) {
  int i = threadIdx.x;
  p[i].kind = 'a';
  p[i].speed = 0.5 * i;
  p[i].mass = 2.0f;
}

__global__ void energy(const Particle* p, double* out) {
  int i = threadIdx.x;
  double speed = p[i].speed;
  out[i] = p[i].mass * speed * speed;
}

int main() {
  Particle* p;
  double* out;
  cudaMalloc(&p, 40 * sizeof(Particle));
  cudaMalloc(&out, 40 * sizeof(double));
  make<<<1, 40>>>(p);
  energy<<<1, 40>>>(p, out);
  cudaDeviceSynchronize();
  cudaFree(p);
  cudaFree(out);
  return 0;
}

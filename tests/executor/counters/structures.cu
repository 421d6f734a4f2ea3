// Structures accessed as a whole, in pieces as wide as their alignment; one warp each.
#include <cuda_runtime.h>

struct Point {
  float x, y, z;
};
typedef struct {
  float x, y, z, vx, vy, vz, mass, radius;
} Body;
struct alignas(16) Aligned {
  float values[16];
};
namespace pairs {
struct Doubles {
  double a, b;
};
struct Floats {
  float a, b;
};
}  // namespace pairs
struct Colour {
  unsigned char r, g, b, a;
};

template <class T>
__device__ void move(const T* in, T* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void points(const Point* in, Point* out) { move(in, out); }
__global__ void bodies(const Body* in, Body* out) { move(in, out); }
__global__ void local_body(const Body* in, float* out) {
  const Body body = in[threadIdx.x];
  out[threadIdx.x] = body.x * body.mass;
}
__global__ void aligned(const Aligned* in, Aligned* out) { move(in, out); }
__global__ void doubles(const pairs::Doubles* in, pairs::Doubles* out) { move(in, out); }
__global__ void floats(const pairs::Floats* in, pairs::Floats* out) { move(in, out); }
__global__ void colours(const Colour* in, Colour* out) { move(in, out); }
__global__ void shared_points(const Point*, Point* out) {
  __shared__ Point all[32];
  all[threadIdx.x] = Point{1, 2, 3};
  __syncthreads();
  out[threadIdx.x] = all[31 - threadIdx.x];
}

int main() {
  char *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  cudaMemset(in, 0, 4096);
  points<<<1, 32>>>((Point*)in, (Point*)out);
  bodies<<<1, 32>>>((Body*)in, (Body*)out);
  local_body<<<1, 32>>>((Body*)in, (float*)out);
  aligned<<<1, 32>>>((Aligned*)in, (Aligned*)out);
  doubles<<<1, 32>>>((pairs::Doubles*)in, (pairs::Doubles*)out);
  floats<<<1, 32>>>((pairs::Floats*)in, (pairs::Floats*)out);
  colours<<<1, 32>>>((Colour*)in, (Colour*)out);
  shared_points<<<1, 32>>>((Point*)in, (Point*)out);
  return cudaDeviceSynchronize() != cudaSuccess;
}

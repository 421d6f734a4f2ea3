// Structures that are copied whole: a GPU needs one load per 4, 8 or 16 bytes, as wide as the type's alignment allows.
#include <cstdio>

struct Point {
  float x, y, z;
};
struct Body {
  float x, y, z, vx, vy, vz, mass, radius;
};
struct alignas(16) Aligned {
  float values[16];
};
struct Doubles {
  double a, b;
};
struct Mixed {
  double a;
  int b, c, d, e;
};
struct Colour {
  unsigned char r, g, b, a;
};

template <class T>
__device__ void copy(const T* in, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void copy_point(const Point* in, Point* out) { copy(in, out); }
__global__ void copy_body(const Body* in, Body* out) { copy(in, out); }
__global__ void copy_aligned(const Aligned* in, Aligned* out) { copy(in, out); }
__global__ void copy_doubles(const Doubles* in, Doubles* out) { copy(in, out); }
__global__ void copy_mixed(const Mixed* in, Mixed* out) { copy(in, out); }
__global__ void copy_colour(const Colour* in, Colour* out) { copy(in, out); }
// One member of each structure: the case for a structure of arrays.
__global__ void one_member(const Body* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i].mass;
}

int main() {
  constexpr int n_bytes = 1 << 20;
  char *in = nullptr, *out = nullptr;
  cudaMalloc(&in, n_bytes);
  cudaMalloc(&out, n_bytes);
  cudaMemset(in, 0, n_bytes);
  copy_point<<<4, 128>>>((const Point*)in, (Point*)out);
  copy_body<<<4, 128>>>((const Body*)in, (Body*)out);
  copy_aligned<<<4, 128>>>((const Aligned*)in, (Aligned*)out);
  copy_doubles<<<4, 128>>>((const Doubles*)in, (Doubles*)out);
  copy_mixed<<<4, 128>>>((const Mixed*)in, (Mixed*)out);
  copy_colour<<<4, 128>>>((const Colour*)in, (Colour*)out);
  one_member<<<4, 128>>>((const Body*)in, (float*)out);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

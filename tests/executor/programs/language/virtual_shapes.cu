// Objects with virtual functions, created and destroyed by a kernel; settings in constant memory as an unnamed struct.
#include <cstdio>
#include <vector>

__constant__ struct {
  float pi;
  int n_shapes;
} settings;

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};

struct Disc : Shape {
  __device__ explicit Disc(float radius) : radius(radius) {}
  __device__ float area() const override { return settings.pi * radius * radius; }
  float radius;
};

struct Square : Shape {
  __device__ explicit Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
  float side;
};

__device__ __noinline__ Shape* make(int i) {
  if (i % 2 == 0) return new Disc(static_cast<float>(i));
  return new Square(static_cast<float>(i));
}

__global__ void measure(float* areas) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= settings.n_shapes) return;
  const Shape* shape = make(i);
  areas[i] = shape->area();
  delete shape;
}

int main() {
  const int n = 100;
  struct {
    float pi;
    int n_shapes;
  } values = {3.0f, n};
  cudaMemcpyToSymbol(settings, &values, sizeof(values));
  float* areas;
  cudaMalloc(&areas, n * sizeof(float));
  measure << <4, 32 >> > (areas);  // as formatters without CUDA support leave it
  std::vector<float> result(n);
  cudaMemcpy(result.data(), areas, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(areas);
  for (int i = 0; i < n; ++i) {
    const float expected = (i % 2 == 0 ? 3.0f : 1.0f) * static_cast<float>(i * i);
    if (result[i] != expected) {
      std::printf("FAIL: area %d is %g, not %g\n", i, result[i], expected);
      return 1;
    }
  }
  std::puts("PASS");
  return 0;
}

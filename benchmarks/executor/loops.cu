// Kernels without barriers, compared with the same loops in OpenMP on all cores (loops_by_hand.cpp) and in OpenCL
// (loops.cl). Prints lines "KERNEL SECONDS sum SUM" for the fastest launch.
#include <cuda_runtime.h>

#include "loops.hpp"

__global__ void multiply_add(const float* a, const float* b, float c, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] * b[i] + c;
}

// A five-point stencil on [n, n]; the edge is unchanged.
__global__ void stencil(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  const int i = y * n + x;
  out[i] = in[i] + 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] - 4.0f * in[i]);
}

// The cumulative normal distribution, by Abramowitz and Stegun 26.2.17.
__device__ float normal_below(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float tail =
      0.39894228f * expf(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

// Prices of European calls and puts.
__global__ void black_scholes(const float* price, const float* strike, const float* years, float* call, float* put,
                              int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float root = sqrtf(years[i]);
  const float d1 =
      (logf(price[i] / strike[i]) + (bench::rate + 0.5f * bench::volatility * bench::volatility) * years[i]) /
      (bench::volatility * root);
  const float below1 = normal_below(d1), below2 = normal_below(d1 - bench::volatility * root);
  const float discounted = strike[i] * expf(-bench::rate * years[i]);
  call[i] = price[i] * below1 - discounted * below2;
  put[i] = discounted * (1.0f - below2) - price[i] * (1.0f - below1);
}

// The accelerations of n bodies; masses are in w.
__global__ void nbody(const float4* bodies, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 me = bodies[i];
  float x = 0, y = 0, z = 0;
  for (int j = 0; j < n; ++j) {
    const float4 other = bodies[j];
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float root = sqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), strength = other.w / (root * root * root);
    x += dx * strength, y += dy * strength, z += dz * strength;
  }
  out[i] = make_float4(x, y, z, 0);
}

// The number of iterations of z -> z^2 + c within |z| <= 2, at most 256.
__global__ void mandelbrot(int* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const float cx = 3.0f * x / n - 2.25f, cy = 3.0f * y / n - 1.5f;
  float zx = 0, zy = 0;
  int steps = 0;
  while (steps < 256 && zx * zx + zy * zy < 4.0f) {
    const float next = zx * zx - zy * zy + cx;
    zy = 2.0f * zx * zy + cy;
    zx = next;
    ++steps;
  }
  out[y * n + x] = steps;
}

namespace {

template <class T>
T* device_array(const std::vector<T>& values) {
  T* memory;
  cudaMalloc(&memory, sizeof(T) * values.size());
  cudaMemcpy(memory, values.data(), sizeof(T) * values.size(), cudaMemcpyHostToDevice);
  return memory;
}

/// Measures the fastest of many launches and prints it with the sum of the output.
template <class T, class Launch>
void measure(const char* name, const std::vector<T>& filled, Launch launch) {
  std::vector<T> out = filled;
  T* d_out = device_array(out);
  bench::best(name, [&] {
    launch(d_out);
    cudaDeviceSynchronize();
  });
  cudaMemcpy(out.data(), d_out, sizeof(T) * out.size(), cudaMemcpyDeviceToHost);
  bench::print_sum(out);
}

}  // namespace

int main() {
  using namespace bench;
  const Inputs in;
  const float *a = device_array(in.a), *b = device_array(in.b), *c = device_array(in.c);
  measure("multiply_add", in.a,
          [&](float* out) { multiply_add<<<n_elements / 256, 256>>>(a, b, 3.0f, out, n_elements); });
  measure("stencil", in.a, [&](float* out) { stencil<<<dim3(side / 32, side / 8), dim3(32, 8)>>>(a, out, side); });
  float* put = device_array(in.c);
  measure("black_scholes", in.a,
          [&](float* out) { black_scholes<<<n_elements / 256, 256>>>(a, b, c, out, put, n_elements); });
  const float4* bodies = reinterpret_cast<const float4*>(a);
  measure("nbody", std::vector<float>(4 * n_bodies),
          [&](float* out) { nbody<<<n_bodies / 128, 128>>>(bodies, reinterpret_cast<float4*>(out), n_bodies); });
  measure("mandelbrot", std::vector<int>(image * image),
          [&](int* out) { mandelbrot<<<dim3(image / 32, image / 8), dim3(32, 8)>>>(out, image); });
}

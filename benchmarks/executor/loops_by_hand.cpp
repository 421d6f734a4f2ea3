// The kernels of loops.cu as hand-written loops with OpenMP over all cores: g++ -O3 -march=native -fopenmp.
#include <cmath>

#include "loops.hpp"

using namespace bench;

namespace {

void multiply_add(const float* a, const float* b, float c, float* out, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) out[i] = a[i] * b[i] + c;
}

void stencil(const float* in, float* out, int n) {
#pragma omp parallel for
  for (int y = 1; y < n - 1; ++y) {
    for (int x = 1; x < n - 1; ++x) {
      const int i = y * n + x;
      out[i] = in[i] + 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] - 4.0f * in[i]);
    }
  }
}

float normal_below(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float tail =
      0.39894228f * expf(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

void black_scholes(const float* price, const float* strike, const float* years, float* call, float* put, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const float root = sqrtf(years[i]);
    const float d1 =
        (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
    const float below1 = normal_below(d1), below2 = normal_below(d1 - volatility * root);
    const float discounted = strike[i] * expf(-rate * years[i]);
    call[i] = price[i] * below1 - discounted * below2;
    put[i] = discounted * (1.0f - below2) - price[i] * (1.0f - below1);
  }
}

struct Body {
  float x, y, z, w;
};

void nbody(const Body* bodies, Body* out, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const Body me = bodies[i];
    float x = 0, y = 0, z = 0;
    for (int j = 0; j < n; ++j) {
      const Body other = bodies[j];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float root = sqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), strength = other.w / (root * root * root);
      x += dx * strength, y += dy * strength, z += dz * strength;
    }
    out[i] = {x, y, z, 0};
  }
}

void mandelbrot(int* out, int n) {
#pragma omp parallel for schedule(dynamic, 8)
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
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
  }
}

}  // namespace

int main() {
  const Inputs in;
  std::vector<float> out = in.a, put = in.c;
  const auto report = [](const char* name, const auto& values, auto run) {
    best(name, run);
    print_sum(values);
  };
  report("multiply_add", out, [&] { multiply_add(in.a.data(), in.b.data(), 3.0f, out.data(), n_elements); });
  out = in.a;
  report("stencil", out, [&] { stencil(in.a.data(), out.data(), side); });
  report("black_scholes", out,
         [&] { black_scholes(in.a.data(), in.b.data(), in.c.data(), out.data(), put.data(), n_elements); });
  std::vector<float> forces(4 * n_bodies);
  report("nbody", forces,
         [&] { nbody(reinterpret_cast<const Body*>(in.a.data()), reinterpret_cast<Body*>(forces.data()), n_bodies); });
  std::vector<int> steps(image * image);
  report("mandelbrot", steps, [&] { mandelbrot(steps.data(), image); });
}

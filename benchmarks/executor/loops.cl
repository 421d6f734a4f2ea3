// The kernels of loops.cu in OpenCL C.
__kernel void multiply_add(__global const float* a, __global const float* b, float c, __global float* out, int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = a[i] * b[i] + c;
}

__kernel void stencil(__global const float* in, __global float* out, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  const int i = y * n + x;
  out[i] = in[i] + 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] - 4.0f * in[i]);
}

float normal_below(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  const float tail = 0.39894228f * exp(-0.5f * d * d) *
                     (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

__kernel void black_scholes(__global const float* price, __global const float* strike, __global const float* years,
                            __global float* call, __global float* put, float rate, float volatility, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float root = sqrt(years[i]);
  const float d1 = (log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
  const float below1 = normal_below(d1), below2 = normal_below(d1 - volatility * root);
  const float discounted = strike[i] * exp(-rate * years[i]);
  call[i] = price[i] * below1 - discounted * below2;
  put[i] = discounted * (1.0f - below2) - price[i] * (1.0f - below1);
}

__kernel void nbody(__global const float4* bodies, __global float4* out, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float4 me = bodies[i];
  float x = 0, y = 0, z = 0;
  for (int j = 0; j < n; ++j) {
    const float4 other = bodies[j];
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float root = sqrt(dx * dx + dy * dy + dz * dz + 1e-3f), strength = other.w / (root * root * root);
    x += dx * strength, y += dy * strength, z += dz * strength;
  }
  out[i] = (float4)(x, y, z, 0);
}

__kernel void mandelbrot(__global int* out, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
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

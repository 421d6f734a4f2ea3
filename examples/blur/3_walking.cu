// A 5 x 5 box blur: a thread walks down four columns, and keeps the sums of the last five rows in
// registers. The width is a multiple of 4.
// At the edges, the mean is over the neighbours that exist.

constexpr int radius = 2;

#ifndef THREADS
#define THREADS 64
#endif
#ifndef ROWS
#define ROWS 16  // rows that a thread walks down
#endif

/// Returns the sums of five neighbours for columns x to x+3 of row y; zeros for a row outside of the image.
__device__ float4 row_sums(const float* __restrict__ in, int x, int y, int width, int height) {
  if (y < 0 || y >= height) return make_float4(0, 0, 0, 0);
  const float* row = in + static_cast<long>(y) * width + x;
  const float4 here = *reinterpret_cast<const float4*>(row);
  const float2 before = x > 0 ? *reinterpret_cast<const float2*>(row - 2) : make_float2(0, 0);
  const float2 after = x + 4 < width ? *reinterpret_cast<const float2*>(row + 4) : make_float2(0, 0);
  const float middle = here.x + here.y + here.z;  // part of three of the four sums
  return make_float4(before.x + before.y + middle, before.y + middle + here.w, middle + here.w + after.x,
                     here.y + here.z + here.w + after.x + after.y);
}

__global__ void __launch_bounds__(THREADS)
    blur(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  const int x = 4 * (blockIdx.x * THREADS + threadIdx.x);
  const int first = blockIdx.y * ROWS;
  if (x >= width) return;
  float share[4];  // weight of a column in the mean; a division per pixel would take longer than its memory traffic
  for (int i = 0; i < 4; ++i) share[i] = 1.f / (min(x + i + radius, width - 1) - max(x + i - radius, 0) + 1);
  float4 sums[5];
#pragma unroll
  for (int i = 0; i < 4; ++i) sums[i] = row_sums(in, x, first - 2 + i, width, height);
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {
    const int y = first + i;
    if (y >= height) return;
    sums[(i + 4) % 5] = row_sums(in, x, y + radius, width, height);
    float4 sum = sums[0];
#pragma unroll
    for (int k = 1; k < 5; ++k) {
      sum.x += sums[k].x;
      sum.y += sums[k].y;
      sum.z += sums[k].z;
      sum.w += sums[k].w;
    }
    const float row_share = 1.f / (min(y + radius, height - 1) - max(y - radius, 0) + 1);
    *reinterpret_cast<float4*>(out + static_cast<long>(y) * width + x) =
        make_float4(sum.x * share[0] * row_share, sum.y * share[1] * row_share, sum.z * share[2] * row_share,
                    sum.w * share[3] * row_share);
  }
}

/// The reference.
void blur_on_host(const float* in, float* out, int width, int height) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double sum = 0;
      int n = 0;
      for (int v = y - radius; v <= y + radius; ++v) {
        for (int u = x - radius; u <= x + radius; ++u) {
          if (u < 0 || u >= width || v < 0 || v >= height) continue;
          sum += in[v * width + u];
          ++n;
        }
      }
      out[y * width + x] = static_cast<float>(sum / n);
    }
  }
}

// A 5 x 5 box blur: as 3_walking.cu, but a thread loads later rows before it needs them. Nearly all blocks touch
// neither the upper nor the lower edge; they run code without branches between the loads. The width is a multiple of 4.
// At the edges, the mean is over the neighbours that exist.

constexpr int radius = 2;

#ifndef THREADS
#define THREADS 64
#endif
#ifndef ROWS
#define ROWS 8  // rows that a thread walks down
#endif
#ifndef AHEAD
#define AHEAD 4  // rows loaded ahead
#endif

/// The pixels of a row that a thread needs: four, and two on either side.
struct Pixels {
  float4 here{};
  float2 before{}, after{};
};

/// Loads the pixels of row y from column x on; zeros outside of the image.
template <bool is_inside>
__device__ Pixels load(const float* __restrict__ in, int x, int y, int width, int height) {
  Pixels pixels;
  if (!is_inside && (y < 0 || y >= height)) return pixels;
  const float* row = in + static_cast<long>(y) * width + x;
  pixels.here = *reinterpret_cast<const float4*>(row);
  if (x > 0) pixels.before = *reinterpret_cast<const float2*>(row - 2);
  if (x + 4 < width) pixels.after = *reinterpret_cast<const float2*>(row + 4);
  return pixels;
}

/// Returns the sums of five neighbours for each of the four pixels.
__device__ float4 sums_of(const Pixels& p) {
  const float middle = p.here.x + p.here.y + p.here.z;  // part of three of the four sums
  return make_float4(p.before.x + p.before.y + middle, p.before.y + middle + p.here.w, middle + p.here.w + p.after.x,
                     p.here.y + p.here.z + p.here.w + p.after.x + p.after.y);
}

/// Walks down the rows from `first` on. Inside, all rows that it needs exist.
template <bool is_inside>
__device__ void walk(const float* __restrict__ in, float* __restrict__ out, int x, int first, int width, int height) {
  float share[4];  // weight of a column in the mean; a division per pixel would take longer than its memory traffic
  for (int i = 0; i < 4; ++i) share[i] = 1.f / (min(x + i + radius, width - 1) - max(x + i - radius, 0) + 1);
  float4 sums[5];
#pragma unroll
  for (int i = 0; i < 4; ++i) sums[i] = sums_of(load<is_inside>(in, x, first - radius + i, width, height));
  Pixels ahead[AHEAD];
#pragma unroll
  for (int i = 0; i < AHEAD; ++i) ahead[i] = load<is_inside>(in, x, first + radius + i, width, height);
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {
    const int y = first + i;
    if (!is_inside && y >= height) return;
    sums[(i + 4) % 5] = sums_of(ahead[i % AHEAD]);
    if (i + AHEAD < ROWS) ahead[i % AHEAD] = load<is_inside>(in, x, y + radius + AHEAD, width, height);
    float4 sum = sums[0];
#pragma unroll
    for (int k = 1; k < 5; ++k) {
      sum.x += sums[k].x;
      sum.y += sums[k].y;
      sum.z += sums[k].z;
      sum.w += sums[k].w;
    }
    const float row_share = 1.f / (is_inside ? 5 : min(y + radius, height - 1) - max(y - radius, 0) + 1);
    *reinterpret_cast<float4*>(out + static_cast<long>(y) * width + x) =
        make_float4(sum.x * share[0] * row_share, sum.y * share[1] * row_share, sum.z * share[2] * row_share,
                    sum.w * share[3] * row_share);
  }
}

__global__ void __launch_bounds__(THREADS)
    blur(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  const int x = 4 * (blockIdx.x * THREADS + threadIdx.x);
  const int first = blockIdx.y * ROWS;
  if (x >= width) return;
  if (first >= radius && first + ROWS + radius <= height) {
    walk<true>(in, out, x, first, width, height);
  } else {
    walk<false>(in, out, x, first, width, height);
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

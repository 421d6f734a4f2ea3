// A 5 x 5 box blur: as 3_walking.cu, but lanes get the pixels on either side from adjacent lanes by shuffles. It is
// slower: 181 us instead of 164 us on an H200. The loads it saves hit the L1 cache, and every row waits for its
// shuffles. The width is a multiple of 4. At the edges, the mean is over the neighbours that exist.

constexpr int radius = 2;

#ifndef THREADS
#define THREADS 64
#endif
#ifndef ROWS
#define ROWS 16  // rows that a thread walks down
#endif

/// Returns the sums of five neighbours for columns x to x+3 of row y; zeros for a row outside of the image. A lane has
/// four pixels of the row and gets the two on either side from adjacent lanes; only the lanes at the warp's ends load
/// them.
__device__ float4 row_sums(const float* __restrict__ in, int x, int y, int width, int height) {
  constexpr unsigned all = 0xffffffff;
  const bool exists = x < width && y >= 0 && y < height;
  const int lane = threadIdx.x % 32;
  const float* row = in + static_cast<long>(y) * width + x;
  const float4 here = exists ? *reinterpret_cast<const float4*>(row) : make_float4(0, 0, 0, 0);
  float2 before = make_float2(__shfl_up_sync(all, here.z, 1), __shfl_up_sync(all, here.w, 1));
  float2 after = make_float2(__shfl_down_sync(all, here.x, 1), __shfl_down_sync(all, here.y, 1));
  if (lane == 0) before = exists && x > 0 ? *reinterpret_cast<const float2*>(row - 2) : make_float2(0, 0);
  if (lane == 31) after = exists && x + 4 < width ? *reinterpret_cast<const float2*>(row + 4) : make_float2(0, 0);
  const float middle = here.x + here.y + here.z;  // part of three of the four sums
  return make_float4(before.x + before.y + middle, before.y + middle + here.w, middle + here.w + after.x,
                     here.y + here.z + here.w + after.x + after.y);
}

__global__ void __launch_bounds__(THREADS)
    blur(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  const int x = 4 * (blockIdx.x * THREADS + threadIdx.x);
  const int first = blockIdx.y * ROWS;
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
    if (x >= width) continue;  // after it has taken part in the shuffles
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

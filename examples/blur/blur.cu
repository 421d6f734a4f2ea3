// A 5 x 5 box blur, from the kernel everybody writes first to one at the floor: what docs/tutorial.md works on.
// Beyond the edge there is nothing: a pixel's mean is over the neighbours that exist.

constexpr int radius = 2;

// ---- 1. every thread reads its 25 pixels ----

__global__ void naive(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  int n = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
      sum += in[(y + dy) * width + x + dx];
      ++n;
    }
  }
  out[y * width + x] = sum / n;
}

// ---- 2. a tile and its halo in shared memory ----

#ifndef TX
#define TX 32
#endif
#ifndef TY
#define TY 8
#endif
#ifndef PER
#define PER 1  // rows of a thread
#endif

__global__ void tiled(const float* in, float* out, int width, int height) {
  constexpr int rows = TY * PER, tile_width = TX + 2 * radius, tile_height = rows + 2 * radius;
  static_assert(TX * TY <= 1024, "a block has at most 1024 threads");
  __shared__ float tile[tile_height][tile_width];
  const int left = blockIdx.x * TX - radius, top = blockIdx.y * rows - radius;
  for (int i = threadIdx.y * TX + threadIdx.x; i < tile_width * tile_height; i += TX * TY) {
    const int x = left + i % tile_width, y = top + i / tile_width;
    const bool exists = x >= 0 && x < width && y >= 0 && y < height;
    tile[i / tile_width][i % tile_width] = exists ? in[y * width + x] : 0;
  }
  __syncthreads();
  const int x = blockIdx.x * TX + threadIdx.x;
  if (x >= width) return;
  const int n_columns = min(x + radius, width - 1) - max(x - radius, 0) + 1;
  for (int row = threadIdx.y; row < rows; row += TY) {
    const int y = blockIdx.y * rows + row;
    if (y >= height) return;
    float sum = 0;
    for (int dy = 0; dy <= 2 * radius; ++dy) {
      for (int dx = 0; dx <= 2 * radius; ++dx) sum += tile[row + dy][threadIdx.x + dx];
    }
    const int n_rows = min(y + radius, height - 1) - max(y - radius, 0) + 1;
    out[y * width + x] = sum / static_cast<float>(n_columns * n_rows);
  }
}

// ---- 3. a thread walks down four columns, and keeps the last five rows' sums in registers ----

#ifndef THREADS
#define THREADS 64
#endif
#ifndef ROWS
#define ROWS 16  // that a thread walks down
#endif

/// Sums of five neighbours for the columns x to x+3 of row y; zeros where there is no such row.
__device__ float4 row_sums(const float* __restrict__ in, int x, int y, int width, int height) {
  if (y < 0 || y >= height) return make_float4(0, 0, 0, 0);
  const float* row = in + static_cast<long>(y) * width + x;
  const float4 here = *reinterpret_cast<const float4*>(row);
  const float2 before = x > 0 ? *reinterpret_cast<const float2*>(row - 2) : make_float2(0, 0);
  const float2 after = x + 4 < width ? *reinterpret_cast<const float2*>(row + 4) : make_float2(0, 0);
  const float middle = here.x + here.y + here.z;  // in three of the four sums
  return make_float4(before.x + before.y + middle, before.y + middle + here.w, middle + here.w + after.x,
                     here.y + here.z + here.w + after.x + after.y);
}

/// The width is a multiple of 4.
__global__ void __launch_bounds__(THREADS)
    walking(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  const int x = 4 * (blockIdx.x * THREADS + threadIdx.x);
  const int first = blockIdx.y * ROWS;
  if (x >= width) return;
  float columns[4];
  for (int i = 0; i < 4; ++i) columns[i] = min(x + i + radius, width - 1) - max(x + i - radius, 0) + 1;
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
    const float n_rows = min(y + radius, height - 1) - max(y - radius, 0) + 1;
    *reinterpret_cast<float4*>(out + static_cast<long>(y) * width + x) =
        make_float4(sum.x / (columns[0] * n_rows), sum.y / (columns[1] * n_rows), sum.z / (columns[2] * n_rows),
                    sum.w / (columns[3] * n_rows));
  }
}

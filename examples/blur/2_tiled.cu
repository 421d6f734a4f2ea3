// A 5 x 5 box blur: a tile and its halo in shared memory.
// At the edges, the mean is over the neighbours that exist.

constexpr int radius = 2;

#ifndef TX
#define TX 32
#endif
#ifndef TY
#define TY 8
#endif
#ifndef PER
#define PER 1  // rows per thread
#endif

__global__ void blur(const float* in, float* out, int width, int height) {
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

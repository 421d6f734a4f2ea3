// A 5 x 5 box blur: every thread reads its 25 pixels.
// At the edges, the mean is over the neighbours that exist.

constexpr int radius = 2;

__global__ void blur(const float* in, float* out, int width, int height) {
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

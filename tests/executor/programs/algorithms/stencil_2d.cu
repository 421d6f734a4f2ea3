// 5-point and 9-point stencils with a one-cell halo in shared memory, ping-pong buffers.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <utility>
#include <vector>

const int BX = 16, BY = 8;

template <bool Diagonals>
__global__ void stencil(const float* __restrict__ in, float* __restrict__ out, int nx, int ny)
{
  __shared__ float tile[BY + 2][BX + 2];
  const int gx = blockIdx.x * BX + threadIdx.x;
  const int gy = blockIdx.y * BY + threadIdx.y;
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;

  auto fetch = [&](int x, int y) {
    x = min(max(x, 0), nx - 1);
    y = min(max(y, 0), ny - 1);
    return in[y * nx + x];
  };

  tile[ly][lx] = fetch(gx, gy);
  if (threadIdx.x == 0)      tile[ly][0] = fetch(gx - 1, gy);
  if (threadIdx.x == BX - 1) tile[ly][BX + 1] = fetch(gx + 1, gy);
  if (threadIdx.y == 0)      tile[0][lx] = fetch(gx, gy - 1);
  if (threadIdx.y == BY - 1) tile[BY + 1][lx] = fetch(gx, gy + 1);
  if (Diagonals && threadIdx.x < 2 && threadIdx.y < 2) {
    int cx = threadIdx.x ? BX + 1 : 0, cy = threadIdx.y ? BY + 1 : 0;
    tile[cy][cx] = fetch(blockIdx.x * BX + cx - 1, blockIdx.y * BY + cy - 1);
  }
  __syncthreads();

  if (gx >= nx || gy >= ny) return;
  float sum = tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] + tile[ly + 1][lx];
  if (Diagonals)
    sum += tile[ly - 1][lx - 1] + tile[ly - 1][lx + 1] + tile[ly + 1][lx - 1] + tile[ly + 1][lx + 1];
  out[gy * nx + gx] = 0.5f * tile[ly][lx] + 0.5f * sum / (Diagonals ? 8 : 4);
}

static void reference(const std::vector<float>& in, std::vector<float>& out, int nx, int ny, bool diagonals)
{
  auto at = [&](int x, int y) {
    x = x < 0 ? 0 : x >= nx ? nx - 1 : x;
    y = y < 0 ? 0 : y >= ny ? ny - 1 : y;
    return in[y * nx + x];
  };
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      float sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if ((dx || dy) && (diagonals || !dx || !dy)) sum += at(x + dx, y + dy);
      out[y * nx + x] = 0.5f * at(x, y) + 0.5f * sum / (diagonals ? 8 : 4);
    }
}

int main()
{
  const int nx = 67, ny = 45, steps = 4;
  std::vector<float> a(nx * ny), b(nx * ny), got(nx * ny);
  for (int i = 0; i < nx * ny; ++i) a[i] = float(i * 7 % 19);

  float *in, *out;
  cudaMalloc(&in, sizeof(float) * nx * ny);
  cudaMalloc(&out, sizeof(float) * nx * ny);
  cudaMemcpy(in, a.data(), sizeof(float) * nx * ny, cudaMemcpyHostToDevice);

  const dim3 block(BX, BY), grid((nx + BX - 1) / BX, (ny + BY - 1) / BY);
  for (int s = 0; s < steps; ++s) {
    if (s % 2 == 0)
      stencil<false><<<grid, block>>>(in, out, nx, ny);
    else
      stencil<true><<<grid, block>>>(in, out, nx, ny);
    std::swap(in, out);
    reference(a, b, nx, ny, s % 2);
    a.swap(b);
  }
  cudaMemcpy(got.data(), in, sizeof(float) * nx * ny, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  for (int i = 0; i < nx * ny; ++i)
    if (!(std::fabs(got[i] - a[i]) <= 1e-4f)) {
      std::printf("stencil_2d: cell (%d, %d) is %g, expected %g\n", i % nx, i / nx, got[i], a[i]);
      return EXIT_FAILURE;
    }
  std::printf("stencil_2d: %d steps on %d x %d ok\n", steps, nx, ny);
  return EXIT_SUCCESS;
}

// Jacobi sweeps and a residual in one cooperative launch: a grid barrier separates the sweeps.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void jacobi(float* a, float* b, int n, int sweeps, double* residual) {
  cg::grid_group grid = cg::this_grid();
  float* from = a;
  float* to = b;
  for (int s = 0; s < sweeps; ++s) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      if (i == 0 || i == n - 1) to[i] = from[i];
      else to[i] = 0.5f * (from[i - 1] + from[i + 1]);
    }
    grid.sync();
    float* t = from;
    from = to;
    to = t;
  }
  double mine = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) mine += fabs(double(from[i]) - double(to[i]));
  atomicAdd(residual, mine);
  grid.sync();
  if (grid.thread_rank() == 0) *residual /= n;
}

int main() {
  int device = 0, cooperative = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device);
  if (!cooperative) {
    std::printf("grid_sync: no cooperative launch on this device\n");
    return 3;
  }
  int per_sm = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, jacobi, 64, 0);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);
  const int blocks = std::min(per_sm * prop.multiProcessorCount, 6);

  int n = 1001, sweeps = 7;
  std::vector<float> h(n), next(n), got(n);
  for (int i = 0; i < n; ++i) h[i] = float(i * i % 37);
  float *a, *b;
  double* residual;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&residual, sizeof(double));
  cudaMemset(residual, 0, sizeof(double));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  void* args[] = {&a, &b, &n, &sweeps, &residual};
  cudaError_t e = cudaLaunchCooperativeKernel((void*)jacobi, dim3(blocks), dim3(64), args, 0, 0);
  if (e != cudaSuccess) {
    std::printf("grid_sync: %s\n", cudaGetErrorString(e));
    return 2;
  }
  cudaMemcpy(got.data(), sweeps % 2 ? b : a, n * sizeof(float), cudaMemcpyDeviceToHost);
  double r = -1;
  cudaMemcpy(&r, residual, sizeof(double), cudaMemcpyDeviceToHost);
  for (int s = 0; s < sweeps; ++s) {
    next.front() = h.front();
    next.back() = h.back();
    for (int i = 1; i + 1 < n; ++i) next[i] = 0.5f * (h[i - 1] + h[i + 1]);
    h.swap(next);
  }
  double want = 0;
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    want += std::fabs(double(h[i]) - double(next[i])) / n;
    bad += got[i] != h[i];
  }
  bad += !(std::fabs(r - want) < 1e-9);
  cudaFree(a);
  cudaFree(b);
  cudaFree(residual);
  std::printf("grid_sync: %d blocks, %d bad\n", blocks, bad);
  return bad != 0;
}

// Lloyd's k-means in two dimensions: assign, accumulate in shared memory with atomics, divide.
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <vector>

#define K 5

struct Points {
  float* x;
  float* y;
  int n;
};

__constant__ float c_cx[K], c_cy[K];

__global__ void assign_and_sum(Points p, int* label, float* sum_x, float* sum_y, int* count) {
  __shared__ float sx[K], sy[K];
  __shared__ int sc[K];
  if (threadIdx.x < K) {
    sx[threadIdx.x] = 0;
    sy[threadIdx.x] = 0;
    sc[threadIdx.x] = 0;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n) {
    float best = FLT_MAX;
    int k_best = 0;
    for (int k = 0; k < K; ++k) {
      float dx = p.x[i] - c_cx[k], dy = p.y[i] - c_cy[k];
      float d = dx * dx + dy * dy;
      if (d < best) best = d, k_best = k;
    }
    label[i] = k_best;
    atomicAdd(&sx[k_best], p.x[i]);
    atomicAdd(&sy[k_best], p.y[i]);
    atomicAdd(&sc[k_best], 1);
  }
  __syncthreads();
  if (threadIdx.x < K) {
    atomicAdd(&sum_x[threadIdx.x], sx[threadIdx.x]);
    atomicAdd(&sum_y[threadIdx.x], sy[threadIdx.x]);
    atomicAdd(&count[threadIdx.x], sc[threadIdx.x]);
  }
}

static void one_round(const std::vector<float>& x, const std::vector<float>& y, float* cx, float* cy,
                      std::vector<int>& label) {
  double sx[K] = {}, sy[K] = {};
  int c[K] = {};
  for (size_t i = 0; i < x.size(); ++i) {
    float best = FLT_MAX;
    for (int k = 0; k < K; ++k) {
      float d = (x[i] - cx[k]) * (x[i] - cx[k]) + (y[i] - cy[k]) * (y[i] - cy[k]);
      if (d < best) best = d, label[i] = k;
    }
    sx[label[i]] += x[i];
    sy[label[i]] += y[i];
    ++c[label[i]];
  }
  for (int k = 0; k < K; ++k)
    if (c[k]) cx[k] = float(sx[k] / c[k]), cy[k] = float(sy[k] / c[k]);
}

int main() {
  const int n = 1203, rounds = 4;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    int k = i % K;
    x[i] = 10.0f * (k % 3) + (i * 37 % 101) / 50.0f;
    y[i] = 10.0f * (k / 3) + (i * 53 % 97) / 50.0f;
  }
  float cx[K], cy[K], ref_x[K], ref_y[K];
  for (int k = 0; k < K; ++k) ref_x[k] = cx[k] = x[k], ref_y[k] = cy[k] = y[k];

  Points p{nullptr, nullptr, n};
  int *label, *count;
  float* sums;
  cudaMalloc(&p.x, n * sizeof(float));
  cudaMalloc(&p.y, n * sizeof(float));
  cudaMalloc(&label, n * sizeof(int));
  cudaMalloc(&sums, 2 * K * sizeof(float));
  cudaMalloc(&count, K * sizeof(int));
  cudaMemcpy(p.x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(p.y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  std::vector<int> got(n), want(n);
  for (int r = 0; r < rounds; ++r) {
    cudaMemcpyToSymbol(c_cx, cx, sizeof(cx));
    cudaMemcpyToSymbol(c_cy, cy, sizeof(cy));
    cudaMemset(sums, 0, 2 * K * sizeof(float));
    cudaMemset(count, 0, K * sizeof(int));
    assign_and_sum<<<(n + 127) / 128, 128>>>(p, label, sums, sums + K, count);
    float h_sums[2 * K];
    int h_count[K];
    cudaMemcpy(h_sums, sums, sizeof(h_sums), cudaMemcpyDeviceToHost);
    cudaMemcpy(h_count, count, sizeof(h_count), cudaMemcpyDeviceToHost);
    for (int k = 0; k < K; ++k)
      if (h_count[k]) cx[k] = h_sums[k] / h_count[k], cy[k] = h_sums[K + k] / h_count[k];
    one_round(x, y, ref_x, ref_y, want);
  }
  cudaMemcpy(got.data(), label, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool ok = got == want && cudaGetLastError() == cudaSuccess;
  for (int k = 0; k < K; ++k) ok = ok && std::fabs(cx[k] - ref_x[k]) < 1e-2f && std::fabs(cy[k] - ref_y[k]) < 1e-2f;
  cudaFree(p.x); cudaFree(p.y); cudaFree(label); cudaFree(sums); cudaFree(count);
  std::printf("kmeans: %s\n", ok ? "same clusters" : "clusters DIFFER");
  return ok ? 0 : 1;
}

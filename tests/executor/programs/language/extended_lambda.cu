// nvcc: --extended-lambda
// for_each and map_reduce taking lambdas from host code, captured by value.
#include <cstdio>
#include <cmath>
#include <vector>

template <class Body>
__global__ void for_each_kernel(int n, Body body) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) body(i);
}

template <class Body>
void for_each(int n, Body body) {
  for_each_kernel<<<(n + 127) / 128, 128>>>(n, body);
}

template <class Map>
__global__ void map_reduce_kernel(int n, Map map, double* out) {
  double v = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) v += map(i);
  for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x == 0) *out = v;
}

struct View {
  float* data;
  int width;
  __host__ __device__ float& operator()(int x, int y) const { return data[y * width + x]; }
};

int main() {
  const int w = 33, h = 21, n = w * h;
  float* d;
  double* d_sum;
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&d_sum, sizeof(double));
  View v{d, w};
  const float scale = 0.5f;
  int shift = 3;

  for_each(n, [=] __device__(int i) { v(i % w, i / w) = scale * i; });
  for_each(n, [=] __device__(int i) mutable {
    float& cell = v(i % w, i / w);
    cell += shift;
  });
  auto square = [d] __host__ __device__(float x) { return x * x; };
  map_reduce_kernel<<<1, 32>>>(n, [=] __device__(int i) { return (double)square(d[i]); }, d_sum);

  std::vector<float> got(n);
  double sum = 0, want = 0;
  cudaMemcpy(got.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, d_sum, sizeof(double), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    float x = scale * i + shift;
    bad += got[i] != x;
    want += square(x);
  }
  bad += !(std::fabs(sum - want) <= 1e-9 * want);
  cudaFree(d);
  cudaFree(d_sum);
  std::printf("extended_lambda: %d bad\n", bad);
  return bad != 0;
}

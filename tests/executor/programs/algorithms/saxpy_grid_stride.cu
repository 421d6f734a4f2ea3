// y = a*x + y with a grid-stride loop: far fewer threads than elements.
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

__global__
void saxpy(int n, float a, const float * __restrict__ x, float * __restrict__ y)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x;
       i < n;
       i += blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}

struct CudaDeleter {
  void operator()(float* p) const { cudaFree(p); }
};
using device_ptr = std::unique_ptr<float[], CudaDeleter>;

static device_ptr upload(const std::vector<float>& v) {
  float* p = nullptr;
  cudaMalloc(&p, v.size() * sizeof(float));
  cudaMemcpy(p, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);
  return device_ptr(p);
}

int main() {
  const int N = 20011;
  std::vector<float> x(N), y(N);
  for (int i = 0; i < N; i++) {
    x[i] = 1.0f + i % 7;
    y[i] = 2.0f - i % 5;
  }
  auto d_x = upload(x);
  auto d_y = upload(y);

  int dev = 0, numSMs = 0;
  cudaGetDevice(&dev);
  cudaDeviceGetAttribute(&numSMs, cudaDevAttrMultiProcessorCount, dev);
  if (numSMs < 1) { std::printf("no multiprocessors?\n"); return 2; }
  int blocks = numSMs < 4 ? numSMs : 4;

  saxpy<<<blocks, 192>>>(N, 2.0f, d_x.get(), d_y.get());
  saxpy<<<1, 1>>>(0, 2.0f, nullptr, nullptr);
  saxpy<<<3, 64>>>(17, -1.0f, d_x.get(), d_y.get());

  std::vector<float> got(N);
  cudaMemcpy(got.data(), d_y.get(), N * sizeof(float), cudaMemcpyDeviceToHost);

  float maxError = 0.0f;
  for (int i = 0; i < N; i++) {
    float want = 2.0f * x[i] + y[i];
    if (i < 17) want -= x[i];
    maxError = std::fmax(maxError, std::fabs(got[i] - want));
    if (!(std::fabs(got[i] - want) < 1e-5f)) {
      std::printf("saxpy: wrong at %d: %f instead of %f\n", i, got[i], want);
      return 1;
    }
  }
  std::printf("saxpy: max error %g\n", maxError);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

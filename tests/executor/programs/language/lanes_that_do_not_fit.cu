// nvcc: -DRAFTER_SIMT_ALL_LANES
// A kernel that looks arithmetic but is launched with a user-defined type: the vector code that the executor generates
// does not compile for that type, so the kernel runs as scalar code.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Fixed {
  int sixteenths;
  __host__ __device__ Fixed(int whole = 0) : sixteenths(16 * whole) {}
  __host__ __device__ Fixed& operator+=(const Fixed& other) {
    sixteenths += other.sixteenths;
    return *this;
  }
};

template <class T>
__global__ void sums_up(T* out, const T* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = 0;
  for (int j = 0; j < n; ++j) sum += in[(i + j) % n];
  out[i] = sum;
}

int main() {
  constexpr int n = 40, n_threads = 192;
  std::vector<Fixed> values;
  for (int i = 0; i < n; ++i) values.push_back(Fixed(i));
  Fixed *in = nullptr, *out = nullptr;
  cudaMalloc(&in, n * sizeof(Fixed));
  cudaMalloc(&out, n_threads * sizeof(Fixed));
  cudaMemcpy(in, values.data(), n * sizeof(Fixed), cudaMemcpyHostToDevice);
  sums_up<<<2, n_threads / 2>>>(out, in, n);
  std::vector<Fixed> came(n_threads);
  cudaMemcpy(came.data(), out, n_threads * sizeof(Fixed), cudaMemcpyDeviceToHost);
  for (const Fixed& sum : came) {
    if (sum.sixteenths != 16 * n * (n - 1) / 2) {
      std::printf("%d instead of %d\n", sum.sixteenths, 16 * n * (n - 1) / 2);
      return 1;
    }
  }
  cudaFree(in);
  cudaFree(out);
  std::puts("OK");
  return 0;
}

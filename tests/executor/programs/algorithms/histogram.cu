// 256-bin byte histogram: private bins in shared memory, merged with global atomics.
#include <cstdint>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t status_ = (call);                                                \
    if (status_ != cudaSuccess) {                                                \
      std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
      return 1;                                                                  \
    }                                                                            \
  } while (0)

constexpr int kBins = 256;

__global__ void histogram_shared(const uint8_t* data, size_t n, unsigned int* bins) {
  __shared__ unsigned int local[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) local[b] = 0u;
  __syncthreads();

  const size_t stride = size_t(blockDim.x) * gridDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    atomicAdd(&local[data[i]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    if (local[b] != 0) atomicAdd(bins + b, local[b]);
  }
}

__global__ void histogram_words(const uint32_t* words, size_t n_words, unsigned int* bins) {
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n_words) return;
  uint32_t w = words[i];
  #pragma unroll
  for (int k = 0; k < 4; ++k, w >>= 8) atomicAdd(&bins[w & 0xffu], 1u);
}

int main() {
  const size_t n = 30004;
  std::vector<uint8_t> data(n);
  uint32_t state = 12345;
  for (auto& v : data) {
    state = state * 1664525u + 1013904223u;
    v = uint8_t((state >> 24) & (state >> 16));
  }
  std::vector<unsigned int> want(kBins, 0), got(kBins);
  for (auto v : data) ++want[v];

  uint8_t* d_data;
  unsigned int* d_bins;
  CHECK(cudaMalloc(&d_data, n));
  CHECK(cudaMalloc(&d_bins, 2 * kBins * sizeof(unsigned int)));
  CHECK(cudaMemset(d_bins, 0, 2 * kBins * sizeof(unsigned int)));
  CHECK(cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice));

  histogram_shared<<<7, 192>>>(d_data, n, d_bins);
  CHECK(cudaGetLastError());
  histogram_words<<<(n / 4 + 127) / 128, 128>>>(reinterpret_cast<const uint32_t*>(d_data), n / 4, d_bins + kBins);
  CHECK(cudaGetLastError());

  int wrong = 0;
  for (int variant = 0; variant < 2; ++variant) {
    CHECK(cudaMemcpy(got.data(), d_bins + variant * kBins, kBins * sizeof(unsigned int), cudaMemcpyDeviceToHost));
    for (int b = 0; b < kBins; ++b) wrong += got[b] != want[b];
  }
  CHECK(cudaFree(d_data));
  CHECK(cudaFree(d_bins));
  std::printf("histogram: %d wrong bins\n", wrong);
  return wrong == 0 ? 0 : 1;
}

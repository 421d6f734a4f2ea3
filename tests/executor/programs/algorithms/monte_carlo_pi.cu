// Monte Carlo estimate of pi: one xorshift generator per thread, kept in global memory between two launches.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

class Rng {
 public:
  __host__ __device__ explicit Rng(uint64_t seed) {
    s_ = seed * 0x9E3779B97F4A7C15ull + 0xD1B54A32D192ED03ull;
    next();
    next();
  }
  __host__ __device__ uint64_t next() {
    s_ ^= s_ >> 12;
    s_ ^= s_ << 25;
    s_ ^= s_ >> 27;
    return s_ * 0x2545F4914F6CDD1Dull;
  }
  __host__ __device__ float uniform() { return static_cast<float>(next() >> 40) * (1.0f / 16777216.0f); }

 private:
  uint64_t s_;
};

__global__ void setup(Rng* states, int n) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  if (id < n) new (&states[id]) Rng(id + 1);
}

__global__ void throw_darts(Rng* states, int n, int darts, unsigned long long* hits) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  unsigned mine = 0;
  if (id < n) {
    Rng local = states[id];
    for (int k = 0; k < darts; ++k) {
      // 24-bit integer coordinates, so that host and device agree exactly
      uint64_t x = local.next() >> 40, y = local.next() >> 40;
      mine += x * x + y * y < (1ull << 48);
    }
    states[id] = local;
  }
  for (int d = 16; d > 0; d >>= 1) mine += __shfl_down_sync(0xffffffffu, mine, d);
  if ((threadIdx.x & 31) == 0 && mine) atomicAdd(hits, (unsigned long long)mine);
}

int main() {
  const int n = 1500, darts = 40;
  Rng* states;
  unsigned long long *hits, got = 0, want = 0;
  cudaMalloc(&states, n * sizeof(Rng));
  cudaMalloc(&hits, sizeof(*hits));
  cudaMemset(hits, 0, sizeof(*hits));
  setup<<<(n + 127) / 128, 128>>>(states, n);
  throw_darts<<<(n + 127) / 128, 128>>>(states, n, darts, hits);
  throw_darts<<<(n + 63) / 64, 64>>>(states, n, darts, hits);
  cudaMemcpy(&got, hits, sizeof(got), cudaMemcpyDeviceToHost);

  for (int id = 0; id < n; ++id) {
    Rng r(id + 1);
    for (int k = 0; k < 2 * darts; ++k) {
      uint64_t x = r.next() >> 40, y = r.next() >> 40;
      want += x * x + y * y < (1ull << 48);
    }
  }
  double pi = 4.0 * got / (2.0 * n * darts);
  cudaFree(states);
  cudaFree(hits);
  std::printf("monte_carlo_pi: %.4f (%llu hits, reference %llu)\n", pi, got, want);
  return got == want && std::fabs(pi - M_PI) < 0.05 && cudaGetLastError() == cudaSuccess ? 0 : 1;
}

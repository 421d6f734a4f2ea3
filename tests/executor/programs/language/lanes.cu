// nvcc: -DRAFTER_SIMT_ALL_LANES
// Kernels that a plain build runs in the lanes of a vector, where vector instructions differ from a GPU thread:
// divisors of 0 in inactive lanes, shifts by the width or more, elements narrower than a register, indices that
// wrap around, and loops that end at once. Each result is compared with the host's result for every thread.
#include <cuda_runtime.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int threads = 96;  // in 13 blocks, the last one partial
constexpr int n = 1234;

#define CHECK(call)                                                        \
  if (cudaError_t e = (call); e != cudaSuccess) {                          \
    std::printf("%s: %s\n", #call, cudaGetErrorString(e)), std::exit(1);   \
  }

// Inactive lanes have a divisor of 0, or would divide the least integer by -1.
unsigned quotient_sum(const int* divisors, int i, int size, int rounds) {
  unsigned sum = 0;
  for (int j = 0; j < rounds; ++j) {
    const int d = divisors[(i + j) % size];
    if (d != 0 && (i + j) / d > 3) sum += (i * 7 + j) / d;
    sum += d != 0 ? (i - j) % d : -1;
    if (d == -1) continue;
    if (d != 0) sum -= (INT_MIN + j) / d;
  }
  return sum;
}
__global__ void divides(unsigned* out, const int* divisors, int size, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  unsigned sum = 0;
  for (int j = 0; j < rounds; ++j) {
    const int d = divisors[(i + j) % size];
    if (d != 0 && (i + j) / d > 3) sum += (i * 7 + j) / d;
    sum += d != 0 ? (i - j) % d : -1;
    if (d == -1) continue;
    if (d != 0) sum -= (INT_MIN + j) / d;
  }
  out[i] = sum;
}

// A GPU shifts by 32 or more to 0 or to the sign; in C++ this is undefined. The host code reproduces the GPU's result.
unsigned long long shifted(unsigned value, unsigned long long wide, int i, int rounds) {
  unsigned long long sum = 0;
  for (int j = 0; j < rounds; ++j) {
    const unsigned by = static_cast<unsigned>(i + j) % 70;
    sum += by < 32 ? value << by : 0u;
    sum += by < 32 ? value >> by : 0u;
    sum += by < 64 ? wide << by : 0ull;
    sum += static_cast<unsigned long long>(static_cast<int>(value) >> (by < 32 ? by : 31u));
  }
  return sum;
}
__global__ void shifts(unsigned long long* out, unsigned value, unsigned long long wide, int size, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  unsigned long long sum = 0;
  for (int j = 0; j < rounds; ++j) {
    const unsigned by = (unsigned)(i + j) % 70;
    sum += value << by;
    sum += value >> by;
    sum += wide << by;
    sum += (unsigned long long)((int)value >> by);
  }
  out[i] = sum;
}

// Adjacent elements of one and two bytes, signed and unsigned, up to the last element.
__global__ void narrow(int* out, const signed char* bytes, const unsigned char* plain, const short* words, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  int sum = 0;
  for (int j = 0; j < 5; ++j) {
    if (i + j < size) sum += bytes[i + j] * 3 + plain[i + j] - words[i + j];
    if (i >= j) sum += words[i - j];
  }
  out[i] = sum;
}

// An unsigned index that counts down past the first element and wraps around.
__global__ void wraps(unsigned* out, const unsigned* in, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  unsigned sum = 0;
  for (unsigned j = 0; j < 7; ++j) {
    const unsigned at = i - j * 3u;
    if (at < size) sum += in[at];
    sum ^= at >> 5;
  }
  out[i] = sum;
}

// Some lanes run no iteration, others leave the loop early.
__global__ void leaves(float* out, const float* in, const int* rounds, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  float sum = 0;
  int j = 0;
  while (j < rounds[i]) {
    sum += in[(i + j) % size];
    if (sum > 40.f) break;
    ++j;
  }
  do sum = sum * 0.5f + 1.f; while (sum > 3.f);
  out[i] = sum + (float)j;
}

template <class T>
struct OnGpu {
  explicit OnGpu(const std::vector<T>& from) : size(from.size()) {
    CHECK(cudaMalloc(&data, size * sizeof(T)));
    CHECK(cudaMemcpy(data, from.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~OnGpu() { cudaFree(data); }
  std::vector<T> back() const {
    std::vector<T> to(size);
    CHECK(cudaMemcpy(to.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
  }
  T* data = nullptr;
  std::size_t size;
};

template <class T, class Expected>
void hold(const char* what, const OnGpu<T>& out, Expected expected) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const std::vector<T> came = out.back();
  for (int i = 0; i < n; ++i) {
    if (came[i] == expected(i)) continue;
    std::printf("%s: %g instead of %g at %d\n", what, double(came[i]), double(expected(i)), i);
    std::exit(1);
  }
}

int main() {
  const int blocks = (n + threads - 1) / threads;
  std::vector<int> divisors(n), rounds(n);
  std::vector<signed char> bytes(n);
  std::vector<unsigned char> plain(n);
  std::vector<short> words(n);
  std::vector<unsigned> numbers(n);
  std::vector<float> reals(n);
  for (int i = 0; i < n; ++i) {
    const unsigned mixed = (i + 1) * 2654435761u;
    divisors[i] = static_cast<int>(mixed >> 29) - 3;
    rounds[i] = static_cast<int>(mixed >> 24) % 23 - 4;
    bytes[i] = static_cast<signed char>(mixed >> 13);
    plain[i] = static_cast<unsigned char>(mixed >> 9);
    words[i] = static_cast<short>(mixed >> 5);
    numbers[i] = mixed;
    reals[i] = static_cast<float>(mixed >> 16 & 15);
  }
  OnGpu<int> out(std::vector<int>(n, -1)), d(divisors), r(rounds);
  OnGpu<unsigned> quotients(std::vector<unsigned>(n, 1));
  divides<<<blocks, threads>>>(quotients.data, d.data, n, 9);
  hold("divides", quotients, [&](int i) { return quotient_sum(divisors.data(), i, n, 9); });

  OnGpu<unsigned long long> sums(std::vector<unsigned long long>(n, 1));
  shifts<<<blocks, threads>>>(sums.data, 0x9e3779b9u, 0x9e3779b97f4a7c15ull, n, 75);
  hold("shifts", sums, [&](int i) { return shifted(0x9e3779b9u, 0x9e3779b97f4a7c15ull, i, 75); });

  OnGpu<signed char> b(bytes);
  OnGpu<unsigned char> p(plain);
  OnGpu<short> w(words);
  narrow<<<blocks, threads>>>(out.data, b.data, p.data, w.data, n);
  hold("narrow", out, [&](int i) {
    int sum = 0;
    for (int j = 0; j < 5; ++j) {
      if (i + j < n) sum += bytes[i + j] * 3 + plain[i + j] - words[i + j];
      if (i >= j) sum += words[i - j];
    }
    return sum;
  });

  OnGpu<unsigned> in(numbers), wrapped(std::vector<unsigned>(n, 1));
  wraps<<<blocks, threads>>>(wrapped.data, in.data, n);
  hold("wraps", wrapped, [&](int i) {
    unsigned sum = 0;
    for (unsigned j = 0; j < 7; ++j) {
      const unsigned at = static_cast<unsigned>(i) - j * 3u;
      if (at < static_cast<unsigned>(n)) sum += numbers[at];
      sum ^= at >> 5;
    }
    return sum;
  });

  OnGpu<float> x(reals), left(std::vector<float>(n, -1));
  leaves<<<blocks, threads>>>(left.data, x.data, r.data, n);
  hold("leaves", left, [&](int i) {
    float sum = 0;
    int j = 0;
    while (j < rounds[i]) {
      sum += reals[(i + j) % n];
      if (sum > 40.f) break;
      ++j;
    }
    do sum = sum * 0.5f + 1.f; while (sum > 3.f);
    return sum + static_cast<float>(j);
  });
  std::puts("OK");
  return 0;
}

// Shifts by the width or more shift all bits out, as in PTX, in every form of shift expression.
#include <cstdio>
#include <iostream>
#include <vector>

#define SHL(x, n) ((x) << (n))
#define SHR(x, n) (x >> n)
#define BITS 5
#define SIZE(n) (1 << (n))
#if SIZE(2) != 4
#error the preprocessor shifts, too
#endif
#define LOG(x) std::cout << x << std::endl

struct Wide {
  unsigned lo, hi;
  __host__ __device__ Wide operator<<(int n) const { return {lo << n, hi + n}; }
  __host__ __device__ Wide& operator>>=(int n) { lo >>= n; return *this; }
};
struct Packed { unsigned low : 4, high : 28; };
enum Colour { red = 1 << 2, green = red << 1 };

template <class T> __host__ __device__ T shifted(T x, int n) { return x << n; }
template <int N> __device__ int sized() { int array[1 << N]; constexpr int size = 1 << N; return (int)(sizeof(array) / sizeof(int)) + size; }
template <class T> struct Box { T value; };
__host__ __device__ inline std::ostream& say(std::ostream& out, int n) { return out << n << '\n'; }

enum { n_counts = 8, n_results = 20 };

__global__ void all(const int* counts, long long* out, unsigned* left) {
  int t = threadIdx.x, n = counts[t];
  long long* r = out + t * n_results;
  unsigned u = 0xf00000ffu; int s = -64; unsigned long long w = ~0ull; unsigned char c = 200; short h = -3;
  r[0] = u << n;
  r[1] = u >> n;
  r[2] = s >> n;
  r[3] = (long long)(w << n);
  r[4] = (long long)(w >> n);
  r[5] = c << n;
  r[6] = h >> n;
  r[7] = SHL(u, n) | SHR(s, n);
  unsigned v = u; v <<= n; r[8] = v;
  v = u; v >>= n - 1 + 1; r[9] = v;
  left[t] >>= n; r[10] = left[t];
  Packed p{9, 5}, *q = &p; p.low <<= 1; q->high <<= n; r[11] = p.low + p.high;
  Wide wide{3, 4}; wide = wide << n; wide >>= 1; r[12] = wide.lo + wide.hi;
  r[13] = shifted<unsigned>(u, n) + shifted(1ll, n);
  Box<Box<int>> box{{n}}; r[14] = 1u << box.value.value;
  r[15] = u << (long long)n >> 1;
  r[16] = (n < 40 ? u : 7u) >> n + 0;
  r[17] = sized<3>() + SIZE(3) + green + (1 << BITS) + (u >> 4u);
  auto f = [=] __device__(int k) { return 1u << k << 0; }; r[18] = f(n);
  long long big = (1ll << 32) + 3; r[19] = u << big;
}

int main() {
  const long long count[n_counts] = {0, 1, 31, 32, 33, 63, 64, -1};
  int *counts; long long* out; unsigned* left;
  cudaMallocManaged(&counts, sizeof(int) * n_counts);
  cudaMallocManaged(&out, sizeof(long long) * n_counts * n_results);
  cudaMallocManaged(&left, sizeof(unsigned) * n_counts);
  for (int i = 0; i < n_counts; ++i) counts[i] = (int)count[i], left[i] = 0x80000001u;
  all<<<1, n_counts>>>(counts, out, left);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  int n_wrong = 0;
  for (int i = 0; i < n_counts; ++i) {
    const unsigned n = (unsigned)count[i], u = 0xf00000ffu;
    const unsigned shl = n < 32 ? u << n : 0, shr = n < 32 ? u >> n : 0, one = n < 32 ? 1u << n : 0;
    const int sar = -64 >> (n < 32 ? n : 31);
    const long long expected[n_results] = {shl, shr, sar, (long long)(n < 64 ? ~0ull << n : 0), (long long)(n < 64 ? ~0ull >> n : 0),
      n < 32 ? (int)(200u << n) : 0, -3 >> (n < 32 ? n : 31), (unsigned)(shl | (unsigned)sar), shl, shr, n < 32 ? 0x80000001u >> n : 0,
      2 + (n < 32 ? 5u << n & 0xfffffffu : 0), ((n < 32 ? 3u << n : 0) >> 1) + 4 + (unsigned)count[i], (long long)shl + (n < 64 ? (long long)(1ull << n) : 0), one, shl >> 1,
      n < 32 ? (count[i] < 40 ? u : 7u) >> n : 0, 8 + 8 + 8 + 8 + 32 + (u >> 4), one, u << 3};
    for (int k = 0; k < n_results; ++k) {
      const long long is = out[i * n_results + k];
      if (is == expected[k]) continue;
      ++n_wrong;
      printf("shift %d by %lld: %llx, not %llx\n", k, count[i], is, expected[k]);
    }
  }
  LOG(n_wrong);
  say(std::cout, n_wrong);
  return n_wrong != 0;
}

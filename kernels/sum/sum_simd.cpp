// Sums one array in one thread. Each block of 16384 elements is added into 64 lanes of T, which divide evenly among
// vector registers of any width; the lanes are folded by halving, and the block's sum is added to a total in double.
// The order of additions does not depend on the vector width, a lane adds at most 256 numbers, and the error does not
// grow with n.
// Bound by memory: 16 accumulators of 16 bytes (or 4 of 64 bytes) hide the latency of an addition.
#include "sum/sum_simd.hpp"

namespace rafter::sum_ladder::cpu {

namespace {

constexpr int n_lanes = 64;
constexpr std::int64_t block_elements = 16384;  // folding costs 4 % at 4096, 1 % here (Neoverse-V1)

/// Adds the upper half of `n` lanes to the lower half until one is left. `n` is a constant, so that lanes stay in
/// registers.
template <int n, class T>
__attribute__((always_inline)) inline T fold(const T* lane) {
  if constexpr (n == 1) {
    return lane[0];
  } else {
    T half[n / 2];
    for (int i = 0; i < n / 2; ++i) half[i] = lane[i] + lane[i + n / 2];
    return fold<n / 2>(half);
  }
}

template <class T>
double block(const T* in) {
  T lane[n_lanes] = {};
  for (std::int64_t i = 0; i < block_elements; i += n_lanes) {
    for (int j = 0; j < n_lanes; ++j) lane[j] += in[i + j];
  }
  return static_cast<double>(fold<n_lanes>(lane));
}

template <class T>
double rest(const T* in, std::int64_t n) {
  T lane[n_lanes] = {};
  std::int64_t i = 0;
  for (; i + n_lanes <= n; i += n_lanes) {
    for (int j = 0; j < n_lanes; ++j) lane[j] += in[i + j];
  }
  if (i < n) {  // zeros in the other lanes change nothing: a lane is never -0
    T last[n_lanes] = {};
    __builtin_memcpy(last, in + i, static_cast<std::size_t>(n - i) * sizeof(T));
    for (int j = 0; j < n_lanes; ++j) lane[j] += last[j];
  }
  return static_cast<double>(fold<n_lanes>(lane));
}

template <class T>
double array(const T* in, std::int64_t n) {
  double total = 0;
  std::int64_t i = 0;
  for (; i + block_elements <= n; i += block_elements) total += block(in + i);
  return i < n ? total + rest(in + i, n - i) : total;
}

/// Adds integers in 64 bits, in any order.
template <class T>
unsigned long long integers(const T* in, std::int64_t n) {
  unsigned long long lane[n_lanes] = {};
  std::int64_t i = 0;
  for (; i + n_lanes <= n; i += n_lanes) {
    for (int j = 0; j < n_lanes; ++j) lane[j] += static_cast<unsigned long long>(in[i + j]);
  }
  unsigned long long total = 0;
  for (const unsigned long long sum : lane) total += sum;
  for (; i < n; ++i) total += static_cast<unsigned long long>(in[i]);
  return total;
}

}  // namespace

RAFTER_ISA_TABLE(SumLoops, sum_loops) = {array<float>, array<double>, integers<std::int32_t>, integers<std::int64_t>};

}  // namespace rafter::sum_ladder::cpu

// The plainest loops that can reach a roof: nothing but loads, stores or multiply-adds, enough of them independent.
#include "lab/roofs/roof_loops.hpp"

namespace rafter::lab {

namespace {

std::uint64_t read(const std::uint64_t* in, std::int64_t n) {
  constexpr int n_lanes = 32;
  std::uint64_t lane[n_lanes] = {};
  for (std::int64_t i = 0; i + n_lanes <= n; i += n_lanes) {
    for (int j = 0; j < n_lanes; ++j) lane[j] |= in[i + j];
  }
  std::uint64_t all = 0;
  for (std::uint64_t x : lane) all |= x;
  return all;
}

void write(std::uint64_t* out, std::int64_t n, std::uint64_t value) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = value;
}

void copy(const std::uint64_t* __restrict__ in, std::int64_t n, std::uint64_t* __restrict__ out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = in[i];
}

// One instruction where there is one; the builtin would be a call into the C library elsewhere.
inline float multiply_add(float a, float b, float c) {
#ifdef __FP_FAST_FMAF
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}

/// `Chains` times 16 numbers, all in registers: 16 fill one to four vectors, and the chains hide the latency. The
/// factors come from memory: a Neoverse-V1 starts half as many multiply-adds a clock when one of its own vector
/// instructions (a broadcast) has made them.
template <int Chains>
float fma(std::int64_t n_steps, const float* factors) {
  float x[Chains][16];
  for (int c = 0; c < Chains; ++c) {
    for (int j = 0; j < 16; ++j) x[c][j] = static_cast<float>(c + j);
  }
  for (std::int64_t i = 0; i < n_steps; ++i) {
#pragma GCC unroll 16
    for (int c = 0; c < Chains; ++c) {
      for (int j = 0; j < 16; ++j) x[c][j] = multiply_add(factors[j], factors[16 + j], x[c][j]);
    }
  }
  float total = 0;
  for (const auto& chain : x) {
    for (float y : chain) total += y;
  }
  return total;
}

}  // namespace

RAFTER_ISA_TABLE(RoofLoops, roof_loops) = {read, write, copy, fma<4>, fma<8>, fma<12>};

}  // namespace rafter::lab

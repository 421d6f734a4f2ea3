// The simplest loops that can reach a roof: only loads, stores or multiply-adds, with enough of them independent.
#include "workbench/lab/machine/roof_loops.hpp"

#include "library/core/cpu/streaming_store.hpp"

namespace rafter::lab {

namespace {

typedef std::uint64_t Line __attribute__((vector_size(64), may_alias));
constexpr std::int64_t line = 8;  // elements

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

void write_streamed(std::uint64_t* out, std::int64_t n, std::uint64_t value) {
  const Line values = value - Line{};
  for (std::int64_t i = 0; i < n; i += line) core::streaming_copy_line(out + i, &values);
  core::streaming_fence();
}

template <int In>
void combine(const std::uint64_t* __restrict__ in, std::int64_t stride, std::int64_t n,
             std::uint64_t* __restrict__ out) {
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint64_t total = in[i];
    for (int k = 1; k < In; ++k) total += in[k * stride + i];
    out[i] = total;
  }
}

template <int In>
void combine_streamed(const std::uint64_t* in, std::int64_t stride, std::int64_t n, std::uint64_t* out) {
  for (std::int64_t i = 0; i < n; i += line) {
    Line total = *reinterpret_cast<const Line*>(in + i);
    for (int k = 1; k < In; ++k) total += *reinterpret_cast<const Line*>(in + k * stride + i);
    core::streaming_copy_line(out + i, &total);
  }
  core::streaming_fence();
}

// A fused multiply-add where the CPU has one; elsewhere the builtin would call the C library.
inline float multiply_add(float a, float b, float c) {
#ifdef __FP_FAST_FMAF
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}
inline double multiply_add(double a, double b, double c) {
#ifdef __FP_FAST_FMA
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// Runs multiply-adds on `Chains` lines of 64 bytes, all in registers. A line fills one to four vectors, and the chains
/// hide the latency. The factors come from memory: a Neoverse-V1 starts half as many multiply-adds per clock when one
/// of its own vector instructions (a broadcast) has produced them.
template <class T, int Chains>
T fma(std::int64_t n_steps, const T* factors) {
  constexpr int width = 64 / sizeof(T);
  T x[Chains][width];
  for (int c = 0; c < Chains; ++c) {
    for (int j = 0; j < width; ++j) x[c][j] = static_cast<T>(c + j);
  }
  for (std::int64_t i = 0; i < n_steps; ++i) {
#pragma GCC unroll 16
    for (int c = 0; c < Chains; ++c) {
      for (int j = 0; j < width; ++j) x[c][j] = multiply_add(factors[j], factors[width + j], x[c][j]);
    }
  }
  T total = 0;
  for (const auto& chain : x) {
    for (T y : chain) total += y;
  }
  return total;
}

}  // namespace

RAFTER_ISA_TABLE(RoofLoops, roof_loops) = {read,
                                           write,
                                           write_streamed,
                                           {combine<1>, combine<2>, combine<3>},
                                           {combine_streamed<1>, combine_streamed<2>, combine_streamed<3>},
                                           {{64, fma<float, 4>}, {128, fma<float, 8>}, {192, fma<float, 12>}},
                                           {{32, fma<double, 4>}, {64, fma<double, 8>}, {96, fma<double, 12>}}};

}  // namespace rafter::lab

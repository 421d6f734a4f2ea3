// Computes a * b + c in one thread. Bound by memory: three arrays are read, one is written.
#include "mul_add/mul_add_simd.hpp"

namespace rafter::mul_add_ladder::cpu {

namespace {

// The fused instruction where the target has one; elsewhere the builtin would call the C library.
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
inline std::int32_t multiply_add(std::int32_t a, std::int32_t b, std::int32_t c) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b) +
                                   static_cast<std::uint32_t>(c));
}
inline std::int64_t multiply_add(std::int64_t a, std::int64_t b, std::int64_t c) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b) +
                                   static_cast<std::uint64_t>(c));
}

// Every element is read before it is written, and only its own iteration accesses it. So `out` may be an input, and the
// loop has no dependencies (ivdep).
template <class T>
void cached(Factors<T> in, std::int64_t n, T* out) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (std::int64_t i = 0; i < n; ++i) out[i] = multiply_add(in.a[i], in.b[i], in.c[i]);
}

template <class T>
void streamed(Factors<T> in, std::int64_t n, T* out) {
  constexpr int line = 64 / static_cast<int>(sizeof(T));
  std::int64_t i = 0;
  for (; i < n && reinterpret_cast<std::uintptr_t>(out + i) % 64 != 0; ++i) {
    out[i] = multiply_add(in.a[i], in.b[i], in.c[i]);
  }
  for (; i + line <= n; i += line) {
    alignas(64) T results[line];
    for (int j = 0; j < line; ++j) results[j] = multiply_add(in.a[i + j], in.b[i + j], in.c[i + j]);
    for (int j = 0; j < 4; ++j) {
      core::Bytes16 part;
      __builtin_memcpy(&part, results + j * (line / 4), sizeof part);
      core::streaming_store(out + i + j * (line / 4), part);
    }
  }
  cached({in.a + i, in.b + i, in.c + i}, n - i, out + i);
  core::streaming_fence();
}

template <class T>
void array(Factors<T> in, std::int64_t n, T* out, Stores stores) {
  stores == Stores::streamed ? streamed(in, n, out) : cached(in, n, out);
}

}  // namespace

RAFTER_ISA_TABLE(MulAddLoops, mul_add_loops) = {array<float>, array<double>, array<std::int32_t>, array<std::int64_t>};

}  // namespace rafter::mul_add_ladder::cpu

// Multiply-add of vectors, rounded once where the hardware can, for files compiled per instruction-set level
// (library/core/cpu/isa.hpp). Compilers decide on contraction per expression, and GCC does not contract vector
// operations with -ffp-contract=on. All functions have internal linkage, so that the linker cannot replace one level's
// by another's.
#pragma once

#if defined(__aarch64__)
#include <arm_neon.h>
#if defined(__ARM_FEATURE_SVE)
#include <arm_sve.h>
#endif
#elif defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rafter::core {
namespace {

// Each returns sum + a * b.
#if defined(__aarch64__)
inline float32x4_t fma(float32x4_t a, float32x4_t b, float32x4_t sum) { return vfmaq_f32(sum, a, b); }
inline float64x2_t fma(float64x2_t a, float64x2_t b, float64x2_t sum) { return vfmaq_f64(sum, a, b); }
#if defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS == 256
// Vectors of the generic syntax, which convert to those of SVE.
typedef float Floats256 __attribute__((vector_size(32)));    // NOLINT: an alias cannot have the attribute
typedef double Doubles256 __attribute__((vector_size(32)));  // NOLINT
inline Floats256 fma(Floats256 a, Floats256 b, Floats256 sum) { return svmla_f32_x(svptrue_b32(), sum, a, b); }
inline Doubles256 fma(Doubles256 a, Doubles256 b, Doubles256 sum) { return svmla_f64_x(svptrue_b64(), sum, a, b); }
#endif
#elif defined(__FMA__)
#if defined(__AVX512F__)
inline __m512 fma(__m512 a, __m512 b, __m512 sum) { return _mm512_fmadd_ps(a, b, sum); }
inline __m512d fma(__m512d a, __m512d b, __m512d sum) { return _mm512_fmadd_pd(a, b, sum); }
#endif
inline __m256 fma(__m256 a, __m256 b, __m256 sum) { return _mm256_fmadd_ps(a, b, sum); }
inline __m256d fma(__m256d a, __m256d b, __m256d sum) { return _mm256_fmadd_pd(a, b, sum); }
inline __m128 fma(__m128 a, __m128 b, __m128 sum) { return _mm_fmadd_ps(a, b, sum); }
inline __m128d fma(__m128d a, __m128d b, __m128d sum) { return _mm_fmadd_pd(a, b, sum); }
#else
template <class V>
inline V fma(V a, V b, V sum) {
  return sum + a * b;
}
#endif

}  // namespace
}  // namespace rafter::core

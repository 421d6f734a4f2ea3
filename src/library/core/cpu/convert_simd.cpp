// Converts between 16-bit floats and float, in one thread. Limited by the L1 cache when called block by block. Uses
// F16C (x86-64-v3) or Arm's instructions, elsewhere integer arithmetic on the bits.
#include "library/core/cpu/convert_simd.hpp"

namespace rafter::core {

namespace {

inline std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline float float_of(std::uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

struct HalfFormat {
#if defined(__aarch64__)
  static float widen(std::uint16_t bits) {
    __fp16 value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
  }
  static std::uint16_t round(float value) {
    const auto narrow = static_cast<__fp16>(value);
    std::uint16_t bits;
    __builtin_memcpy(&bits, &narrow, sizeof bits);
    return bits;
  }
#else
  // Shifts the exponent to its new position and corrects the bias by a multiplication, which is exact for subnormal
  // numbers too.
  static float widen(std::uint16_t bits) {
    const std::uint32_t magnitude = (bits & 0x7fffu) << 13;
    const std::uint32_t scaled = bits_of(float_of(magnitude) * 0x1p112f);
    const std::uint32_t infinite = magnitude >= 0x0f800000 ? 0x7f800000 | magnitude : 0;
    return float_of(scaled | infinite | (bits & 0x8000u) << 16);
  }
  // A subnormal result is the low bits of an addition of 1/2, which rounds it. Other results are rounded by adding just
  // less than half of the last bit, which may carry into the exponent; values out of range become infinity. All
  // variants are computed and one is selected, so the loop has no branch.
  static std::uint16_t round(float value) {
    const std::uint32_t x = bits_of(value);
    const std::uint32_t magnitude = x & 0x7fffffff;
    const std::uint32_t small = bits_of(float_of(magnitude) + 0.5f) - 0x3f000000;
    const std::uint32_t normal = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
    std::uint32_t result = magnitude < 0x38800000 ? small : normal;
    result = magnitude >= 0x47800000 ? 0x7c00 : result;
    result = magnitude > 0x7f800000 ? 0x7e00 | (magnitude >> 13 & 0x1ff) : result;
    return static_cast<std::uint16_t>(result | (x >> 16 & 0x8000));
  }
#endif
};

struct Bfloat16Format {
  static float widen(std::uint16_t bits) { return float_of(std::uint32_t{bits} << 16); }
  static std::uint16_t round(float value) {
    const std::uint32_t x = bits_of(value);
    const std::uint32_t rounded = x + 0x7fff + (x >> 16 & 1);
    return static_cast<std::uint16_t>(((x & 0x7fffffff) > 0x7f800000 ? x | 0x400000 : rounded) >> 16);
  }
};

template <class Format>
void widen(const std::uint16_t* in, std::int64_t n, float* out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = Format::widen(in[i]);
}
template <class Format>
void round_cached(const float* in, std::int64_t n, std::uint16_t* out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = Format::round(in[i]);
}

#if defined(__F16C__)
template <>
void widen<HalfFormat>(const std::uint16_t* in, std::int64_t n, float* out) {
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i))));
  for (; i < n; ++i) out[i] = HalfFormat::widen(in[i]);
}
template <>
void round_cached<HalfFormat>(const float* in, std::int64_t n, std::uint16_t* out) {
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT));
  }
  for (; i < n; ++i) out[i] = HalfFormat::round(in[i]);
}
#endif

template <class Format>
void round(const float* in, std::int64_t n, std::uint16_t* out, Stores stores) {
  constexpr std::int64_t line = 32;
  if (stores == Stores::cached) return round_cached<Format>(in, n, out);
  const auto past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) % 64 / 2);
  std::int64_t i = (line - past_line) % line;
  if (i > n) i = n;
  round_cached<Format>(in, i, out);
  for (; i + line <= n; i += line) {
    alignas(64) std::uint16_t results[line];
    round_cached<Format>(in + i, line, results);
    streaming_copy_line(out + i, results);
  }
  round_cached<Format>(in + i, n - i, out + i);
  streaming_fence();
}

}  // namespace

RAFTER_ISA_TABLE(ConvertLoops, convert_loops) = {widen<HalfFormat>, widen<Bfloat16Format>, round<HalfFormat>,
                                                 round<Bfloat16Format>};

}  // namespace rafter::core

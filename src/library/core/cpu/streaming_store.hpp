// Non-temporal stores, for CPU loops that write more than the caches hold. On x86 an ordinary store first reads the
// line that it overwrites; these do not. Other machines detect long runs of stores themselves.
//
// For files compiled per instruction-set level: all functions have internal linkage.
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rafter::core {

/// Whether stores go through the caches or bypass them.
enum class Stores { cached, streamed };

/// Returns the kind of stores for an op that accesses `bytes` bytes: beyond a typical last-level cache the results
/// would be evicted before they are used.
constexpr Stores stores_for(std::int64_t bytes) {
  constexpr std::int64_t cache_bytes = 16 << 20;
  return bytes < cache_bytes ? Stores::cached : Stores::streamed;
}

typedef std::uint8_t Bytes16 __attribute__((vector_size(16)));

/// Stores 16 bytes at a 16-byte boundary.
[[maybe_unused]] __attribute__((always_inline)) static inline void streaming_store(void* to, Bytes16 value) {
#if defined(__x86_64__)
  __m128i bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  _mm_stream_si128(static_cast<__m128i*>(to), bits);
#else
  __builtin_memcpy(to, &value, sizeof value);
#endif
}

/// Copies a line of 64 bytes to a 64-byte boundary in as few stores as the level allows: a line that leaves the core in
/// parts costs several memory writes.
[[maybe_unused]] __attribute__((always_inline)) static inline void streaming_copy_line(void* to, const void* from) {
#if defined(__AVX512F__)
  _mm512_stream_si512(static_cast<__m512i*>(to), _mm512_loadu_si512(from));
#elif defined(__AVX__)
  for (int i = 0; i < 2; ++i) {
    _mm256_stream_si256(static_cast<__m256i*>(to) + i, _mm256_loadu_si256(static_cast<const __m256i*>(from) + i));
  }
#elif defined(__x86_64__)
  for (int i = 0; i < 4; ++i) {
    _mm_stream_si128(static_cast<__m128i*>(to) + i, _mm_loadu_si128(static_cast<const __m128i*>(from) + i));
  }
#else
  __builtin_memcpy(to, from, 64);
#endif
}

/// Orders the streaming stores of this thread before its later stores. Call it once after a loop.
[[maybe_unused]] __attribute__((always_inline)) static inline void streaming_fence() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

}  // namespace rafter::core

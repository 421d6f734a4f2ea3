// memcpy, memmove, memset and memcmp in a checked build, by any name (std::copy and std::fill use them, too): the
// compiler does not instrument their accesses. It instruments the load and store that a copy of a few bytes becomes.
#pragma once

#ifdef RAFTER_SIMT_CHECKED

#include <cstddef>
#include <cstring>

extern "C" {
/// Report memory that is about to be copied, filled or compared, and return the size. They are declared pure, so that a
/// thread's local variables need not be in memory that others could reach.
[[gnu::pure]] std::size_t rafter_simt_copies(const void* to, const void* from, std::size_t bytes);
[[gnu::pure]] std::size_t rafter_simt_fills(const void* to, std::size_t bytes);
[[gnu::pure]] std::size_t rafter_simt_compares(const void* a, const void* b, std::size_t bytes);
}

namespace rafter_simt {

#define RAFTER_SIMT_INLINE inline __attribute__((always_inline, artificial))

/// Whether no report is needed: the compiler evaluates the call or turns it into one access.
constexpr RAFTER_SIMT_INLINE bool is_plain(std::size_t bytes) {
  return __builtin_is_constant_evaluated() ||
         (__builtin_constant_p(bytes) && bytes <= 16 && (bytes & (bytes - 1)) == 0);
}

constexpr RAFTER_SIMT_INLINE void* copy_bytes(void* to, const void* from, std::size_t bytes) {
  return __builtin_memcpy(to, from, is_plain(bytes) ? bytes : rafter_simt_copies(to, from, bytes));
}
constexpr RAFTER_SIMT_INLINE void* move_bytes(void* to, const void* from, std::size_t bytes) {
  return __builtin_memmove(to, from, is_plain(bytes) ? bytes : rafter_simt_copies(to, from, bytes));
}
constexpr RAFTER_SIMT_INLINE void* fill_bytes(void* to, int value, std::size_t bytes) {
  return __builtin_memset(to, value, __builtin_is_constant_evaluated() ? bytes : rafter_simt_fills(to, bytes));
}
constexpr RAFTER_SIMT_INLINE int compare_bytes(const void* a, const void* b, std::size_t bytes) {
  return __builtin_memcmp(a, b, __builtin_is_constant_evaluated() ? bytes : rafter_simt_compares(a, b, bytes));
}

}  // namespace rafter_simt

extern "C" {
extern RAFTER_SIMT_INLINE __attribute__((gnu_inline)) void* memcpy(void* to, const void* from, std::size_t n) noexcept {
  return rafter_simt::copy_bytes(to, from, n);
}
extern RAFTER_SIMT_INLINE __attribute__((gnu_inline)) void* memmove(void* to, const void* from,
                                                                    std::size_t n) noexcept {
  return rafter_simt::move_bytes(to, from, n);
}
extern RAFTER_SIMT_INLINE __attribute__((gnu_inline)) void* memset(void* to, int value, std::size_t n) noexcept {
  return rafter_simt::fill_bytes(to, value, n);
}
extern RAFTER_SIMT_INLINE __attribute__((gnu_inline)) int memcmp(const void* a, const void* b, std::size_t n) noexcept {
  return rafter_simt::compare_bytes(a, b, n);
}
}

// The standard library's headers call these; __has_builtin(__builtin_memcpy) does not change.
#define __builtin_memcpy(...) ::rafter_simt::copy_bytes(__VA_ARGS__)
#define __builtin_memmove(...) ::rafter_simt::move_bytes(__VA_ARGS__)
#define __builtin_memset(...) ::rafter_simt::fill_bytes(__VA_ARGS__)
#define __builtin_memcmp(...) ::rafter_simt::compare_bytes(__VA_ARGS__)

#endif
